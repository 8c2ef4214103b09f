package io.fairlead.ittests;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

/**
 * Two schemas of a field, of which the second takes the place of the first.
 *
 * @param name what changes
 * @param before the old one
 * @param after the new one
 * @param verdict what is said of it
 */
record SchemaPair(String name, JsonObject before, JsonObject after, String verdict) {
    private static final String PAIRS = "schema/src/test/resources/io/fairlead/schema/compare/pairs.yaml";
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    /** The pairs of which a server can show whether the verdict is right. */
    static List<SchemaPair> thatAreJudged() {
        try {
            Object read = new Yaml().load(Files.readString(Checkout.root().resolve(PAIRS)));
            return GSON.toJsonTree(read).getAsJsonArray().asList().stream()
                    .map(JsonElement::getAsJsonObject)
                    .filter(pair -> !pair.get("verdict").getAsString().equals("Unknown"))
                    .map(SchemaPair::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SchemaPair of(JsonObject pair) {
        return new SchemaPair(
                pair.get("name").getAsString(),
                pair.getAsJsonObject("old"),
                pair.getAsJsonObject("new"),
                pair.get("verdict").getAsString());
    }

    /** The field of the spec that has the schemas of a pair. */
    static String field(int index) {
        return "p" + index;
    }

    /** A definition whose spec has a field for each pair. */
    static String definition(String group, List<SchemaPair> pairs, Function<SchemaPair, JsonObject> schema) {
        JsonObject fields = new JsonObject();
        IntStream.range(0, pairs.size()).forEach(i -> fields.add(field(i), schema.apply(pairs.get(i))));
        return """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "metadata": {"name": "things.%s"},
             "spec": {"group": "%s", "scope": "Namespaced", "names": {"kind": "Thing", "plural": "things"},
              "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
               {"type": "object", "properties": {"spec": {"type": "object", "properties": %s}}}}}]}}
            """.formatted(group, group, GSON.toJson(fields));
    }

    /** The verdict on all differences at or below a path. */
    static String verdict(JsonArray differences, String path) {
        return differences.asList().stream()
                .map(JsonElement::getAsJsonObject)
                .filter(difference -> isBelow(difference.get("path").getAsString(), path))
                .map(difference -> difference.get("verdict").getAsString())
                .reduce("Equal", SchemaPair::both);
    }

    private static boolean isBelow(String path, String root) {
        return path.equals(root) || path.startsWith(root + ".") || path.startsWith(root + "[");
    }

    private static String both(String one, String other) {
        if (one.equals("Equal") || one.equals(other)) {
            return other;
        }
        boolean isOpen = one.equals("Wider") || other.equals("Wider");
        return isOpen && (one.equals("Unknown") || other.equals("Unknown")) ? "Unknown" : "Incompatible";
    }

    /** Whether all of what was written is there; a null may have become a default. */
    static boolean keeps(@Nullable JsonElement read, JsonElement written) {
        if (written.isJsonObject()) {
            return read instanceof JsonObject object
                    && written.getAsJsonObject().entrySet().stream()
                            .allMatch(member -> keeps(object.get(member.getKey()), member.getValue()));
        }
        if (written.isJsonArray()) {
            JsonArray elements = written.getAsJsonArray();
            return read instanceof JsonArray array
                    && array.size() == elements.size()
                    && IntStream.range(0, array.size()).allMatch(i -> keeps(array.get(i), elements.get(i)));
        }
        return read != null && (written.isJsonNull() || read.equals(written));
    }

    @Override
    public String toString() {
        return name;
    }
}
