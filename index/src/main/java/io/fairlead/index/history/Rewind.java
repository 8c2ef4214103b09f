package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;
import java.time.Instant;

/**
 * A proven rewind of a cluster's history: the resourceVersions that the ended history had given out, as far as they are
 * known, of which the next one may give out each again.
 *
 * @param after the highest resourceVersion that both histories are known to share, at or before the restore point; empty if
 *     none is known
 * @param upTo the highest resourceVersion of the history that ended; empty if none that can be ordered was seen
 * @param time when it was proven
 */
public record Rewind(String after, String upTo, Instant time) {
    /** Whether the ended history, and not the shared one before, may have given out a resourceVersion. */
    boolean covers(ResourceVersion version) {
        return ResourceVersion.isComparable(upTo)
                && version.compareTo(new ResourceVersion(upTo)) <= 0
                && !(ResourceVersion.isComparable(after) && version.compareTo(new ResourceVersion(after)) <= 0);
    }

    /** Whether the next history has given out all that it covers. */
    boolean isOvertakenAt(ResourceVersion head) {
        return !ResourceVersion.isComparable(upTo) || head.compareTo(new ResourceVersion(upTo)) > 0;
    }
}
