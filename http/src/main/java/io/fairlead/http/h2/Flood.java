package io.fairlead.http.h2;

/** Frames that cost their sender almost nothing, of which a peer sent too many (RFC 9113 section 10.5). */
public enum Flood {
    CONTROL_FRAMES,
    RESETS,
    EMPTY_FRAMES,
    CONTINUATIONS
}
