package io.fairlead.gateway.listen;

import io.fairlead.model.Status;

/** A request whose framing is in doubt or beyond a limit: it is answered, and its connection closed. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    private Refused(Status status) {
        super(status.message(), null, false, false);
        this.status = status;
    }

    static Refused badRequest(String message) {
        return new Refused(Status.badRequest(message));
    }

    static Refused targetTooLong(int bytesMax) {
        return new Refused(
                Status.of(414, "RequestURITooLong", "request target: expected at most " + bytesMax + " bytes"));
    }

    static Refused headTooLarge(String message) {
        return new Refused(Status.of(431, "RequestHeaderFieldsTooLarge", message));
    }

    static Refused bodyTooLarge(String message) {
        return new Refused(Status.of(413, "RequestEntityTooLarge", message));
    }

    static Refused expectationFailed() {
        return new Refused(Status.of(417, "ExpectationFailed", "Expect header: expected 100-continue"));
    }

    static Refused headTooSlow() {
        return new Refused(Status.of(408, "RequestTimeout", "request head: not complete in time"));
    }

    static Refused versionNotSupported() {
        return new Refused(Status.of(505, "HTTPVersionNotSupported", "HTTP version: expected HTTP/1.1 or HTTP/2"));
    }

    Status status() {
        return status;
    }
}
