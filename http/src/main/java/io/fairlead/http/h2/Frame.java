package io.fairlead.http.h2;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The types, flags, settings and sizes of frames (RFC 9113 sections 4.1 and 6). */
final class Frame {
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

    static final int HEAD_BYTES = 9;

    static final int DATA = 0x0;
    static final int HEADERS = 0x1;
    static final int PRIORITY = 0x2;
    static final int RST_STREAM = 0x3;
    static final int SETTINGS = 0x4;
    static final int PUSH_PROMISE = 0x5;
    static final int PING = 0x6;
    static final int GOAWAY = 0x7;
    static final int WINDOW_UPDATE = 0x8;
    static final int CONTINUATION = 0x9;

    static final int END_STREAM = 0x1;
    static final int ACK = 0x1;
    static final int END_HEADERS = 0x4;
    static final int PADDED = 0x8;
    static final int WITH_PRIORITY = 0x20;

    static final int SETTING_HEADER_TABLE_SIZE = 0x1;
    static final int SETTING_ENABLE_PUSH = 0x2;
    static final int SETTING_MAX_CONCURRENT_STREAMS = 0x3;
    static final int SETTING_INITIAL_WINDOW_SIZE = 0x4;
    static final int SETTING_MAX_FRAME_SIZE = 0x5;
    static final int SETTING_MAX_HEADER_LIST_SIZE = 0x6;

    static final int PRIORITY_BYTES = 5;
    static final int SETTING_BYTES = 6;
    static final int PING_BYTES = 8;
    static final int GOAWAY_BYTES_MIN = 8;

    /** The least that every peer takes, and the most that is taken here. */
    static final int PAYLOAD_BYTES_MAX = 1 << 14;

    static final int WINDOW_DEFAULT = 65_535;
    static final int ID_MASK = 0x7fff_ffff;

    private Frame() {}
}
