package io.fairlead.gateway.answer;

import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.net.UpstreamFailure;

/**
 * The answer to a client when an attached cluster does not answer: the cluster, the failure, and what was expected.
 * Omits the addresses of its API servers, which only readers of its registration may see.
 */
public final class UpstreamStatus {
    private static final int RETRY_AFTER_SECONDS = 1;

    private UpstreamStatus() {}

    public static Status of(ClusterName cluster, UpstreamFailure failure) {
        String message = "cluster \"" + cluster + "\": " + failure.withoutAddress();
        return switch (failure.kind()) {
            case ADDRESS_DENIED, UNKNOWN_HOST, CONNECT -> away(message, "NoReadyEndpoint");
            case NO_READY_ENDPOINT -> unavailable(message, "NoReadyEndpoint");
            case IDENTITY -> away(message, "UpstreamNotProven");
            case OVERLOADED -> unavailable(message, "UpstreamOverloaded");
            case CLOSED -> unavailable(message, "UpstreamClosed");
            case TLS, CERTIFICATE -> badGateway(message, "UpstreamNotTrusted");
            case RESET ->
                failure.requestReached()
                        ? badGateway(message, "UpstreamReset")
                        : unavailable(message, "UpstreamRefused");
            case PROTOCOL -> badGateway(message, "UpstreamProtocolError");
            case TIMEOUT -> Status.withCause(504, "Timeout", message, "UpstreamTimeout", 0);
        };
    }

    /**
     * The same for the servers of a CRD runtime: whatever keeps a request from being sent to them makes its resource
     * unavailable; no other server is tried.
     */
    public static Status ofCrdRuntime(ClusterName cluster, UpstreamFailure failure) {
        boolean isNotReached = !failure.requestReached()
                && switch (failure.kind()) {
                    case NO_READY_ENDPOINT,
                            ADDRESS_DENIED,
                            UNKNOWN_HOST,
                            CONNECT,
                            TLS,
                            CERTIFICATE,
                            IDENTITY,
                            TIMEOUT,
                            RESET -> true;
                    case PROTOCOL, OVERLOADED, CLOSED -> false;
                };
        return isNotReached
                ? unavailable(
                        "cluster \"" + cluster + "\": its CRD runtime is not asked: " + failure.withoutAddress()
                                + " (expected as condition CRDRuntimeReachable of clusters.fairlead.io \"" + cluster
                                + "\" in the root cluster says)",
                        "CRDRuntimeNotReachable")
                : of(cluster, failure);
    }

    /** The same for the backend of an APIService of a hosted cluster. */
    public static Status ofBackend(ClusterName cluster, UpstreamFailure failure) {
        return failure.requestReached()
                ? of(cluster, failure)
                : away(
                        "cluster \"" + cluster + "\": the backend of the APIService is not reached: "
                                + failure.withoutAddress("its server"),
                        "BackendNotAvailable");
    }

    /**
     * The answer in place of a 401 to Fairlead's own credential: a client would take that 401 for its own credential
     * and log its user out.
     */
    public static Status credentialRefused(ClusterName cluster) {
        return badGateway(
                "cluster \"" + cluster + "\": the cluster refuses Fairlead's credential (401), not the caller's"
                        + " (expected a new one in the Secret that clusters.fairlead.io \"" + cluster
                        + "\" in the root cluster names)",
                "CredentialRefused");
    }

    /**
     * The server does not exist or is down, like a kube-apiserver that refuses connections: no {@code Retry-After},
     * since client-go would retry ten times for each of several requests before it reports the failure.
     */
    private static Status away(String message, String cause) {
        return Status.withCause(503, "ServiceUnavailable", message, cause, 0);
    }

    private static Status unavailable(String message, String cause) {
        return Status.withCause(503, "ServiceUnavailable", message, cause, RETRY_AFTER_SECONDS);
    }

    private static Status badGateway(String message, String cause) {
        return Status.withCause(502, "BadGateway", message, cause, 0);
    }
}
