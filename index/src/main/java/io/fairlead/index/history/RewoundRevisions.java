package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rewinds of one cluster, and what they mean for a request that names a resourceVersion.
 *
 * <pre>
 * n is the named resourceVersion, head the highest one of the present history.
 *
 * not one that can be ordered, or no rewind      CURRENT
 * above head, which is not above all rewinds     ABOVE_HEAD
 * covered by a rewind, within the grace          REWOUND
 * covered by a rewind, later                     REUSED
 * any other                                      CURRENT
 * </pre>
 *
 * <p>The present history fills the range of a rewind with revisions of its own, and a client does not say of which history
 * its own is. So for a short time, in which clients of the old history come back, all of them count as expired; afterwards
 * they count as valid, since most are. One above the head cannot be of the present history, however late it is named. Once
 * the head is above everything that the old history is known to have given out, an API server answers that by itself.
 *
 * <p>Immutable; keeps the last {@value #KEPT_MAX} rewinds.
 *
 * @param rewinds the oldest first
 */
public record RewoundRevisions(List<Rewind> rewinds) {
    static final int KEPT_MAX = 16;

    public static final RewoundRevisions NONE = new RewoundRevisions(List.of());

    public RewoundRevisions {
        rewinds = List.copyOf(rewinds.subList(Math.max(rewinds.size() - KEPT_MAX, 0), rewinds.size()));
    }

    public boolean isEmpty() {
        return rewinds.isEmpty();
    }

    /** These and a later one. */
    public RewoundRevisions with(Rewind rewind) {
        List<Rewind> more = new ArrayList<>(rewinds);
        more.add(rewind);
        return new RewoundRevisions(more);
    }

    /** The last one. */
    public Optional<Rewind> last() {
        return rewinds.isEmpty() ? Optional.empty() : Optional.of(rewinds.getLast());
    }

    /**
     * What a named resourceVersion is.
     *
     * @param named as the request has it
     * @param head the highest resourceVersion of the present history; empty while none is known
     * @param grace for how long after its proof a rewind expires all that it covers
     */
    public NamedRevision judge(String named, String head, Instant now, Duration grace) {
        if (rewinds.isEmpty() || !ResourceVersion.isComparable(named)) {
            return NamedRevision.CURRENT;
        }
        ResourceVersion version = new ResourceVersion(named);
        if (ResourceVersion.isComparable(head) && isAbove(version, new ResourceVersion(head))) {
            return NamedRevision.ABOVE_HEAD;
        }
        NamedRevision found = NamedRevision.CURRENT;
        for (Rewind rewind : rewinds) {
            if (rewind.covers(version)) {
                if (Duration.between(rewind.time(), now).abs().compareTo(grace) < 0) { // a clock may be set back
                    return NamedRevision.REWOUND;
                }
                found = NamedRevision.REUSED;
            }
        }
        return found;
    }

    private boolean isAbove(ResourceVersion version, ResourceVersion head) {
        return version.compareTo(head) > 0 && !rewinds.stream().allMatch(rewind -> rewind.isOvertakenAt(head));
    }
}
