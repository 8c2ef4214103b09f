package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.Causes;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.AppliedConfiguration;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.Codec;
import io.fairlead.hosted.objects.CreationPermission;
import io.fairlead.hosted.objects.Facet;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.OwnerReferences;
import io.fairlead.hosted.objects.Preconditions;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.Work;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Create, update and patch: from a body's bytes to the desired object. */
final class Writes {
    private final ObjectWriter writer;
    private final ResourceEndpoint.Views views;
    private final ResourceEndpoint.Rights rights;
    private final Bodies bodies;

    Writes(ObjectWriter writer, ResourceEndpoint.Views views, ResourceEndpoint.Rights rights, Bodies bodies) {
        this.writer = writer;
        this.views = views;
        this.rights = rights;
        this.bodies = bodies;
    }

    ApiResponse create(ApiRequest request, Addressed place, Warnings warnings, Work work) {
        work.creates(place.resource().codec());
        ServedResource resource = place.resource();
        Representation representation = views.choose(request, resource.type(), false);
        WriteOptions options = WriteOptions.of(request, "CreateOptions");
        Bodies.Body body = bodies.object(request, resource.codec().goType() != null);
        Facet facet = Facet.of(resource, "");
        ObjectNode object = decode(facet, options, warnings, body.object(), body.problems());
        OwnerReferences.dropEqual(object, warnings::add);
        if (!place.name().isEmpty()) {
            // kube-apiserver ignores the name in a custom resource's path; the right to create was checked for it only.
            checkIdentity(place, facet.type(), object);
        } else if (resource.type().custom()) {
            requireNoOtherNamespace(place, object);
            requireKind(resource.type(), object);
        }
        ObjectNode created = writer.create(
                caller(request, options, warnings, work),
                resource,
                place.namespace(),
                facet.wanted(object, Json.object()));
        return answer(201, representation, facet.shown(created), warnings);
    }

    ApiResponse update(ApiRequest request, Addressed place, Warnings warnings, Work work) {
        ServedResource resource = place.resource();
        Facet facet = Facet.of(resource, request.info().subresource());
        Representation representation = views.choose(request, facet.type(), false);
        WriteOptions options = WriteOptions.of(request, "UpdateOptions");
        Bodies.Body body = bodies.object(request, facet.codec().goType() != null);
        ObjectNode object = decode(facet, options, warnings, body.object(), body.problems());
        OwnerReferences.dropEqual(object, warnings::add);
        checkIdentity(place, facet.type(), object);
        ObjectWriter.Updated updated = writer.updateOrCreate(
                caller(request, options, warnings, work),
                resource,
                place.namespace(),
                place.name(),
                request.info().subresource(),
                stored -> facet.wanted(object.deepCopy(), stored),
                permissionToCreate(request));
        return answer(updated.created() ? 201 : 200, representation, facet.shown(updated.object()), warnings);
    }

    ApiResponse patch(ApiRequest request, Addressed place, Warnings warnings, Work work) {
        if (Bodies.mediaType(request).equals(Patches.APPLY)) {
            return apply(request, place, warnings, work);
        }
        ServedResource resource = place.resource();
        Facet facet = Facet.of(resource, request.info().subresource());
        Representation representation = views.choose(request, facet.type(), false);
        Supplier<Patches> patch = Patches.of(request, resource, bodies);
        WriteOptions options = WriteOptions.of(request, "PatchOptions");
        if (request.parameter("force") != null) {
            throw Refusals.invalidOptions(
                    "PatchOptions", Causes.forbidden("force", "may not be specified for non-apply patch"));
        }
        ObjectWriter.Updated updated = writer.update(
                caller(request, options, warnings, work),
                resource,
                place.namespace(),
                place.name(),
                request.info().subresource(),
                stored -> {
                    ObjectNode object = patched(patch.get(), facet.changeable(stored), facet, options, warnings);
                    checkIdentity(place, facet.type(), object);
                    Preconditions.ofPatch(resource, facet.type(), stored, object);
                    return facet.wanted(object, stored);
                });
        return answer(200, representation, facet.shown(updated.object()), warnings);
    }

