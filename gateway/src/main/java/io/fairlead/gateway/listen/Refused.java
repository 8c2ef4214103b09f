package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.http.Malformed;
import io.fairlead.model.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request with ambiguous framing or beyond a limit: it is answered, and its connection closed. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Status status;
    private final transient @Nullable Limit limit;

    private Refused(Status status, @Nullable Limit limit) {
        super(status.message(), null, false, false);
        this.status = status;
        this.limit = limit;
    }

    static Refused badRequest(String message) {
        return new Refused(Status.badRequest(message), null);
    }

    static Refused of(Malformed malformed) {
        String message = String.valueOf(malformed.getMessage());
        return malformed.isTooLarge() ? headTooLarge(message) : badRequest(message);
    }

    static Refused targetTooLong(int bytesMax) {
        return new Refused(
                Status.of(414, "RequestURITooLong", "request target: expected at most " + bytesMax + " bytes"),
                Limit.TARGET_BYTES);
    }

    static Refused headTooLarge(String message) {
        return new Refused(Status.of(431, "RequestHeaderFieldsTooLarge", message), Limit.HEAD_BYTES);
    }

    static Refused tooManyFields(int max) {
        return new Refused(
                Status.of(431, "RequestHeaderFieldsTooLarge", "header fields: expected at most " + max),
                Limit.HEADER_FIELDS);
    }

    static Refused expectationFailed() {
        return new Refused(Status.of(417, "ExpectationFailed", "Expect header: expected 100-continue"), null);
    }

    static Refused headTooSlow(Duration timeout) {
        return new Refused(
                Status.of(
                        408, "RequestTimeout", "request head: expected all of it within " + timeout.toMillis() + " ms"),
                Limit.HEAD_TIMEOUT);
    }

    static Refused bodyTooSlow(EdgeLimits.Bodies limits) {
        return new Refused(
                Status.of(
                        408,
                        "RequestTimeout",
                        "request body: expected at least " + limits.bytesPerSecondMin() + " bytes a second over "
                                + limits.paceWindow().toMillis() + " ms"),
                Limit.BODY_PACE);
    }

    static Refused versionNotSupported() {
        return new Refused(
                Status.of(505, "HTTPVersionNotSupported", "HTTP version: expected HTTP/1.1 or HTTP/2"), null);
    }

    /** The exceeded limit, or null if the reason is another. */
    @Nullable
    Limit limit() {
        return limit;
    }

    Status status() {
        return status;
    }
}
