package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.meta.FieldSelector;
import io.fairlead.hosted.meta.LabelSelector;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.meta.StatusObjects;
import io.fairlead.hosted.objects.Caller;
import io.fairlead.hosted.objects.Facet;
import io.fairlead.hosted.objects.ObjectWriter;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.Work;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.hosted.representation.Representations;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CompactedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The verbs of stored resources.
 *
 * <p>Threads: any; each request on one virtual thread.
 */
public final class ResourceEndpoint {
    /** Smaller objects are bounded only by the number of concurrent calls. */
    private static final int HELD_ABOVE_BYTES = 64 * 1024;

    private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete");

    private final AnswerShare share;
    private final ObjectLists lists;
    private final ObjectWriter writer;
    private final Watches watches;
    private final Views views;
    private final HostedSettings settings;
    private final Bodies bodies;
    private final Writes writes;
    private final Evictions evictions;
    private final PodLogs logs;

    /** Chooses the form of the objects in an answer. */
    @FunctionalInterface
    public interface Views {
        Representation choose(ApiRequest request, ResourceType type, boolean watch);
    }

    /** Whether a caller may do what its request amounts to, beyond what its verb requires. */
    @FunctionalInterface
    public interface Rights {
        Decision decide(UserInfo user, RequestInfo asked);
    }

    public ResourceEndpoint(
            RevisionedStore store,
            ObjectWriter writer,
            Watches watches,
            Views views,
            Rights rights,
            HostedSettings settings,
            AnswerShare share,
            Evictions evictions,
            PodLogs logs) {
        this.share = share;
        this.evictions = evictions;
        this.logs = logs;
        this.lists = new ObjectLists(store, settings);
        this.writer = writer;
        this.watches = watches;
        this.views = views;
        this.settings = settings;
        this.bodies = new Bodies(settings.bodyBytesMax());
        this.writes = new Writes(writer, views, rights, bodies);
    }

    /**
     * Answers a request.
     *
     * @param stillServed whether the resource is still served as when the request was routed
     * @throws io.fairlead.model.StatusException to refuse it
     */
    public ApiResponse serve(ApiRequest request, ServedResource resource, BooleanSupplier stillServed)
            throws InterruptedException {
        Warnings warnings = new Warnings();
        try {
            Addressed place = Addressed.of(request, resource, () -> reach(request, resource, warnings));
            Work work = share.work(request.caller());
            ApiResponse answer = null;
            try {
                answer = kept(request, serve(request, place, stillServed, warnings, work), work);
                return answer;
            } finally {
                if (!(answer
                        instanceof ApiResponse.Pieces(int _, String _, Map<String, List<String>> _, HeldAnswer _))) {
                    work.close();
                }
            }
        } catch (StatusException e) {
            if (warnings.isEmpty()) {
                throw e;
            }
            return Representations.failure(request, e.status(), warnings.headers());
        }
    }

    /** Media types of built-in kinds are judged by go-restful, before the kind's handler, which warns ({@code endpoints/warning.go}). */
    private static void reach(ApiRequest request, ServedResource resource, Warnings warnings) {
        if (!resource.type().custom()) {
            if (request.info().verb().equals("patch")) {
                Patches.requireServed(request, resource);
            }
            if (!request.info().subresource().equals(PodLogs.SUBRESOURCE)) { // which is a text
                Representations.requireServed(request, resource.type());
            }
        }
        warnings.addIfAny(resource.deprecation());
    }

    /** A large answer to a write is counted until it is written, as others are. */
    private ApiResponse kept(ApiRequest request, ApiResponse answer, Work work) {
        boolean isWrite = WRITES.contains(request.info().verb());
        if (!isWrite || !(answer instanceof ApiResponse.Whole whole) || !isHeld(request, whole.body().length)) {
            return answer;
        }
        return new ApiResponse.Pieces(
                whole.status(),
                whole.contentType(),
                whole.headers(),
                new HeldAnswer(whole.body(), share.hold(request.caller()), work));
    }

    private static boolean isHeld(ApiRequest request, int bytes) {
        return bytes > HELD_ABOVE_BYTES && !request.method().equals("HEAD");
    }

