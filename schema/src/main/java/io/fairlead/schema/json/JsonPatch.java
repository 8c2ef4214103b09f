package io.fairlead.schema.json;

import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A JSON patch (RFC 6902) with the liberties of the library behind kube-apiserver (evanphx/json-patch v4).
 *
 * <p>These are: {@code replace} of a missing member adds it, {@code test} takes a missing member for null, {@code copy} of
 * a missing member copies null, a negative index counts from the end, and the whole document can only be the path of
 * {@code test} and {@code replace}.
 */
public final class JsonPatch {
    /** How many operations a patch may have. */
    public static final int OPERATIONS_MAX = 10_000;

    /** How many bytes of JSON the {@code copy} operations of a patch may copy in all. */
    public static final int COPIED_BYTES_MAX = 3 * 1024 * 1024;

    private static final Set<String> MEMBERS = Set.of("op", "path", "from", "value");

    private final List<ObjectNode> operations;

    private JsonPatch(List<ObjectNode> operations) {
        this.operations = operations;
    }

    /**
     * The patch of a document.
     *
     * @throws StatusException 400 if it is not an array of operations; 413 if it has more than {@link #OPERATIONS_MAX}
     */
    public static JsonPatch of(JsonNode document) {
        if (document.isNull()) {
            return new JsonPatch(List.of());
        }
        if (!(document instanceof ArrayNode array)) {
            throw undecodable("a JSON patch is an array of operations");
        }
        if (array.size() > OPERATIONS_MAX) {
            throw new StatusException(Status.of(
                    413,
                    "RequestEntityTooLarge",
                    "The allowed maximum operations in a JSON patch is " + OPERATIONS_MAX + ", got " + array.size()));
        }
        List<ObjectNode> operations = new ArrayList<>(array.size());
        for (JsonNode element : array) {
            operations.add(operation(element, operations.size()));
        }
        return new JsonPatch(operations);
    }

    private static ObjectNode operation(JsonNode element, int index) {
        if (!(element instanceof ObjectNode operation)) {
            throw undecodable("[" + index + "] is not an object");
        }
        for (String name : List.of("op", "path", "from")) {
            JsonNode value = operation.get(name);
            if (value != null && !value.isString()) {
                throw undecodable("[" + index + "]." + name + " is not a string");
            }
        }
        return operation;
    }

    private static StatusException undecodable(String problem) {
        return new StatusException(Status.badRequest("error decoding patch: " + problem));
    }

    /** The unknown members of operations, in field validation's words ({@code json patch unknown field "[0].x"}). */
    public List<String> unknownFields() {
        List<String> unknown = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            for (String name : operations.get(i).propertyNames()) {
                if (!MEMBERS.contains(name) && unknown.size() < Document.DUPLICATES_MAX) {
                    unknown.add("json patch unknown field \"[" + i + "]." + name + "\"");
                }
            }
        }
        return unknown;
    }

    /**
     * The target after all operations; it is not changed itself.
     *
     * @throws StatusException 422 if an operation does not apply or the document becomes deeper than {@link Json#DEPTH_MAX}, 413 if copies exceed {@link #COPIED_BYTES_MAX}
     */
    public JsonNode apply(JsonNode target) {
        return patched(target).root();
    }

    /**
     * The same as github.com/evanphx/json-patch writes it: the members of what operations led into by name, all others in the order of
     * the target.
     */
    public JsonNode written(JsonNode target) {
        return patched(target).written();
    }

    private PatchedDocument patched(JsonNode target) {
        PatchedDocument document = new PatchedDocument(target.deepCopy());
        for (int i = 0; i < operations.size(); i++) {
            document.apply(i, operations.get(i));
        }
        document.requireReadable();
        return document;
    }
}
