package io.fairlead.clustersync.source;

import java.time.Duration;

/**
 * The times and limits of following clusters.
 *
 * @param auditInterval between two recounts of a cluster's index ({@code index.auditInterval})
 * @param probeInterval between two looks at an attached cluster's {@code /version}
 * @param probeTimeout until its answer counts as slow
 * @param lostAfter how long a watch may be broken before the cluster's index is lost
 * @param listTimeout how long a complete list may take
 * @param retryFirst the first wait before a failed list is tried again
 * @param retryMax the longest
 * @param pageSize objects in one page of a list
 * @param listsAtOnceMax lists of all clusters together that may hold a page at the same time; more wait for their turn
 * @param statusDelay within which several changes of a cluster's status are reported as one
 * @param answers how much is read of what a cluster answers
 */
public record SyncSettings(
        Duration auditInterval,
        Duration probeInterval,
        Duration probeTimeout,
        Duration lostAfter,
        Duration listTimeout,
        Duration retryFirst,
        Duration retryMax,
        int pageSize,
        int listsAtOnceMax,
        Duration statusDelay,
        AnswerLimits answers) {
    /** API servers keep what a list was begun with for five minutes. */
    private static final Duration LIST_TIMEOUT = Duration.ofMinutes(5);

    private static final int LOOKS_PER_PROBE = 5;
    private static final Duration PAGE_TIMEOUT_MAX = Duration.ofSeconds(30);
    private static final long HEAP_BYTES_PER_LIST = 128L << 20;
    private static final int LISTS_AT_ONCE_LEAST = 4;
    private static final int LISTS_AT_ONCE_MOST = 32;

    public static SyncSettings defaults() {
        return new SyncSettings(
                Duration.ofMinutes(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                LIST_TIMEOUT,
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                100,
                listsAtOnceMax(Runtime.getRuntime().maxMemory()),
                Duration.ofMillis(200),
                AnswerLimits.ofHeap(
                        Runtime.getRuntime().maxMemory(),
                        listsAtOnceMax(Runtime.getRuntime().maxMemory())));
    }

    /** A page is rarely more than a few megabytes, and takes twice of that while it is read. */
    static int listsAtOnceMax(long heapBytesMax) {
        return Math.clamp(heapBytesMax / HEAP_BYTES_PER_LIST, LISTS_AT_ONCE_LEAST, LISTS_AT_ONCE_MOST);
    }

    /** How long a server may send nothing of a page that is waited for. */
    public Duration pageTimeout() {
        return listTimeout.compareTo(PAGE_TIMEOUT_MAX) < 0 ? listTimeout : PAGE_TIMEOUT_MAX;
    }

    /** How often a cluster that is away is looked for, and a watch that is quiet. */
    public Duration lookInterval() {
        return probeInterval.dividedBy(LOOKS_PER_PROBE);
    }

    public SyncSettings withAuditInterval(Duration interval) {
        return new SyncSettings(
                interval,
                probeInterval,
                probeTimeout,
                lostAfter,
                listTimeout,
                retryFirst,
                retryMax,
                pageSize,
                listsAtOnceMax,
                statusDelay,
                answers);
    }

    public SyncSettings withAnswers(AnswerLimits limits) {
        return new SyncSettings(
                auditInterval,
                probeInterval,
                probeTimeout,
                lostAfter,
                listTimeout,
                retryFirst,
                retryMax,
                pageSize,
                listsAtOnceMax,
                statusDelay,
                limits);
    }
}
