package io.fairlead.clustersync.source;

import java.util.function.Consumer;

/**
 * Limits on an attached cluster's answers about its types.
 *
 * @param pageBytesMax the body of one answer: one page of a list
 * @param listBytesMax all pages of a list
 * @param eventBytesMax one line of a watch
 * @param kept how much is kept of what was read
 * @param reached receives the key of an exceeded limit; called on any thread
 */
public record AnswerLimits(
        long pageBytesMax, long listBytesMax, int eventBytesMax, Kept kept, Consumer<String> reached) {
    public static final String PAGE_BYTES = "limits.definitionPageBytesMax";
    public static final String LIST_BYTES = "limits.definitionListBytesMax";
    public static final String EVENT_BYTES = "limits.definitionEventBytesMax";

    public static final String KEPT_BYTES = "limits.attachedKeptBytesMax";
    public static final String KEPT_BYTES_PER_CLUSTER = "limits.attachedKeptBytesPerClusterMax";

    /**
     * Limits on what is kept in memory of the types of attached clusters, in estimated bytes.
     *
     * @param bytesMax of all clusters
     * @param bytesPerClusterMax of the CRDs, and of the APIServices, of one cluster
     */
    public record Kept(long bytesMax, long bytesPerClusterMax) {
        /** A quarter of the heap, of which one cluster takes a quarter. */
        public static Kept byDefault(long heapBytesMax) {
            return ofAll(heapBytesMax / 4);
        }

        /** With what one cluster may take by default. */
        public static Kept ofAll(long bytesMax) {
            return new Kept(bytesMax, bytesMax / 4);
        }
    }

    /** More than the largest object that an API server accepts, which can be a page of its own. */
    private static final long PAGE_BYTES_LEAST = 8 << 20;

    private static final long PAGE_BYTES_MOST = 64 << 20;
    private static final long LIST_BYTES_LEAST = 64 << 20;
    /** A page is there several times while it is read, and half of the heap is for other things. */
    private static final int COPIES = 8;

    /**
     * How much of one page fits into a heap.
     *
     * @param listsAtOnceMax the most lists of which a page is read concurrently
     */
    public static long pageBytesMaxByDefault(long heapBytesMax, int listsAtOnceMax) {
        return Math.clamp(heapBytesMax / listsAtOnceMax / COPIES, PAGE_BYTES_LEAST, PAGE_BYTES_MOST);
    }

    /** How much of a list fits into a heap. */
    public static long listBytesMaxByDefault(long heapBytesMax) {
        return Math.max(heapBytesMax / 4, LIST_BYTES_LEAST);
    }
}
