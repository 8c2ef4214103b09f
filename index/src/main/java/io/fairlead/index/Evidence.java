package io.fairlead.index;

import java.time.Instant;

/**
 * The evidence of a view.
 *
 * @param sync whether the view is complete
 * @param epoch counts the cluster's histories, from 1; 0 if no ledger is open
 * @param resourceVersion the newest resource version received in this epoch; empty before the first
 * @param time when that was
 */
public record Evidence(Sync sync, long epoch, String resourceVersion, Instant time) {
    /** Nothing is known. */
    public static final Evidence NONE = new Evidence(Sync.UNSYNCED, 0, "", Instant.EPOCH);
}
