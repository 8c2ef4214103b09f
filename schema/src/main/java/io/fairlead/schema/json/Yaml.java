package io.fairlead.schema.json;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * YAML texts as the same trees as JSON, read as Kubernetes' tools read them ({@code sigs.k8s.io/yaml}).
 *
 * <p>That is YAML 1.1 where it matters: {@code yes} and {@code on} are true, {@code 0644} is octal, keys become strings,
 * times stay strings. Anchors, aliases and merge keys ({@code <<}) work within bounds; tags other than YAML's own
 * scalars are refused, so nothing but data can come of a text.
 */
public final class Yaml {
    /** How many values all aliases of a stream may stand for. */
    public static final int ALIASED_VALUES_MAX = 100_000;

    private Yaml() {}

    /**
     * The tree of a text with exactly one document.
     *
     * @throws UnreadableDocumentException if it is not YAML in UTF-8, exceeds a bound or has another number of
     *     documents
     */
    public static JsonNode read(byte[] utf8) {
        return readDocument(utf8).root();
    }

    /** {@link #read} together with the keys that occur twice. */
    public static Document readDocument(byte[] utf8) {
        List<Document> documents = readAll(utf8);
        if (documents.size() != 1) {
            throw new UnreadableDocumentException(
                    "invalid YAML: " + documents.size() + " documents, exactly one was expected");
        }
        return documents.getFirst();
    }

    /**
     * The documents of a stream; empty ones are left out.
     *
     * @throws UnreadableDocumentException if it is not YAML in UTF-8 or exceeds a bound
     */
    public static List<Document> readAll(byte[] utf8) {
        return YamlReader.readAll(Utf8.text(utf8, "invalid YAML"), NumberForm.GO);
    }

    /** {@link #readAll} with every number as the decimal that is written ({@code DecimalNode}), never a double. */
    public static List<Document> readAllExact(byte[] utf8) {
        return YamlReader.readAll(Utf8.text(utf8, "invalid YAML"), NumberForm.EXACT);
    }
}
