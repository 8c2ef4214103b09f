package io.fairlead.hosted.serve;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.Representation;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.object.Causes;
import io.fairlead.hosted.object.Meta;
import io.fairlead.hosted.object.Refusals;
import io.fairlead.schema.json.Document;
import io.fairlead.schema.json.DuplicateField;
import io.fairlead.schema.json.JsonPatch;
import io.fairlead.schema.json.MergePatch;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** Create, update and patch: from the bytes of a body to the object that is wanted. */
final class Writes {
    static final String JSON_PATCH = "application/json-patch+json";
    static final String MERGE_PATCH = "application/merge-patch+json";

    private final ObjectWriter writer;
    private final ResourceEndpoint.Views views;
    private final Bodies bodies;

    Writes(ObjectWriter writer, ResourceEndpoint.Views views, Bodies bodies) {
        this.writer = writer;
        this.views = views;
        this.bodies = bodies;
    }

    ApiResponse create(ApiRequest request, ServedResource resource, Warnings warnings) {
        if (!request.info().name().isEmpty()) {
            throw Refusals.methodNotAllowed(resource.groupResource(), "create");
        }
        Representation representation = views.choose(request, resource.type(), false);
        WriteOptions options = WriteOptions.of(request, "CreateOptions");
        Bodies.Body body = bodies.object(request);
        ObjectNode object = decode(resource, options, warnings, body.object(), body.problems());
        ObjectNode created =
                writer.create(caller(request, options, warnings), resource, namespace(request, resource), object);
        return answer(201, representation, created, warnings);
    }

    ApiResponse update(ApiRequest request, ServedResource resource, Warnings warnings) {
        Representation representation = views.choose(request, resource.type(), false);
        WriteOptions options = WriteOptions.of(request, "UpdateOptions");
        Bodies.Body body = bodies.object(request);
        ObjectNode object = decode(resource, options, warnings, body.object(), body.problems());
        checkIdentity(request, resource, object);
        return change(request, resource, representation, options, warnings, stored -> object.deepCopy());
    }

    ApiResponse patch(ApiRequest request, ServedResource resource, Warnings warnings) {
        Representation representation = views.choose(request, resource.type(), false);
        WriteOptions options = WriteOptions.of(request, "PatchOptions");
        List<String> problems = new ArrayList<>();
        UnaryOperator<ObjectNode> patch = patchOf(request, problems);
        if (request.parameter("force") != null) {
            throw Refusals.invalidOptions(
                    "PatchOptions", Causes.forbidden("force", "may not be specified for non-apply patch"));
        }
        return change(request, resource, representation, options, warnings, stored -> {
            ObjectNode object = decode(resource, options, warnings, patch.apply(stored), problems);
            checkIdentity(request, resource, object);
            return object;
        });
    }

    private ApiResponse change(
            ApiRequest request,
            ServedResource resource,
            Representation representation,
            WriteOptions options,
            Warnings warnings,
            ObjectWriter.Change change) {
        ObjectWriter.Updated updated = writer.update(
                caller(request, options, warnings),
                resource,
                namespace(request, resource),
                request.info().name(),
                request.info().subresource(),
                change);
        return answer(updated.created() ? 201 : 200, representation, updated.object(), warnings);
    }

    private UnaryOperator<ObjectNode> patchOf(ApiRequest request, List<String> problems) {
        String type = Bodies.mediaType(request);
        if (!type.equals(JSON_PATCH) && !type.equals(MERGE_PATCH)) {
            throw Refusals.unsupportedMediaType(List.of(JSON_PATCH, MERGE_PATCH));
        }
        Document document = bodies.document(request.body(), false);
        document.duplicates().stream().map(DuplicateField::message).forEach(problems::add);
        if (type.equals(MERGE_PATCH)) {
            return stored -> MergePatch.apply(stored, document.root());
        }
        JsonPatch patch = JsonPatch.of(document.root());
        problems.addAll(patch.unknownFields());
        return stored -> {
            if (patch.apply(stored) instanceof ObjectNode patched) {
                return patched;
            }
            throw Refusals.badRequest("the patch leaves no object");
        };
    }

