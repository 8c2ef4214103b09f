package io.fairlead.gateway.audit;

/** Observes the audit log. Threads: any; must not block. */
public interface AuditMetrics {
    /** Ignores all calls. */
    AuditMetrics NONE = new AuditMetrics() {};

    /** The policy's level for one request. */
    default void judged(AuditLevel level) {}

    /** A line was made. */
    default void made() {}

    /** So many lines will never be written. */
    default void lost(int lines) {}

    /** A line was left out, since an address caused too many requests of callers who are not known. */
    default void tooManyUnknownCallers() {}

    /** An attempt to write failed; it is made again. */
    default void failed() {}

    /** A request was refused, since it could not be recorded. */
    default void refused() {}
}
