package io.fairlead.http.h2;

/** The peer broke a rule of one stream, which is reset (RFC 9113 section 5.4.2). */
final class StreamError extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    StreamError(ErrorCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    static StreamError protocol(String message) {
        return new StreamError(ErrorCode.PROTOCOL_ERROR, message);
    }

    ErrorCode code() {
        return code;
    }
}
