package io.fairlead.schema.digest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.model.TypeDigest;
import io.fairlead.schema.digest.DefinitionDigests.VersionDigest;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything behind the {@code api} digest of a type: its API and the schemas of the versions that it serves, in the
 * canonical forms of {@code docs/digests.md}. The trees must not be changed.
 * @param api the form of the API; its versions name their schemas by digest
 * @param schemas the form of each served version's schema, by the version's name; JSON null for a version without one
 */
public record CanonicalType(JsonNode api, SortedMap<String, JsonNode> schemas) {
    /** The API group. */
    public String group() {
        return api.path("group").asString("");
    }

    /** The kind. */
    public String kind() {
        return api.path("names").path("kind").asString("");
    }

    /** Whether the version in which objects are kept is served: only then is it said here what is kept of them. */
    public boolean servesWhatItStores() {
        return api.path("versions")
                .valueStream()
                .anyMatch(version -> version.path("storage").booleanValue(false));
    }

    /** The digest of the API. */
    public TypeDigest digest() {
        return DefinitionDigests.digest("api", api);
    }

    /** The paths of parts of schemas that are not understood, after the version's name. */
    public List<String> notUnderstood() {
        List<String> paths = new ArrayList<>();
        schemas.forEach((version, schema) -> {
            CanonicalSchema meaning = new CanonicalSchema(false);
            if (!schema.isNull()) {
                meaning.of(schema, version);
            }
            paths.addAll(meaning.notUnderstood());
        });
        return paths;
    }

    /** A text in UTF-8 from which {@link #read} makes an equal type. */
    public byte[] bytes() {
        ObjectNode document = Json.object();
        document.set("api", api);
        ObjectNode byVersion = document.putObject("schemas");
        schemas.forEach(byVersion::set);
        return CanonicalJson.text(document).getBytes(UTF_8);
    }

    /**
     * Reads what {@link #bytes} wrote.
     *
     * @throws UnreadableDocumentException if it is something else: no such text, or one in which a schema does not have the
     *     digest that the API names
     */
    public static CanonicalType read(byte[] bytes) {
        JsonNode document = Json.readExact(bytes).root();
        SortedMap<String, JsonNode> schemas = new TreeMap<>();
        for (JsonNode version : document.path("api").path("versions").values()) {
            String name = version.path("name").asString("");
            JsonNode schema = document.path("schemas").path(name);
            String digest = schema.isMissingNode()
                    ? "none"
                    : DefinitionDigests.digest("schema", schema).text();
            String expected = version.path("schema").asString("");
            if (!digest.equals(expected)) {
                throw new UnreadableDocumentException(
                        "the schema of version " + name + " has the digest " + digest + " (expected " + expected + ")");
            }
            schemas.put(name, schema);
        }
        if (schemas.size() != document.path("schemas").size()) {
            throw new UnreadableDocumentException(
                    "schemas of " + document.path("schemas").size() + " versions (expected those of the "
                            + schemas.size() + " served ones)");
        }
        return new CanonicalType(document.path("api"), schemas);
    }

    static CanonicalType of(CanonicalDefinition definition, List<VersionDigest> digests) {
        SortedMap<String, JsonNode> schemas = new TreeMap<>();
        for (CanonicalDefinition.Version version : definition.versions()) {
            if (version.isServed()) {
                schemas.put(version.name(), version.schema());
            }
        }
        return new CanonicalType(definition.api(digests), schemas);
    }

    @Override
    public String toString() {
        return kind() + "." + group();
    }
}
