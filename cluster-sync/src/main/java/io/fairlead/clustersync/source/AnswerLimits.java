package io.fairlead.clustersync.source;

import java.util.function.Consumer;

/**
 * How much is read of what an attached cluster says of its types.
 *
 * @param pageBytesMax the body of one answer: one page of a list
 * @param listBytesMax all pages of a list
 * @param eventBytesMax one line of a watch
 * @param reached is told the key of the limit that a cluster met; from any thread
 */
public record AnswerLimits(long pageBytesMax, long listBytesMax, int eventBytesMax, Consumer<String> reached) {
    public static final String PAGE_BYTES = "limits.definitionPageBytesMax";
    public static final String LIST_BYTES = "limits.definitionListBytesMax";
    public static final String EVENT_BYTES = "limits.definitionEventBytesMax";

    /** More than the largest object that an API server takes, which a page may be made of. */
    private static final long PAGE_BYTES_LEAST = 8 << 20;

    private static final long PAGE_BYTES_MOST = 64 << 20;
    private static final long LIST_BYTES_LEAST = 64 << 20;
    /** A page is there several times while it is read, and half of the heap is for other things. */
    private static final int COPIES = 8;

    /**
     * How much of one page fits into a heap.
     *
     * @param listsAtOnceMax of how many lists a page is read at the same time
     */
    public static long pageBytesMaxByDefault(long heapBytesMax, int listsAtOnceMax) {
        return Math.clamp(heapBytesMax / listsAtOnceMax / COPIES, PAGE_BYTES_LEAST, PAGE_BYTES_MOST);
    }

    /** How much of a list fits into a heap. */
    public static long listBytesMaxByDefault(long heapBytesMax) {
        return Math.max(heapBytesMax / 4, LIST_BYTES_LEAST);
    }
}
