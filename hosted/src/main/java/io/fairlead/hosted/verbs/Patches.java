package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.DuplicateField;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.JsonPatch;
import io.fairlead.schema.json.MergePatch;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.StrategicMergePatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A patch of a stored object.
 *
 * @param change computes the patched object from the stored one, which is not changed
 * @param problems the findings of field validation in the patch itself
 * @param converts whether the patched object becomes one of its Go type by conversion, and not as a text that is decoded
 * @param refusal maps a refusal of the patched object
 */
record Patches(UnaryOperator<ObjectNode> change, List<String> problems, boolean converts, Refusal refusal) {
    static final String JSON_PATCH = "application/json-patch+json";
    static final String MERGE_PATCH = "application/merge-patch+json";
    static final String APPLY = "application/apply-patch+yaml";
    static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

    /** What is said of a patch whose result is refused. */
    @FunctionalInterface
    interface Refusal {
        StatusException of(StatusException refused, ObjectNode patched, ObjectNode stored);
    }

    /**
     * The patch in a request's body, by its media type. It is parsed at its first use, by one thread: a patch of a
     * missing object is a 404 whatever its content, as in kube-apiserver.
     *
     * @throws StatusException 415 for another media type, 413 for a body beyond the limit
     */
    static Supplier<Patches> of(ApiRequest request, ServedResource resource, Bodies bodies) {
        requireServed(request, resource);
        String mediaType = Bodies.mediaType(request);
        Struct type = resource.codec().goType();
        bodies.requireSize(request.body());
        return new Supplier<>() {
            private @Nullable Patches read;

            @Override
            public Patches get() {
                Patches known = read;
                if (known == null) {
                    known = read(bodies.document(request.body(), false), mediaType, type);
                    read = known;
                }
                return known;
            }
        };
    }

    /**
     * Refuses another media type than those of patches of the kind.
     *
     * @throws StatusException 415
     */
    static void requireServed(ApiRequest request, ServedResource resource) {
        boolean isStruct = resource.codec().goType() != null;
        List<String> served = isStruct
                ? List.of(JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY)
                : List.of(JSON_PATCH, MERGE_PATCH, APPLY);
        if (!served.contains(Bodies.mediaType(request))) {
            throw isStruct ? Refusals.unsupportedMediaType() : Refusals.unsupportedMediaType(served);
        }
    }

    private static Patches read(Document document, String mediaType, @Nullable Struct type) {
        List<String> problems = new ArrayList<>(
                document.duplicates().stream().map(DuplicateField::message).toList());
        if (mediaType.equals(JSON_PATCH)) {
            JsonPatch patch = JsonPatch.of(document.root());
            problems.addAll(patch.unknownFields());
            return new Patches(
                    stored -> object(patch, (ObjectNode) PatchedText.inOrder(type, stored)),
                    problems,
                    false,
                    (refused, patched, stored) -> unfitting(
                            refused, () -> GoText.jsonAsIs(patch.written(PatchedText.inOrder(type, stored)))));
        }
        return type != null && mediaType.equals(STRATEGIC_MERGE_PATCH)
                ? new Patches(
                        stored -> named(StrategicMergePatch.apply(type, stored, members(document)), stored),
                        problems,
                        true,
                        (refused, patched, stored) -> unfitting(refused, () -> GoText.plain(document.root())))
                : new Patches(
                        stored -> MergePatch.apply(stored, document.root()),
                        problems,
                        false,
                        (refused, patched, stored) ->
                                unfitting(refused, () -> PatchedText.merged(type, patched, document.root())));
    }

    /** The members of a strategic merge patch; {@code null} has none, as Go reads it into a map. */
    private static JsonNode members(Document patch) {
        return patch.root().isNull() ? Json.object() : patch.root();
    }

    private static ObjectNode object(JsonPatch patch, ObjectNode stored) {
        if (patch.apply(stored) instanceof ObjectNode patched) {
            return patched;
        }
        throw Refusals.badRequest("the patch leaves no object");
    }

    /** The kind in a strategic merge patch is ignored: the struct's kind is kept. */
    private static ObjectNode named(ObjectNode patched, ObjectNode stored) {
        patched.set("kind", stored.get("kind"));
        patched.set("apiVersion", stored.get("apiVersion"));
        return patched;
    }

    /** A patch that results in another type is reported as an invalid field {@code patch}. */
    private static StatusException unfitting(StatusException refused, Supplier<String> shown) {
        if (refused.status().code() != 400) {
            return refused;
        }
        String message = refused.status().message();
        int reason = message.indexOf(": ");
        String detail = reason < 0 ? message : message.substring(reason + 2);
        Status.Cause cause = Causes.invalid("patch", shown.get(), detail);
        return Refusals.invalid("", "", "", List.of(cause));
    }
}
