package io.fairlead.hosted;

import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One virtual control plane.
 *
 * <p>Threads: any; calls block and belong on virtual threads, except where one says that it does not.
 */
public interface HostedCluster {
    ClusterName name();

    /** Whether the cluster's own RBAC allows a request; asked before a handler. */
    Decision authorize(UserInfo user, RequestInfo request);

    /**
     * Identifies the state of the rights from which {@link #authorize} decides now: a decision that was made while this
     * stayed equal holds as long as it does. Null while the state is not known. Does not block.
     */
    default @Nullable Object rightsState() {
        return null;
    }

    /**
     * Authenticates the bearer token of a request to this cluster as one of its ServiceAccounts, for the audience of its API server.
     * Reads the cluster's objects as they are now, so that a token whose ServiceAccount is deleted is refused at once.
     *
     * <p>Cheap for a token that another issuer or key has signed: it costs no look-up and no signature. Never makes a key. Any
     * text may be given, however long.
     */
    default TokenVerdict userOfToken(String token) {
        return new TokenVerdict.Foreign();
    }

    /** Serves what CustomResourceDefinitions define, and nothing else. */
    Handler crdRuntime();

    /** Serves built-in kinds, discovery and all other paths, and answers 404 for what it does not have. */
    Handler baseHandler();

    /** Answers what was routed to it. The front end chooses the cluster's handler by its index. */
    @FunctionalInterface
    interface Handler {
        /**
         * Answers an authorised request; every failure is an answer with a {@code Status}, except one that requires a
         * new look-up.
         *
         * @throws DefinitionChangedException if {@link ApiRequest#definition} is not, or no longer, the cluster's
         *     state; observers of its types have normally received the current state by then
         */
        ApiResponse serve(ApiRequest request);
    }

    /**
     * Reports the types that this cluster serves: first the complete state, then every change in order, until closed.
     * The callback runs on one thread at a time and must not block.
     */
    AutoCloseable observeTypes(Consumer<TypeEvent> observer);

    /** The APIServices that name services; empty if the cluster has no such kind. */
    default Optional<ApiServices> apiServices() {
        return Optional.empty();
    }

    /** An authorizer's answer. */
    sealed interface Decision {
        /** Allowed, for this reason; it may be empty. */
        record Allowed(String reason) implements Decision {
            /** Allowed without more words. */
            public Allowed() {
                this("");
            }
        }

        /** Not allowed; the reason may be empty (Kubernetes says no more than that RBAC found no rule). */
        record Denied(String reason) implements Decision {}
    }
}
