package io.fairlead.clustersync;

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
 * @param statusDelay within which several changes of a cluster's status are reported as one
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
        Duration statusDelay) {
    /** Slow is not broken, but the client's timer holds a page until its time is over. */
    private static final Duration PAGE_TIMEOUT_MAX = Duration.ofSeconds(30);

    public static SyncSettings defaults() {
        return new SyncSettings(
                Duration.ofMinutes(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(2),
                Duration.ofMillis(500),
                Duration.ofSeconds(30),
                100,
                Duration.ofMillis(200));
    }

    /** How long one page of a list may take. */
    public Duration pageTimeout() {
        return listTimeout.compareTo(PAGE_TIMEOUT_MAX) < 0 ? listTimeout : PAGE_TIMEOUT_MAX;
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
                statusDelay);
    }
}
