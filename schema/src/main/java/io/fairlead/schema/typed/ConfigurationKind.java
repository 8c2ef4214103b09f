package io.fairlead.schema.typed;

import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.json.Yaml;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** A kind of the files of configuration that kube-apiserver reads, which no API server serves. Immutable. */
public final class ConfigurationKind {
    private static final String METADATA = "meta/v1.ObjectMeta";

    private static final Map<String, Struct> TYPES = ApiTypes.read(
                    "configuration-types.txt", Map.of(METADATA, ApiTypes.named(METADATA)))
            .structs();

    /** That of {@code --authentication-config}. */
    public static final ConfigurationKind AUTHENTICATION = new ConfigurationKind(
            "apiserver.config.k8s.io",
            List.of("v1", "v1beta1", "v1alpha1"),
            "AuthenticationConfiguration",
            "apiserver/v1.AuthenticationConfiguration");

    /** That of {@code --audit-policy-file}. */
    public static final ConfigurationKind AUDIT_POLICY =
            new ConfigurationKind("audit.k8s.io", List.of("v1"), "Policy", "audit/v1.Policy");

    private final List<String> apiVersions;
    private final String kind;
    private final Struct type;

    /** @param versions the first one is the one to write */
    private ConfigurationKind(String group, List<String> versions, String kind, String type) {
        this.apiVersions =
                versions.stream().map(version -> group + "/" + version).toList();
        this.kind = kind;
        this.type = Objects.requireNonNull(TYPES.get(type));
    }

    /**
     * Reads a file of this kind, in which nothing is unknown and nothing stands twice: what is spelt wrong would be left out
     * without a word.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public JsonNode read(byte[] yaml) {
        Document document;
        try {
            document = Yaml.readDocument(yaml);
        } catch (UnreadableDocumentException unreadable) {
            throw new IllegalArgumentException(String.valueOf(unreadable.getMessage()), unreadable);
        }
        JsonNode tree = document.root();
        String apiVersion = tree.path("apiVersion").asString("");
        String given = tree.path("kind").asString("");
        if (!apiVersions.contains(apiVersion) || !given.equals(kind)) {
            throw new IllegalArgumentException("apiVersion \"" + apiVersion + "\", kind \"" + given + "\" (expected "
                    + apiVersions.getFirst() + ", " + kind + ")");
        }
        TypedDecoder.Decoded decoded = TypedDecoder.decode(type, tree, "", false);
        if (decoded.problem() != null) {
            throw new IllegalArgumentException(decoded.problem());
        }
        if (!decoded.unknownFields().isEmpty()) {
            throw new IllegalArgumentException(
                    "unknown field \"" + decoded.unknownFields().getFirst() + "\"");
        }
        if (!document.duplicates().isEmpty()) {
            throw new IllegalArgumentException(document.duplicates().getFirst().message());
        }
        return decoded.tree();
    }
}