    private static ObjectNode decode(
            ServedResource resource,
            WriteOptions options,
            Warnings warnings,
            ObjectNode sent,
            List<String> textProblems) {
        checkType(resource, sent);
        Codec.Decoded decoded = resource.codec().decode(sent);
        Set<String> problems = new LinkedHashSet<>(decoded.unknownFields());
        problems.addAll(textProblems);
        if (!problems.isEmpty()) {
            switch (options.fieldValidation()) {
                case IGNORE -> {}
                case WARN -> problems.forEach(warnings::add);
                case STRICT -> throw strict(resource, problems);
            }
        }
        return decoded.object();
    }

    private static RuntimeException strict(ServedResource resource, Set<String> problems) {
        ResourceType type = resource.type();
        return Refusals.badRequest(type.kind() + " in version \"" + type.version() + "\" cannot be handled as a "
                + type.kind() + ": strict decoding error: " + String.join(", ", problems));
    }

    /** Kinds that Go knows as structs may be sent without naming themselves. */
    private static void checkType(ServedResource resource, ObjectNode sent) {
        ResourceType type = resource.type();
        String expected = type.groupVersion().apiVersion();
        if (!resource.codec().itemsNameKind()) {
            sent.putIfAbsent("apiVersion", sent.stringNode(expected));
            sent.putIfAbsent("kind", sent.stringNode(type.kind()));
        }
        String kind = text(sent, "kind");
        String apiVersion = text(sent, "apiVersion");
        if (kind.isEmpty() || apiVersion.isEmpty()) {
            throw Refusals.badRequest("Object '" + (kind.isEmpty() ? "Kind" : "apiVersion")
                    + "' is missing in the body (expected " + expected + ", " + type.kind() + ")");
        }
        if (!apiVersion.equals(expected)) {
            throw Refusals.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + expected + ")");
        }
        if (!kind.equals(type.kind())) {
            throw Refusals.badRequest(kind + " in version \"" + type.version() + "\" cannot be handled as a "
                    + type.kind() + ": the kind in the data does not match the expected kind");
        }
    }

    private static String text(ObjectNode object, String member) {
        return object.path(member).isString() ? object.path(member).stringValue() : "";
    }

    private static void checkIdentity(ApiRequest request, ServedResource resource, ObjectNode object) {
        String name = request.info().name();
        if (Meta.name(object).isEmpty()) {
            throw Refusals.badRequest(
                    "the name of the object (" + name + " based on URL) was undeterminable: name must be provided");
        }
        if (!Meta.name(object).equals(name)) {
            throw Refusals.badRequest("the name of the object (" + Meta.name(object)
                    + ") does not match the name on the URL (" + name + ")");
        }
        if (!resource.type().namespaced()) {
            Meta.of(object).remove("namespace");
            return;
        }
        String namespace = request.info().namespace();
        String given = Meta.namespace(object);
        if (!given.isEmpty() && !given.equals(namespace)) {
            throw Refusals.badRequest("the namespace of the object (" + given
                    + ") does not match the namespace on the request (" + namespace + ")");
        }
        Meta.of(object).put("namespace", namespace);
    }

    private static Caller caller(ApiRequest request, WriteOptions options, Warnings warnings) {
        return new Caller(request.user(), options.dryRun(), warnings::add);
    }

    private static String namespace(ApiRequest request, ServedResource resource) {
        return resource.type().namespaced() ? request.info().namespace() : "";
    }

    private static ApiResponse answer(int code, Representation representation, ObjectNode object, Warnings warnings) {
        return new ApiResponse.Whole(
                code,
                representation.contentType(),
                warnings.headers(),
                representation.encode(representation.object(object)));
    }
}
