package io.fairlead.hosted.runtime;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.DefinitionChangedException;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.runtime.CustomTypes.Custom;
import io.fairlead.hosted.verbs.ResourceEndpoint;
import io.fairlead.hosted.verbs.StaleResourceException;
import io.fairlead.model.GroupVersionResource;
import io.fairlead.model.RequestInfo;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/*
 * Problem: by the front end's index a definition serves the resource; by now it may have changed, be gone, or be
 * another one of the same name. Answering by the current definition would be a second routing decision, and one that
 * pins have not judged.
 *
 * Invariant: a request is answered by exactly the state of the definition that its route names. Otherwise the route is
 * stale, and the front end looks it up again. Before that it waits until the definitions committed so far are served
 * and reported, so that the next look-up includes the change; if that takes too long, the answer is 503.
 */

/**
 * Serves custom resources.
 *
 * <p>Threads: any; calls block.
 */
public final class CrdRuntime {
    private final CustomTypes types;
    private final ResourceEndpoint endpoint;
    private final Duration catchUp;

    /**
     * A runtime for the types of a cluster.
     *
     * @param catchUp how long to wait for changes of definitions
     */
    public CrdRuntime(CustomTypes types, ResourceEndpoint endpoint, Duration catchUp) {
        this.types = types;
        this.endpoint = endpoint;
        this.catchUp = catchUp;
    }

    /**
     * Answers a request.
     *
     * @throws DefinitionChangedException if its definition is not, or no longer, the one that the request's route names
     * @throws io.fairlead.model.StatusException to refuse it
     */
    public ApiResponse serve(ApiRequest request) throws InterruptedException {
        RequestInfo info = request.info();
        GroupVersionResource wanted = new GroupVersionResource(info.group(), info.version(), info.resource());
        Custom custom = types.find(wanted);
        if (custom == null || !request.definition().isAt(custom.revision())) {
            throw changed(info);
        }
        try {
            return endpoint.serve(
                    request,
                    custom.resource().judgedBy(request.definition()),
                    () -> isServedAs(custom, types.find(wanted)));
        } catch (StaleResourceException e) {
            throw changed(info);
        }
    }

    private RuntimeException changed(RequestInfo info) throws InterruptedException {
        return types.awaitDefinitions(catchUp)
                ? new DefinitionChangedException()
                : Refusals.definitionsBehind(info.groupResource(), catchUp);
    }

    /** A watch continues as long as the encoding of the objects does not change. */
    private static boolean isServedAs(Custom custom, @Nullable Custom now) {
        return now != null && now.resource().codec().equals(custom.resource().codec());
    }
}
