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
            case ADDRESS_DENIED, UNKNOWN_HOST, CONNECT -> unavailable(message, "NoReadyEndpoint");
            case IDENTITY -> unavailable(message, "UpstreamNotProven");
            case OVERLOADED -> unavailable(message, "UpstreamOverloaded");
            case CLOSED -> unavailable(message, "UpstreamClosed");
            case TLS, CERTIFICATE -> badGateway(message, "UpstreamNotTrusted");
            case RESET -> badGateway(message, "UpstreamReset");
            case PROTOCOL -> badGateway(message, "UpstreamProtocolError");
            case TIMEOUT -> Status.withCause(504, "Timeout", message, "UpstreamTimeout", 0);
        };
    }

    private static Status unavailable(String message, String cause) {
        return Status.withCause(503, "ServiceUnavailable", message, cause, RETRY_AFTER_SECONDS);
    }

    private static Status badGateway(String message, String cause) {
        return Status.withCause(502, "BadGateway", message, cause, 0);
    }
}
