package io.fairlead.clustersync.fabric8;

import java.time.Duration;

/**
 * Bounds on what is read from a cluster.
 *
 * @param answerBytesMax the body of one answer: one page of a list
 * @param listBytesMax all pages of a list
 * @param eventBytesMax one line of a watch
 * @param stallTimeout how long any answer may take to begin, and a short one make no progress while it is waited for
 */
record BodyLimits(long answerBytesMax, long listBytesMax, int eventBytesMax, Duration stallTimeout) {
    /** More than the largest object that an API server takes, which a page may be made of. */
    private static final long ANSWER_BYTES_LEAST = 8 << 20;

    private static final long ANSWER_BYTES_MOST = 64 << 20;
    private static final long LIST_BYTES_LEAST = 64 << 20;
    private static final int EVENT_BYTES_MAX = 8 << 20;
    /** A page is there several times while it is read, and half of the heap is for other things. */
    private static final int COPIES = 8;

    /**
     * What fits into a heap.
     *
     * @param listsAtOnceMax of how many lists a page is read at the same time
     */
    static BodyLimits of(long heapBytesMax, int listsAtOnceMax, Duration stallTimeout) {
        return new BodyLimits(
                Math.clamp(heapBytesMax / listsAtOnceMax / COPIES, ANSWER_BYTES_LEAST, ANSWER_BYTES_MOST),
                Math.max(heapBytesMax / 4, LIST_BYTES_LEAST),
                EVENT_BYTES_MAX,
                stallTimeout);
    }
}
