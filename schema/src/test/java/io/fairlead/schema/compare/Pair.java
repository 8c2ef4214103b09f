package io.fairlead.schema.compare;

import io.fairlead.schema.digest.DefinitionDigests;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Two schemas of one field {@code v} and what is expected of their comparison.
 *
 * @param name what changes
 * @param before the old schema as it is written
 * @param after the new one
 * @param verdict the expected one
 * @param rules the keywords that are expected to be told, none if it does not matter
 * @param isReal whether a cluster takes both
 */
record Pair(String name, ObjectNode before, ObjectNode after, Verdict verdict, List<String> rules, boolean isReal) {
    static Stream<Pair> all() {
        try (InputStream in = Objects.requireNonNull(Pair.class.getResourceAsStream("pairs.yaml"))) {
            JsonNode pairs = Yaml.readAllExact(in.readAllBytes()).getFirst().root();
            return pairs.valueStream().map(Pair::of).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Pair of(JsonNode pair) {
        return new Pair(
                pair.path("name").stringValue(),
                (ObjectNode) pair.path("old"),
                (ObjectNode) pair.path("new"),
                Stream.of(Verdict.values())
                        .filter(verdict ->
                                verdict.text().equals(pair.path("verdict").stringValue()))
                        .findFirst()
                        .orElseThrow(),
                pair.path("rules").valueStream().map(JsonNode::stringValue).toList(),
                !pair.has("unreal"));
    }

    VersionComparison compared() {
        return VersionComparison.ofSchemas("v1", canonical(root(before)), canonical(root(after)));
    }

    /** Whether a rule of CEL decides what is valid. */
    boolean hasRules() {
        return before.toString().contains(SchemaNode.RULES) || after.toString().contains(SchemaNode.RULES);
    }

    static ObjectNode root(JsonNode field) {
        ObjectNode root = Json.object().put("type", "object");
        root.putObject("properties").set("v", field);
        return root;
    }

    /** The canonical form of a root schema. */
    static JsonNode canonical(JsonNode schema) {
        return Objects.requireNonNull(
                DefinitionDigests.of(definition(schema)).type().schemas().get("v1"));
    }

    static ObjectNode definition(JsonNode schema) {
        ObjectNode definition =
                Json.object().put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
        ObjectNode spec =
                definition.putObject("spec").put("group", "example.com").put("scope", "Namespaced");
        spec.putObject("names").put("kind", "Thing").put("plural", "things");
        ArrayNode versions = spec.putArray("versions");
        ObjectNode version =
                versions.addObject().put("name", "v1").put("served", true).put("storage", true);
        version.putObject("schema").set("openAPIV3Schema", schema.deepCopy());
        return definition;
    }

    @Override
    public String toString() {
        return name;
    }
}
