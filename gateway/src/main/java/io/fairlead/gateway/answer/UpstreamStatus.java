package io.fairlead.gateway.answer;

import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.net.UpstreamFailure;

/**
 * What a client is told when an attached cluster gives no answer: which cluster, what happened, what was expected. Where its API
 * servers are is for those who may read its registration.
 */
public final class UpstreamStatus {
    private static final int RETRY_AFTER_SECONDS = 1;

    private UpstreamStatus() {}

    public static Status of(ClusterName cluster, UpstreamFailure failure) {
        String message = "cluster \"" + cluster + "\": " + failure.withoutAddress();
        return switch (failure.kind()) {
            case ADDRESS_DENIED, UNKNOWN_HOST, CONNECT -> away(message, "NoReadyEndpoint");
            case IDENTITY -> away(message, "UpstreamNotProven");
            case OVERLOADED -> unavailable(message, "UpstreamOverloaded");
            case CLOSED -> unavailable(message, "UpstreamClosed");
            case TLS, CERTIFICATE -> badGateway(message, "UpstreamNotTrusted");
            case RESET -> badGateway(message, "UpstreamReset");
            case PROTOCOL -> badGateway(message, "UpstreamProtocolError");
            case TIMEOUT -> Status.withCause(504, "Timeout", message, "UpstreamTimeout", 0);
        };
    }

    /**
     * The same of servers that take what CRDs serve: whatever keeps a request from being sent to them makes what it asks for
     * unavailable, and no other server is asked for it.
     */
    public static Status ofCrdRuntime(ClusterName cluster, UpstreamFailure failure) {
        boolean isNotReached = !failure.requestReached()
                && switch (failure.kind()) {
                    case ADDRESS_DENIED, UNKNOWN_HOST, CONNECT, TLS, CERTIFICATE, IDENTITY, TIMEOUT, RESET -> true;
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

    /**
     * What a client is told in the place of a 401 to Fairlead's own credential: by a 401 it would take its own for refused, and log
     * its user out.
     */
    public static Status credentialRefused(ClusterName cluster) {
        return badGateway(
                "cluster \"" + cluster + "\": the cluster refuses Fairlead's credential (401), not the caller's"
                        + " (expected a new one in the Secret that clusters.fairlead.io \"" + cluster
                        + "\" in the root cluster names)",
                "CredentialRefused");
    }

    /**
     * Not there at all, as a kube-apiserver that is down refuses connections: nothing is said of when to try again, since client-go
     * would do so ten times for each of several requests before it tells its user.
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
