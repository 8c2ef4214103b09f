package io.fairlead.gateway.api;

import io.fairlead.index.DefinedType;
import io.fairlead.schema.compare.Difference;
import io.fairlead.schema.compare.TypeComparison;
import io.fairlead.schema.compare.Verdict;
import io.fairlead.schema.compare.VersionComparison;
import io.fairlead.schema.digest.CanonicalType;
import io.fairlead.schema.json.Json;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How one definition of a type would treat the objects of another, for a report. */
final class DefinitionDifference {
    private static final int TOLD_MAX = 20;

    private final ArrayNode told = Json.array();
    private int untold;

    private DefinitionDifference() {}

    static ObjectNode of(DefinedType before, DefinedType after) {
        TypeComparison comparison = TypeComparison.of(
                CanonicalType.read(before.stored().canonical()),
                CanonicalType.read(after.stored().canonical()));
        boolean understood = before.understood() && after.understood();
        DefinitionDifference difference = new DefinitionDifference();
        difference.tell("", comparison.differences());
        for (VersionComparison version : comparison.versions()) {
            difference.tell(version.name(), version.differences());
            difference.untold += version.untold();
        }
        ObjectNode report = Json.object().put("verdict", (understood ? comparison.verdict() : Verdict.UNKNOWN).text());
        report.set("differences", difference.told);
        if (difference.untold > 0) {
            report.put("untold", difference.untold);
        }
        return report;
    }

    private void tell(String version, List<Difference> differences) {
        for (Difference difference : differences) {
            if (told.size() == TOLD_MAX) {
                untold++;
            } else {
                told.add(told(version, difference));
            }
        }
    }

    private static ObjectNode told(String version, Difference difference) {
        ObjectNode entry = Json.object();
        if (!version.isEmpty()) {
            entry.put("version", version);
        }
        entry.put("path", difference.path()).put("rule", difference.rule());
        if (difference.before() != null) {
            entry.set("old", difference.before());
        }
        if (difference.after() != null) {
            entry.set("new", difference.after());
        }
        return entry.put("verdict", difference.verdict().text());
    }
}
