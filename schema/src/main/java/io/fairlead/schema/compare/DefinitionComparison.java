package io.fairlead.schema.compare;

import io.fairlead.schema.digest.CanonicalType;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.JsonKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Compares what definitions say beside the schemas, and has the schemas of their served versions compared. */
final class DefinitionComparison {
    private static final String PRESERVE = "preserveUnknownFields";

    private final CanonicalType before;
    private final CanonicalType after;
    private final Map<String, JsonNode> oldVersions;
    private final Map<String, JsonNode> newVersions;

    private DefinitionComparison(CanonicalType before, CanonicalType after) {
        this.before = before;
        this.after = after;
        this.oldVersions = versions(before);
        this.newVersions = versions(after);
    }

    /**
     * Adds to what has been found of the definitions already.
     *
     * @param isSame whether the whole definitions are known to be the same, versions that are not served included
     */
    static TypeComparison of(CanonicalType before, CanonicalType after, boolean isSame, Differences found) {
        if (!isSame && !(before.servesWhatItStores() && after.servesWhatItStores())) {
            // Objects pass through the schema of the version in which they are kept, of which nothing is known here.
            found.add("spec.versions", "storage", null, null, Verdict.UNKNOWN);
        }
        return new DefinitionComparison(before, after).compared(found);
    }

    private static Map<String, JsonNode> versions(CanonicalType type) {
        Map<String, JsonNode> versions = new LinkedHashMap<>();
        type.api().path("versions").values().forEach(version -> versions.put(text(version, "name"), version));
        return versions;
    }

    private TypeComparison compared(Differences found) {
        shared(found);
        List<VersionComparison> versions = new ArrayList<>();
        oldVersions.forEach((name, version) -> versions.add(version(name, version, newVersions.get(name))));
        newVersions.forEach((name, version) -> {
            if (!oldVersions.containsKey(name)) {
                versions.add(version(name, null, version));
            }
        });
        Verdict verdict = versions.stream().map(VersionComparison::verdict).reduce(found.verdict(), Verdict::and);
        if (verdict == Verdict.EQUAL && !before.digest().equals(after.digest())) {
            found.add("spec", "definition", text(before), text(after), Verdict.UNKNOWN);
            verdict = Verdict.UNKNOWN;
        }
        return new TypeComparison(before.group(), before.kind(), verdict, found.told(), versions);
    }

    private void shared(Differences found) {
        JsonNode old = before.api();
        JsonNode now = after.api();
        unlessSame(found, "spec.group", old.get("group"), now.get("group"), Verdict.INCOMPATIBLE);
        unlessSame(found, "spec.scope", old.get("scope"), now.get("scope"), Verdict.INCOMPATIBLE);
        names(found, old.path("names"), now.path("names"));
        unlessSame(found, "spec.conversion", old.get("conversion"), now.get("conversion"), Verdict.UNKNOWN);
        if (old.has(PRESERVE) || now.has(PRESERVE)) {
            // Nothing is pruned by such a definition, whatever its schemas say: a relic of v1beta1.
            found.add("spec." + PRESERVE, PRESERVE, old.get(PRESERVE), now.get(PRESERVE), Verdict.UNKNOWN);
        }
        storage(found);
    }

    /** Names lead to the type; a name that is gone finds nothing. */
    private static void names(Differences found, JsonNode old, JsonNode now) {
        for (String name : List.of("kind", "listKind", "plural", "singular")) {
            unlessSame(found, "spec.names." + name, old.get(name), now.get(name), Verdict.INCOMPATIBLE);
        }
        for (String name : List.of("shortNames", "categories")) {
            unlessSame(
                    found,
                    "spec.names." + name,
                    old.get(name),
                    now.get(name),
                    ofSets(keys(old.path(name)), keys(now.path(name))));
        }
    }

