package io.fairlead.gateway.fleet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a cluster at one moment.
 *
 * @param reachable whether its API server answers
 * @param typesSynced whether the view of its types is complete
 * @param version its Kubernetes version, empty if unknown
 * @param groupVersions how many group/versions it serves
 * @param resources how many resources are known one by one
 * @param epoch the count of its histories
 * @param lastSync when the view was last known to be complete, or null if never
 */
public record Observed(
        Condition reachable,
        Condition typesSynced,
        String version,
        long groupVersions,
        long resources,
        long epoch,
        @Nullable Instant lastSync) {
    /** Nothing is known yet. */
    static Observed nothing() {
        return new Observed(
                Condition.unknown(Condition.REACHABLE, "NotTriedYet", "no answer has come yet"),
                Condition.unknown(Condition.TYPES_SYNCED, "NotSyncedYet", "the types are not listed yet"),
                "",
                0,
                0,
                0,
                null);
    }
}
