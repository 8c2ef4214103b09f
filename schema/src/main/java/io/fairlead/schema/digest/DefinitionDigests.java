package io.fairlead.schema.digest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.model.TypeDigest;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The digests of one CustomResourceDefinition, as {@code docs/digests.md} defines them.
 *
 * @param type the form behind {@code api}, with the schemas
 * @param api of what clients and stored objects depend on
 * @param full of the whole {@code spec} except the address of the conversion webhook
 * @param versions each version's schema, in the order of the definition
 * @param notUnderstoodInSchemas where in versions' schemas something is not understood
 * @param notUnderstoodBeside where else something is not understood
 */
public record DefinitionDigests(
        CanonicalType type,
        TypeDigest api,
        TypeDigest full,
        List<VersionDigest> versions,
        List<String> notUnderstoodInSchemas,
        List<String> notUnderstoodBeside) {
    private static final String API_VERSION = "apiextensions.k8s.io/v1";

    public DefinitionDigests {
        versions = List.copyOf(versions);
        notUnderstoodInSchemas = List.copyOf(notUnderstoodInSchemas);
        notUnderstoodBeside = List.copyOf(notUnderstoodBeside);
    }

    /** A version's name and the digest of its schema. */
    public record VersionDigest(String name, TypeDigest schema) {}

    /** Whether a document says that it is a CustomResourceDefinition, of whatever version. */
    public static boolean isDefinition(JsonNode document) {
        return document.path("kind").asString("").equals("CustomResourceDefinition")
                && document.path("apiVersion").asString("").startsWith("apiextensions.k8s.io/");
    }

    /**
     * The digests of a definition whose tree has exact numbers.
     *
     * @throws UnreadableDocumentException naming what is missing or of another form than a definition has
     */
    public static DefinitionDigests of(JsonNode definition) {
        String apiVersion = definition.path("apiVersion").asString("");
        if (!apiVersion.equals(API_VERSION)) {
            throw new UnreadableDocumentException("apiVersion \"" + apiVersion + "\" (expected " + API_VERSION + ")");
        }
        return ofSpec(definition.path("spec"));
    }

    /**
     * The same for the {@code spec} of a definition of that version.
     *
     * @throws UnreadableDocumentException naming what is missing or of another form than a definition has
     */
    public static DefinitionDigests ofSpec(JsonNode spec) {
        CanonicalDefinition canonical = new CanonicalDefinition(spec);
        List<VersionDigest> versions = new ArrayList<>();
        for (CanonicalDefinition.Version version : canonical.versions()) {
            versions.add(new VersionDigest(version.name(), digest("schema", version.schema())));
        }
        CanonicalType type = CanonicalType.of(canonical, versions);
        return new DefinitionDigests(
                type,
                type.digest(),
                digest("full", canonical.full()),
                versions,
                canonical.notUnderstoodInSchemas(),
                canonical.notUnderstoodBeside());
    }

    /** Where anything is not understood, so that the definition's meaning is unknown. */
    public List<String> notUnderstood() {
        return Stream.concat(notUnderstoodBeside.stream(), notUnderstoodInSchemas.stream())
                .toList();
    }

    /** The API group. */
    public String group() {
        return type.group();
    }

    /** The kind. */
    public String kind() {
        return type.kind();
    }

    /** Each sort of digest has a first line of its own, so that none can stand for another. */
    static TypeDigest digest(String sort, JsonNode form) {
        return TypeDigest.of(("fairlead " + sort + " v1\n" + CanonicalJson.text(form)).getBytes(UTF_8));
    }
}
