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
 * Serves built-in kinds, discovery, OpenAPI, reviews, health and other paths that are no resources, and answers 404 for what it
 * does not have.
 *
 * <p>Threads: any; calls block.
 */
public final class BaseHandler {
    private final ClusterViews views;
    private final Map<GroupVersionResource, ServedResource> kinds;
    private final ResourceEndpoint endpoint;
    private final Shown shown;
    private final Duration catchUp;

    /** How a cluster catches up with its store in what it answers by. */
    public interface Shown {
        /** Waits until what the objects of a built-in kind decide elsewhere in the cluster is as they say. */
        void await(ServedResource kind, Duration timeout) throws InterruptedException;

        /**
         * Waits until all changes of definitions that were committed before are shown, and the cluster's observers told of them.
         *
         * @return whether they are before the time is over
         */
        boolean awaitDefinitions(Duration timeout) throws InterruptedException;
    }

    /**
     * Over the kinds of a cluster.
     *
     * @param catchUp for how long what is shown is waited for
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
     * Answers a request. Who has been told of an object by which the cluster answers other requests may rely on it
     * at once, so that the answer waits until it is shown: kubectl creates objects as soon as it reads Established, and
     * a role is used as soon as it is bound.
     *
     * @throws DefinitionChangedException if it does not have the resource and the request's route rests on there being no
     *     definition, which may have come since: to be looked up once more
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

    /** What was established before the request came is served: a 404 must not be earlier than that. */
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
