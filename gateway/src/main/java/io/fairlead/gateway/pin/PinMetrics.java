package io.fairlead.gateway.pin;

/** Counts what came of checks; any thread. */
public interface PinMetrics {
    void checked(Result result);

    /** What came of one pin's check of one request. */
    enum Result {
        /** The type is what it shall be. */
        ALLOWED,
        /** The request was refused, since it is not. */
        DENIED,
        /** The caller was warned. */
        WARNED,
        /** Nobody but the log was told. */
        AUDITED,
        /** The request was refused, since it is not known. */
        STALE
    }
}
