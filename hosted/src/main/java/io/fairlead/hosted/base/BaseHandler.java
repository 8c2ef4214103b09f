package io.fairlead.hosted.base;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.DefinitionChangedException;
import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.verbs.ResourceEndpoint;
import io.fairlead.hosted.view.ClusterViews;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Serves built-in kinds, discovery, OpenAPI, reviews, health and other non-resource paths, and answers 404 for
 * everything else.
 *
 * <p>Threads: any; calls block.
 */
public final class BaseHandler {
    private final ClusterViews views;
    private final Map<GroupVersionResource, ServedResource> kinds;
    private final ResourceEndpoint endpoint;
    private final Shown shown;
    private final Duration catchUp;

    /** How the handler waits until the cluster's caches have caught up with its store. */
    public interface Shown {
        /** Waits until a written object of a built-in kind takes effect elsewhere in the cluster. */
        void await(ServedResource kind, Duration timeout) throws InterruptedException;

        /**
         * Waits until all definitions committed before are served and reported to the cluster's observers.
         *
         * @return whether that happened in time
         */
        boolean awaitDefinitions(Duration timeout) throws InterruptedException;
    }

    /**
     * A handler for the kinds of a cluster.
     *
     * @param catchUp how long to wait for the caches
     */
    public BaseHandler(
            ClusterViews views, List<ServedResource> kinds, ResourceEndpoint endpoint, Shown shown, Duration catchUp) {
        this.views = views;
        this.kinds = kinds.stream().collect(Collectors.toUnmodifiableMap(BaseHandler::path, Function.identity()));
        this.endpoint = endpoint;
        this.shown = shown;
        this.catchUp = catchUp;
    }

    /**
     * Answers a request. A client may rely on a written object as soon as it has the answer, so the answer waits until
     * the object takes effect: kubectl creates objects as soon as it reads Established, and a role is used as soon as
     * it is bound.
     *
     * @throws DefinitionChangedException if it does not have the resource and the route rests on there being no
     *     definition, which may have been created since: the caller must look it up again
     * @throws StatusException to refuse it
     */
    public ApiResponse serve(ApiRequest request) throws InterruptedException {
        ApiResponse viewed = views.answer(request);
        if (viewed != null) {
            return viewed;
        }
        RequestInfo info = request.info();
        ServedResource kind = info.resourceRequest()
                ? kinds.get(new GroupVersionResource(info.group(), info.version(), info.resource()))
                : null;
        if (kind == null) {
            throw absent(request);
        }
        ApiResponse answer = endpoint.serve(request, kind, () -> true);
        boolean isShown = false;
        try {
            shown.await(kind, catchUp);
            isShown = true;
        } finally {
            if (!isShown) {
                answer.discard();
            }
        }
        return answer;
    }

    /** A definition established before the request must be served, so wait before a 404. */
    private StatusException absent(ApiRequest request) throws InterruptedException {
        boolean mayHaveCome = request.info().resourceRequest() && request.definition() instanceof DefinitionState.None;
        if (!mayHaveCome) {
            return Refusals.unknownPath();
        }
        if (shown.awaitDefinitions(catchUp)) {
            throw new DefinitionChangedException();
        }
        return Refusals.definitionsBehind(request.info().groupResource(), catchUp);
    }

    private static GroupVersionResource path(ServedResource kind) {
        return new GroupVersionResource(
                kind.type().group(), kind.type().version(), kind.type().plural());
    }
}
