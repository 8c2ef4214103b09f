package io.fairlead.http.h2;

/** Why a stream or a connection ends (RFC 9113 section 7), in the order of the codes. */
public enum ErrorCode {
    NO_ERROR,
    PROTOCOL_ERROR,
    INTERNAL_ERROR,
    FLOW_CONTROL_ERROR,
    SETTINGS_TIMEOUT,
    STREAM_CLOSED,
    FRAME_SIZE_ERROR,
    REFUSED_STREAM,
    CANCEL,
    COMPRESSION_ERROR,
    CONNECT_ERROR,
    ENHANCE_YOUR_CALM,
    INADEQUATE_SECURITY,
    HTTP_1_1_REQUIRED;

    private static final ErrorCode[] ALL = values();

    /** The name of a peer's code, or the number of an unknown one. */
    public static String text(int code) {
        return code >= 0 && code < ALL.length ? ALL[code].name() : "code " + Integer.toUnsignedString(code);
    }

    /** As it is sent. */
    @SuppressWarnings("EnumOrdinal") // The constants stand in the order of the codes.
    public int code() {
        return ordinal();
    }
}