    private ApiResponse serve(
            ApiRequest request, Addressed place, BooleanSupplier stillServed, Warnings warnings, Work work)
            throws InterruptedException {
        Bodies.makeRoom(work, request);
        RequestInfo info = request.info();
        return switch (info.verb()) {
            case "get" ->
                info.subresource().equals(PodLogs.SUBRESOURCE)
                        ? logs.get(request, place, warnings, work)
                        : get(request, place, warnings, work);
            case "list" -> list(request, place, warnings);
            case "watch" -> watch(request, place, stillServed, warnings);
            case "create" ->
                info.subresource().equals(Evictions.SUBRESOURCE)
                        ? evict(request, place, warnings, work)
                        : writes.create(request, place, warnings, work);
            case "update" -> writes.update(request, place, warnings, work);
            case "patch" -> writes.patch(request, place, warnings, work);
            case "delete" -> delete(request, place, warnings, work);
            case "deletecollection" -> deleteCollection(request, place, warnings, work);
            default -> throw Refusals.methodNotAllowed(place.resource().groupResource(), info.verb());
        };
    }

    private ApiResponse get(ApiRequest request, Addressed place, Warnings warnings, Work work)
            throws InterruptedException {
        Facet facet = Facet.of(place.resource(), request.info().subresource());
        Representation representation = views.choose(request, facet.type(), false);
        ReadVersion version = ReadVersion.ofGet(request);
        HeldObject object = new HeldObject(
                () -> representation.encode(representation.object(facet.shown(lists.get(place, version, work)))), work);
        Representations.requireMatching(facet.type(), false, representation);
        if (!isHeld(request, object.whole().length)) {
            return new ApiResponse.Whole(200, representation.contentType(), warnings.headers(), object.whole());
        }
        object.awaitRoom(share.hold(request.caller()));
        return new ApiResponse.Pieces(200, representation.contentType(), warnings.headers(), object);
    }

    private ApiResponse list(ApiRequest request, Addressed place, Warnings warnings) throws InterruptedException {
        ServedResource resource = place.resource();
        Representations.requireServed(request, resource.type());
        int limit = limit(request);
        Selection selection = selection(request, place);
        Representation representation = views.choose(request, resource.type(), false);
        ReadVersion version = ReadVersion.ofList(request, limit > 0);
        ContinueToken token = ContinueToken.parse(ReadVersion.parameter(request, "continue"));
        try {
            long revision = lists.revisionOf(version, token);
            Representations.requireMatching(resource.type(), true, representation);
            return list(request, place, representation, selection, limit, revision, token, warnings);
        } catch (CompactedException e) {
            return token == null ? tooOld() : tokenTooOld(token, representation);
        }
    }

    /** A list; in one piece if it is small. */
    private ApiResponse list(
            ApiRequest request,
            Addressed place,
            Representation representation,
            Selection selection,
            int limit,
            long revision,
            @Nullable ContinueToken token,
            Warnings warnings)
            throws InterruptedException {
        ServedResource resource = place.resource();
        ResourceType type = resource.type();
        ListStream list = lists.list(
                place,
                selection,
                limit,
                revision,
                token,
                representation.list(
                        type.groupVersion().apiVersion(),
                        type.listKind(),
                        resource.codec().itemsNameKind()),
                share.hold(request.caller()));
        boolean streams = false;
        try {
            byte[] whole = list.begin();
            streams = whole == null;
            return whole == null
                    ? new ApiResponse.Pieces(200, representation.contentType(), warnings.headers(), list)
                    : new ApiResponse.Whole(200, representation.contentType(), warnings.headers(), whole);
        } finally {
            if (!streams) {
                list.close();
            }
        }
    }

    private ApiResponse watch(ApiRequest request, Addressed place, BooleanSupplier stillServed, Warnings warnings)
            throws InterruptedException {
        ServedResource resource = place.resource();
        Representation representation = views.choose(request, resource.type(), true);
        Selection selection = Selection.of(request, place, labels(request));
        WatchOptions options = WatchOptions.of(request, settings);
        ApiResponse.Frames frames =
                watches.open(resource, selection, representation, options, stillServed, share.hold(request.caller()));
        return new ApiResponse.Stream(200, representation.contentType(), warnings.headers(), frames);
    }

    private ApiResponse evict(ApiRequest request, Addressed place, Warnings warnings, Work work) {
        Representation representation = views.choose(request, place.resource().type(), false);
        ObjectNode status = evictions.create(request, place, bodies, warnings, work);
        return answer(201, representation, representation.object(status), warnings);
    }