    /** Server-side apply. */
    private ApiResponse apply(ApiRequest request, Addressed place, Warnings warnings, Work work) {
        ServedResource resource = place.resource();
        String subresource = request.info().subresource();
        Facet facet = Facet.of(resource, subresource);
        Representation representation = views.choose(request, facet.type(), false);
        WriteOptions options = WriteOptions.ofApply(request);
        Bodies.Body body = bodies.configuration(request);
        ObjectNode sent = body.object();
        if (resource.type().namespaced()) {
            requireNoOtherNamespace(place, sent);
        }
        Runnable checks = () -> {
            validate(options, warnings, body.problems(), problems -> "error strict decoding YAML: " + problems);
            requireNoOtherName(place, sent);
        };
        ObjectWriter.Updated updated = writer.apply(
                caller(request, options, warnings, work),
                resource,
                place.namespace(),
                place.name(),
                subresource,
                new AppliedConfiguration(sent, WriteOptions.force(request), checks),
                permissionToCreate(request));
        return answer(updated.created() ? 201 : 200, representation, facet.shown(updated.object()), warnings);
    }

    /**
     * Replacing a missing object creates it, which the right to update does not cover (apiserver
     * {@code withAuthorization}).
     */
    private CreationPermission permissionToCreate(ApiRequest request) {
        RequestInfo creation = request.info().withVerb("create");
        Consumer<RequestInfo> check = request.creationCheck();
        return check == null
                ? CreationPermission.known(() -> requireCreate(request, creation))
                : CreationPermission.asked(() -> check.accept(creation));
    }

    private void requireCreate(ApiRequest request, RequestInfo creation) {
        switch (rights.decide(request.user(), creation)) {
            case Decision.Allowed _ -> {}
            case Decision.Denied(String reason) ->
                throw new StatusException(Status.forbidden(request.user(), creation, reason));
        }
    }

    private static ObjectNode patched(
            Patches patch, ObjectNode stored, Facet facet, WriteOptions options, Warnings warnings) {
        ObjectNode wanted = patch.change().apply(stored);
        try {
            checkType(facet, wanted);
            Codec codec = facet.codec();
            Codec.Decoded decoded = patch.converts() ? codec.convert(wanted) : codec.decode(wanted);
            return validated(facet, options, warnings, wanted, decoded, patch.problems());
        } catch (StatusException e) {
            throw patch.refusal().of(e, wanted, stored);
        }
    }

    private static ObjectNode decode(
            Facet facet, WriteOptions options, Warnings warnings, ObjectNode sent, List<String> textProblems) {
        checkType(facet, sent);
        return validated(facet, options, warnings, sent, facet.codec().decode(sent), textProblems);
    }

    private static ObjectNode validated(
            Facet facet,
            WriteOptions options,
            Warnings warnings,
            ObjectNode sent,
            Codec.Decoded decoded,
            List<String> textProblems) {
        Set<String> problems = new LinkedHashSet<>(decoded.unknownFields());
        problems.addAll(textProblems);
        ResourceType type = facet.type();
        validate(
                options,
                warnings,
                problems,
                all -> type.kind() + " in version \"" + type.version() + "\" cannot be handled as a " + type.kind()
                        + ": strict decoding error: " + all);
        JsonNode managers = sent.path("metadata").path("managedFields");
        if (facet.codec().goType() != null && managers.isArray() && managers.isEmpty()) {
            // Decoding drops what is empty; in a struct that is a request to forget all managers.
            Meta.of(decoded.object()).putArray("managedFields");
        }
        return decoded.object();
    }

