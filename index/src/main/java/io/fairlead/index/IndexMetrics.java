package io.fairlead.index;

/**
 * The events of the index; {@link FleetIndex#keyCount()} and {@link FleetIndex#claimCount()} are polled instead. Called
 * from many threads, on the request path: implementations neither block nor throw.
 */
public interface IndexMetrics {
    /** Reports nothing. */
    IndexMetrics NONE = new IndexMetrics() {};

    /** A lookup was answered ({@code fairlead_index_lookups_total}). */
    default void looked(Answer answer) {}

    /** A comparison found differences ({@code fairlead_index_audit_mismatch_total}). */
    default void auditMismatched(int differences) {}
}
