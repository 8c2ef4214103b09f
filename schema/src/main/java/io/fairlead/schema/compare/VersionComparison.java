package io.fairlead.schema.compare;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What becomes of the objects of one version.
 *
 * @param name the version
 * @param verdict on all differences
 * @param differences of the schemas, in the order of the fields, then of what else belongs to the version; at most 1000
 * @param untold how many more there are
 */
public record VersionComparison(String name, Verdict verdict, List<Difference> differences, int untold) {
    public VersionComparison {
        differences = List.copyOf(differences);
    }

    /** Compares two schemas in canonical form ({@code null} stands for none) that have the same name. */
    static VersionComparison ofSchemas(String name, JsonNode before, JsonNode after) {
        Differences found = new Differences();
        SchemaComparison.compare(before, after, found);
        return of(name, found);
    }

    static VersionComparison of(String name, Differences found) {
        return new VersionComparison(name, found.verdict(), found.told(), found.untold());
    }
}