    /** Warns of unknown and doubled fields, or refuses them, as the request wants it. */
    static void validate(
            WriteOptions options, Warnings warnings, Collection<String> problems, UnaryOperator<String> refusal) {
        if (!problems.isEmpty()) {
            switch (options.fieldValidation()) {
                case IGNORE -> {}
                case WARN -> problems.forEach(warnings::add);
                case STRICT -> throw Refusals.badRequest(refusal.apply(String.join(", ", problems)));
            }
        }
    }

    /** Kinds that are Go structs may be sent without kind. */
    private static void checkType(Facet facet, ObjectNode sent) {
        ResourceType type = facet.type();
        String expected = type.groupVersion().apiVersion();
        if (!facet.codec().itemsNameKind()) {
            putUnlessThere(sent, "apiVersion", expected);
            putUnlessThere(sent, "kind", type.kind());
        }
        String kind = text(sent, "kind");
        String apiVersion = text(sent, "apiVersion");
        if (kind.isEmpty()) {
            throw Refusals.badRequest(
                    "Object 'Kind' is missing in the body (expected " + expected + ", " + type.kind() + ")");
        }
        if (!apiVersion.equals(expected)) {
            throw Refusals.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + expected + ")");
        }
        if (!kind.equals(type.kind()) && !type.custom()) {
            throw Refusals.badRequest(kind + " in version \"" + type.version() + "\" cannot be handled as a "
                    + type.kind() + ": the kind in the data does not match the expected kind");
        }
    }

    /** Refuses a custom resource of another kind, which is looked at once it is decoded (apiextensions-apiserver {@code ValidateTypeMeta}). */
    private static void requireKind(ResourceType type, ObjectNode object) {
        String kind = text(object, "kind");
        if (type.custom() && !kind.equals(type.kind())) {
            throw Refusals.invalid(
                    type.group(),
                    kind,
                    Meta.name(object),
                    List.of(Causes.invalid("kind", kind, "must be " + type.kind())));
        }
    }

    private static void putUnlessThere(ObjectNode object, String member, String value) {
        JsonNode there = object.path(member);
        if (there.isMissingNode()
                || there.isNull()
                || (there.isString() && there.stringValue().isEmpty())) {
            object.put(member, value);
        }
    }

    private static String text(ObjectNode object, String member) {
        return object.path(member).isString() ? object.path(member).stringValue() : "";
    }

    /** Refuses another namespace or name than that of the path (apiserver {@code handlers/update.go}); sets the namespace where none is given. */
    private static void checkIdentity(Addressed place, ResourceType type, ObjectNode object) {
        requireNoOtherNamespace(place, object);
        Preconditions.requireName(place.name(), object);
        requireNoOtherName(place, object);
        requireKind(type, object);
        if (place.resource().type().namespaced()) {
            Meta.of(object).put("namespace", place.namespace());
        }
    }

    private static void requireNoOtherName(Addressed place, ObjectNode object) {
        String name = place.name();
        String named = Meta.name(object);
        if (!named.isEmpty() && !named.equals(name)) {
            throw Refusals.badRequest(
                    "the name of the object (" + named + ") does not match the name on the URL (" + name + ")");
        }
    }

    static void requireNoOtherNamespace(Addressed place, ObjectNode object) {
        if (!place.resource().type().namespaced()) {
            Meta.of(object).remove("namespace"); // of what has none
            return;
        }
        String namespace = place.namespace();
        String given = Meta.namespace(object);
        if (!given.isEmpty() && !given.equals(namespace)) {
            throw Refusals.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    private static Caller caller(ApiRequest request, WriteOptions options, Warnings warnings, Work work) {
        return new Caller(
                request.user(), request.isUserEverywhere(), options.dryRun(), options.manager(), warnings::add, work);
    }

    private static ApiResponse answer(int code, Representation representation, ObjectNode object, Warnings warnings) {
        return new ApiResponse.Whole(
                code,
                representation.contentType(),
                warnings.headers(),
                representation.encode(representation.object(object)));
    }
}
