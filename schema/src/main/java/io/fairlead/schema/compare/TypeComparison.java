package io.fairlead.schema.compare;

import io.fairlead.model.Visible;
import io.fairlead.schema.digest.CanonicalType;
import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * What becomes of a type's objects and clients when one definition takes the place of another.
 *
 * @param group the API group, of the old definition
 * @param kind the kind, of the old definition
 * @param verdict on everything
 * @param differences of what the versions share: names, scope, conversion
 * @param versions each served version, in the order of the old definition, then those that are new
 */
public record TypeComparison(
        String group, String kind, Verdict verdict, List<Difference> differences, List<VersionComparison> versions) {
    /** A path has as many steps as its author likes. */
    private static final int PLACE_LENGTH_MAX = 200;

    public TypeComparison {
        differences = List.copyOf(differences);
        versions = List.copyOf(versions);
    }

    /** Compares two types by what is known of their served versions; the order matters. */
    public static TypeComparison of(CanonicalType before, CanonicalType after) {
        return DefinitionComparison.of(before, after, false, new Differences());
    }

    /** Compares two definitions, whatever is in them; the order matters. */
    public static TypeComparison of(DefinitionDigests before, DefinitionDigests after) {
        Differences found = new Differences();
        Stream.concat(before.notUnderstoodBeside().stream(), after.notUnderstoodBeside().stream())
                .forEach(path -> found.addNotUnderstood(path, path.substring(path.lastIndexOf('.') + 1), null, null));
        return DefinitionComparison.of(
                before.type(), after.type(), before.full().equals(after.full()), found);
    }

    /** What it means that a definition is gone. */
    public static TypeComparison removed(DefinitionDigests type) {
        return alone(type, new Difference("spec", "definition", api(type), null, Verdict.INCOMPATIBLE));
    }

    /** What it means that there is a definition where none was; it may be one that is not understood. */
    public static TypeComparison added(DefinitionDigests type) {
        Verdict verdict = of(type, type).verdict().and(Verdict.WIDER);
        return alone(type, new Difference("spec", "definition", null, api(type), verdict));
    }

    /**
     * The first place that does harm, or else the first that differs, for people ({@code v1 .spec.size (maximum) and 2 more}); empty
     * if there is none.
     */
    public String place() {
        List<Told> told = new ArrayList<>();
        differences.forEach(difference -> told.add(new Told("", difference)));
        int untold = 0;
        for (VersionComparison version : versions) {
            version.differences().forEach(difference -> told.add(new Told(version.name() + " ", difference)));
            untold += version.untold();
        }
        if (told.isEmpty()) {
            return "";
        }
        Told first = told.stream()
                .filter(each -> !each.difference().verdict().isCompatible())
                .findFirst()
                .orElse(told.getFirst());
        int more = told.size() - 1 + untold;
        return first.text() + (more == 0 ? "" : " and " + more + " more");
    }

    /** A difference with the version that has it before its path. */
    private record Told(String version, Difference difference) {
        String text() {
            String path = Visible.ascii(version + difference.path());
            String cut = path.length() <= PLACE_LENGTH_MAX ? path : path.substring(0, PLACE_LENGTH_MAX) + "...";
            return cut + " (" + Visible.ascii(difference.rule()) + ")";
        }
    }

    private static TypeComparison alone(DefinitionDigests type, Difference difference) {
        return new TypeComparison(type.group(), type.kind(), difference.verdict(), List.of(difference), List.of());
    }

    private static JsonNode api(DefinitionDigests type) {
        return Json.nodes().stringNode(type.api().text());
    }
}
