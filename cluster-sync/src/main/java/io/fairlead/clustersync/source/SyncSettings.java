package io.fairlead.clustersync.source;

import io.fairlead.index.IndexLimits;
import java.time.Duration;

/**
 * The times and limits of indexing clusters.
 *
 * @param auditInterval between two comparisons of a cluster with its index ({@code index.auditInterval})
 * @param probeInterval between two requests to an attached cluster's {@code /version}
 * @param probeTimeout until its answer is too late
 * @param identityInterval between two checks of which cluster an attached one is
 * @param lostAfter how long a watch may be broken before the cluster's index is lost
 * @param listTimeout how long a complete list may take
 * @param pageTimeout how long a server may send nothing of a page that is waited for, no longer than a list may take
 * @param retryFirst the first wait before a failed list is tried again
 * @param retryMax the longest
 * @param pageSize objects in one page of a list
 * @param listsAtOnceMax lists of all clusters together that may hold a page at the same time; more wait for their turn
 * @param statusDelay within which several changes of a cluster's status are reported as one
 * @param answers how much is read of what a cluster answers
 * @param index how much of that is indexed; what has more is read just so far that the index can refuse it
 */
public record SyncSettings(
        Duration auditInterval,
        Duration probeInterval,
        Duration probeTimeout,
        Duration identityInterval,
        Duration lostAfter,
        Duration listTimeout,
        Duration pageTimeout,
        Duration retryFirst,
        Duration retryMax,
        int pageSize,
        int listsAtOnceMax,
        Duration statusDelay,
        AnswerLimits answers,
        IndexLimits index) {
    private static final int LOOKS_PER_PROBE = 5;
    private static final long HEAP_BYTES_PER_LIST = 128L << 20;
    private static final int LISTS_AT_ONCE_LEAST = 4;
    private static final int LISTS_AT_ONCE_MOST = 32;

    public SyncSettings {
        pageTimeout = listTimeout.compareTo(pageTimeout) < 0 ? listTimeout : pageTimeout;
    }

    /** A page is rarely more than a few megabytes, and takes twice of that while it is read. */
    public static int listsAtOnceMax(long heapBytesMax) {
        return Math.clamp(heapBytesMax / HEAP_BYTES_PER_LIST, LISTS_AT_ONCE_LEAST, LISTS_AT_ONCE_MOST);
    }

    /** How many objects of a list are kept: more than may be indexed, since not every one claims something. */
    public int objectsMax() {
        return (int) Math.min(2L * index.holdersPerClusterMax(), Integer.MAX_VALUE);
    }

    /** How often an unreachable cluster, and a silent watch, is probed. */
    public Duration lookInterval() {
        return probeInterval.dividedBy(LOOKS_PER_PROBE);
    }
}
