package io.fairlead.http.h2;

import org.jspecify.annotations.Nullable;

/** The peer broke a rule of the whole connection, which ends (RFC 9113 section 5.4.1). */
final class ConnectionError extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final @Nullable Flood flood;

    private ConnectionError(ErrorCode code, String message, @Nullable Flood flood) {
        super(message, null, false, false);
        this.code = code;
        this.flood = flood;
    }

    static ConnectionError of(ErrorCode code, String message) {
        return new ConnectionError(code, message, null);
    }

    static ConnectionError protocol(String message) {
        return of(ErrorCode.PROTOCOL_ERROR, message);
    }

    static ConnectionError flood(Flood flood) {
        return new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, "too many frames of the kind " + flood, flood);
    }

    ErrorCode code() {
        return code;
    }

    /** The exceeded budget, if that is the reason. */
    @Nullable
    Flood flood() {
        return flood;
    }
}
