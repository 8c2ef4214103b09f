package io.fairlead.gateway.pin;

/** Counts what came of checks; any thread. */
public interface PinMetrics {
    void checked(Result result);

    /** The result of one pin's check of one request. */
    enum Result {
        /** The type matches. */
        ALLOWED,
        /** The request was refused, since the type differs. */
        DENIED,
        /** The caller was warned. */
        WARNED,
        /** Only the log has it. */
        AUDITED,
        /** The request was refused, since the type is unknown. */
        STALE
    }
}