    private ApiResponse delete(ApiRequest request, Addressed place, Warnings warnings, Work work) {
        ServedResource resource = place.resource();
        Representation representation = views.choose(request, resource.type(), false);
        Deletion deletion = Deletion.of(request, bodies);
        RequestInfo info = request.info();
        ObjectWriter.Deleted deleted = writer.delete(
                new Caller(
                        request.user(),
                        request.isUserEverywhere(),
                        deletion.dryRun(),
                        WriteOptions.managerOf(request),
                        warnings::add,
                        work),
                resource,
                place.namespace(),
                place.name(),
                deletion.options());
        if (deleted.gone() && resource.rules().answersDeleted()) {
            return answer(200, representation, representation.object(deleted.object()), warnings);
        }
        if (!deleted.gone()) {
            return answer(
                    deletion.cascading() ? 202 : 200,
                    representation,
                    representation.object(resource.codec().shown(deleted.object())),
                    warnings);
        }
        ResourceType type = resource.type();
        ObjectNode status = StatusObjects.success(type.group(), type.plural(), info.name(), Meta.uid(deleted.object()));
        return answer(200, representation, status, warnings);
    }

    /**
     * Deletes the objects of a list, each separately and page by page; one that is already gone is not a failure. The
     * answer is that list, read again from the store's history.
     */
    private ApiResponse deleteCollection(ApiRequest request, Addressed place, Warnings warnings, Work work)
            throws InterruptedException {
        ServedResource resource = place.resource();
        int limit = limit(request);
        Selection selection = selection(request, place);
        Deletion deletion = Deletion.of(request, bodies);
        Representation representation = views.choose(request, resource.type(), false);
        ContinueToken token = ContinueToken.parse(ReadVersion.parameter(request, "continue"));
        long revision = lists.revisionOf(ReadVersion.ofList(request, limit > 0), token);
        try (AnswerHold hold = share.hold(request.caller())) {
            SnapshotReader reader = lists.reader(place, selection, revision, token, hold);
            int left = limit == 0 ? Integer.MAX_VALUE : limit;
            while (left > 0 && !reader.isOver()) {
                List<ObjectName> page = new ArrayList<>();
                int most = left;
                reader.next(0, 0, (entry, _) -> {
                    ObjectNode object = resource.read(entry);
                    if (selection.matches(object)) {
                        page.add(new ObjectName(Meta.namespace(object), Meta.name(object)));
                    }
                    return page.size() < most;
                });
                delete(
                        page,
                        resource,
                        deletion,
                        new Caller(
                                request.user(),
                                request.isUserEverywhere(),
                                deletion.dryRun(),
                                WriteOptions.managerOf(request),
                                warnings::add,
                                work));
                left -= page.size();
            }
        }
        return list(request, place, representation, selection, limit, revision, token, warnings);
    }

    private void delete(List<ObjectName> names, ServedResource resource, Deletion deletion, Caller caller) {
        for (ObjectName object : names) {
            try {
                writer.delete(caller, resource, object.namespace(), object.name(), deletion.options());
            } catch (StatusException e) {
                if (e.status().code() != 404) {
                    throw e;
                }
            }
            caller.work().keepsOnly(0);
        }
    }

    private record ObjectName(String namespace, String name) {}

    /** What a list is of; its options are judged before, in the order of apiserver's {@code ListResource}. */
    private static Selection selection(ApiRequest request, Addressed place) {
        ReadVersion.number(request, "timeoutSeconds");
        LabelSelector labels = labels(request);
        FieldSelector.requireReadable(ReadVersion.parameter(request, "fieldSelector"));
        ReadVersion.checkOptions(request);
        return Selection.of(request, place, labels);
    }

    private static LabelSelector labels(ApiRequest request) {
        return LabelSelector.parse(ReadVersion.parameter(request, "labelSelector"));
    }

    private static int limit(ApiRequest request) {
        return Math.clamp(ReadVersion.number(request, "limit"), 0, Integer.MAX_VALUE / 2);
    }

    private static ApiResponse tooOld() {
        throw Refusals.expired("The resourceVersion for the provided list is too old.");
    }

    /** The page's revision is compacted; the token in the answer continues from there in the newest state. */
    private static ApiResponse tokenTooOld(ContinueToken token, Representation representation) {
        ObjectNode status = StatusObjects.failure(Refusals.expired(
                        "The provided continue parameter is too old to display a consistent list result. You can start"
                            + " a new list without the continue parameter, or use the continue token in this response"
                            + " to retrieve the remainder of the results. Continuing with the provided token results"
                            + " in an inconsistent list - objects that were created, modified, or deleted between the"
                            + " time the first chunk was returned and now may show up in the list.")
                .status());
        status.withObjectProperty("metadata")
                .put("continue", new ContinueToken(ContinueToken.INCONSISTENT, token.after()).text());
        return new ApiResponse.Whole(410, representation.contentType(), Map.of(), representation.encode(status));
    }

    private static ApiResponse answer(int code, Representation representation, ObjectNode body, Warnings warnings) {
        return new ApiResponse.Whole(
                code, representation.contentType(), warnings.headers(), representation.encode(body));
    }
}
