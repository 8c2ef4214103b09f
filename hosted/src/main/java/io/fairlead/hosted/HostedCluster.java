package io.fairlead.hosted;

import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.function.Consumer;

/**
 * One virtual control plane.
 *
 * <p>Threads: any; calls block and belong on virtual threads.
 */
public interface HostedCluster {
    ClusterName name();

    /** Whether the cluster's own RBAC allows a request; asked before {@link #serve}. */
    Decision authorize(UserInfo user, RequestInfo request);

    /**
     * Answers an authorised request; every failure is an answer with a {@code Status}, but for one that only the caller can mend.
     *
     * @throws DefinitionChangedException if the request is a write that was judged by another state of the definition than it
     *     would be stored by; observers of types have been told of the newer one, if they are as quick as they should be
     */
    ApiResponse serve(ApiRequest request);

    /**
     * Tells the types that this cluster serves: at once the complete state, then every change in order, until closed.
     * The callback runs on one thread at a time and must not block.
     */
    AutoCloseable observeTypes(Consumer<TypeEvent> observer);

    /** An authorizer's answer. */
    sealed interface Decision {
        record Allowed() implements Decision {}

        /** Not allowed; the reason may be empty (Kubernetes says no more than that RBAC found no rule). */
        record Denied(String reason) implements Decision {}
    }
}
