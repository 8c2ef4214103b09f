package io.fairlead.http.h2;

/** Why a stream or a connection ends (RFC 9113 section 7), in the order of the codes. */
public enum ErrorCode {
    NO_ERROR(0x0),
    PROTOCOL_ERROR(0x1),
    INTERNAL_ERROR(0x2),
    FLOW_CONTROL_ERROR(0x3),
    STREAM_CLOSED(0x5),
    FRAME_SIZE_ERROR(0x6),
    REFUSED_STREAM(0x7),
    CANCEL(0x8),
    COMPRESSION_ERROR(0x9),
    ENHANCE_YOUR_CALM(0xb);

    private final int code;

    ErrorCode(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
