package io.fairlead.http.h2;

/** What a side of a connection expects of its peer. */
enum Side {
    /** A head that refers to no earlier one is read, and passed on, without what came before. */
    CLIENT(0, false),
    /** The default table. */
    SERVER(4096, true);

    private final int tableBytesMax;
    private final boolean awaitsPreface;

    Side(int tableBytesMax, boolean awaitsPreface) {
        this.tableBytesMax = tableBytesMax;
        this.awaitsPreface = awaitsPreface;
    }

    /** What the peer may keep of its heads' fields here (RFC 9113 section 6.5.2). */
    int tableBytesMax() {
        return tableBytesMax;
    }

    /** Whether the peer sends a connection preface before its first frame (section 3.4). */
    boolean awaitsPreface() {
        return awaitsPreface;
    }
}