    /** Objects are kept in the form of the storage version: another one is harmless where both have the same schema, and no webhook lies between. */
    private void storage(Differences found) {
        String old = storageVersion(oldVersions);
        String now = storageVersion(newVersions);
        if (!old.equals(now)) {
            JsonNode oldForm = after.schemas().get(old);
            boolean isSameForm =
                    oldForm != null && Values.same(oldForm, after.schemas().get(now));
            found.add(
                    "spec.versions",
                    "storage",
                    Json.nodes().stringNode(old),
                    Json.nodes().stringNode(now),
                    isSameForm && isKept(before) && isKept(after) ? Verdict.WIDER : Verdict.UNKNOWN);
        }
    }

    /** Whether objects stay as they are between versions: it cannot be known what a webhook does. */
    private static boolean isKept(CanonicalType type) {
        return type.api().path("conversion").path("strategy").asString("None").equals("None");
    }

    private static String storageVersion(Map<String, JsonNode> versions) {
        return versions.values().stream()
                .filter(version -> version.path("storage").booleanValue(false))
                .map(version -> text(version, "name"))
                .findFirst()
                .orElse("");
    }

    private VersionComparison version(String name, @Nullable JsonNode old, @Nullable JsonNode now) {
        Differences found = new Differences();
        String path = "spec.versions[" + name + "].";
        JsonNode served = Json.nodes().booleanNode(true);
        if (old == null || now == null) {
            Verdict verdict = old == null ? Verdict.WIDER : Verdict.NARROWER;
            found.add(path + "served", "served", old == null ? null : served, now == null ? null : served, verdict);
            JsonNode only = schema(old == null ? after : before, name);
            SchemaComparison.compare(only, only, found);
        } else {
            SchemaComparison.compare(schema(before, name), schema(after, name), found);
            beside(found, path, name, old, now);
        }
        return VersionComparison.of(name, found);
    }

    private static JsonNode schema(CanonicalType type, String version) {
        return type.schemas().getOrDefault(version, Json.nodes().nullNode());
    }

    private void beside(Differences found, String path, String name, JsonNode old, JsonNode now) {
        JsonNode oldParts = old.path("subresources");
        JsonNode newParts = now.path("subresources");
        unlessSame(
                found,
                path + "subresources.status",
                oldParts.get("status"),
                newParts.get("status"),
                status(oldParts, newParts, schema(before, name)));
        unlessSame(
                found,
                path + "subresources.scale",
                oldParts.get("scale"),
                newParts.get("scale"),
                oldParts.has("scale") ? Verdict.INCOMPATIBLE : Verdict.UNKNOWN);
        unlessSame(
                found,
                path + "selectableFields",
                old.get("selectableFields"),
                now.get("selectableFields"),
                ofSets(keys(old.path("selectableFields")), keys(now.path("selectableFields"))));
    }

    /** With the subresource an object's status is no longer written with the object. */
    private static Verdict status(JsonNode old, JsonNode now, JsonNode schema) {
        if (old.has("status") || !now.has("status")) {
            return now.has("status") ? Verdict.UNKNOWN : Verdict.INCOMPATIBLE;
        }
        if (schema.isNull()) {
            return Verdict.UNKNOWN;
        }
        boolean mayHaveStatus = schema.path("properties").has("status")
                || schema.path(SchemaNode.PRESERVE).asBoolean(false);
        return mayHaveStatus ? Verdict.INCOMPATIBLE : Verdict.WIDER;
    }

    private static Verdict ofSets(Set<JsonKey> old, Set<JsonKey> now) {
        if (now.containsAll(old)) {
            return Verdict.WIDER;
        }
        return old.containsAll(now) ? Verdict.NARROWER : Verdict.INCOMPATIBLE;
    }

    private static Set<JsonKey> keys(JsonNode list) {
        return list.values().stream().map(Values::key).collect(Collectors.toSet());
    }

    private static void unlessSame(
            Differences found, String path, @Nullable JsonNode old, @Nullable JsonNode now, Verdict verdict) {
        if (!Values.same(old, now)) {
            found.add(path, path.substring(path.lastIndexOf('.') + 1), old, now, verdict);
        }
    }

    private static JsonNode text(CanonicalType type) {
        return Json.nodes().stringNode(type.digest().text());
    }

    private static String text(JsonNode object, String name) {
        return object.path(name).asString("");
    }
}
