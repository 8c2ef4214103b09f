package io.fairlead.gateway.edge;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.impersonate.ImpersonationHeaders;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.listen.CallerRefused;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.pin.DigestHeader;
import io.fairlead.http.HttpMethod;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.List;

/** What the stages refuse a request with. */
final class Refusal {
    private Refusal() {}

    /**
     * A request to the gateway itself, which has none of the header fields that are about clusters. Asked once the caller is
     * known, so that the refusal is recorded as theirs.
     */
    static Received requireOfGateway(Described described) {
        ImpersonationHeaders.requireNone(described.received().headers());
        DigestHeader.requireNone(described);
        return described.received();
    }

    /** TRACE would reveal to a script the fields that the browser adds (RFC 9110 section 9.3.8). */
    static void requireNoTrace(Received received) {
        if (received.method().equals(HttpMethod.TRACE)) {
            throw new StatusException(
                    Status.of(405, "MethodNotAllowed", "method TRACE is served nowhere (expected another method)"));
        }
    }

    /** The caller takes more than its share. */
    static StatusException tooMany(CallerRefused refused, String user) {
        return new StatusException(Status.withCause(
                429,
                "TooManyRequests",
                tooMany(refused.limit()) + " user \"" + user + "\" (expected fewer, by "
                        + refused.limit().key() + "; try again later)",
                "TooManyRequests",
                refused.retrySeconds()));
    }

    private static String tooMany(Limit limit) {
        return limit == Limit.STREAM_RESETS
                ? "too many requests given up in one window by"
                : "too many open connections of";
    }

    static Status opening(ClusterName name) {
        return Status.withCause(
                503,
                "ServiceUnavailable",
                "cluster \"" + name + "\": it is still being opened (expected to be open soon; try again)",
                "ClusterOpening",
                1);
    }

    static Status unready(ClusterEntry.Unready cluster) {
        return Status.withCause(
                503,
                "ServiceUnavailable",
                "cluster \"" + cluster.name() + "\": " + cluster.message(),
                cluster.cause(),
                0);
    }

    static Status notRegistered(ClusterName name) {
        return new Status(
                        404,
                        "ClusterNotFound",
                        "cluster \"" + name + "\" is not registered (expected the id of a cluster)",
                        new Status.Details(name.value(), "fairlead.io", "clusters", "", List.of(), 0))
                .asWarning();
    }
}
