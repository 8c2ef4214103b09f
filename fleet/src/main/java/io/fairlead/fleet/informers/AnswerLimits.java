package io.fairlead.fleet.informers;

import io.fairlead.model.ClusterName;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;

/*
 * A tree of JSON takes up to thirty times the bytes of its text, a line that grows up to three times. So a document and a
 * line are at most a sixtieth of the heap, which leaves a tree half of it, and all large lines together take an eighth.
 */
/**
 * How much of what clusters answer is in memory at once, for all who ask them: clusters are free in what they send. Each permit
 * is taken in the order of the members. Threads: any.
 *
 * @param lists one for each cluster, so that one that is slow holds up no more than one of the pages
 * @param pages those that are read at once
 * @param trees the large documents of which a tree is in memory at once
 * @param lines the large lines of watches that are in memory at once
 * @param documentBytesMax of a page
 * @param lineBytesMax of an event
 */
record AnswerLimits(
        ConcurrentMap<ClusterName, Semaphore> lists,
        Semaphore pages,
        Semaphore trees,
        Semaphore lines,
        int documentBytesMax,
        int lineBytesMax) {
    private static final int MIB = 1024 * 1024;
    private static final int DOCUMENT_BYTES_MAX = 16 * MIB;
    private static final int LINE_BYTES_MAX = 8 * MIB;
    private static final int TREE_BYTES_PER_BYTE = 30;
    private static final int LINE_BYTES_PER_BYTE = 3;
    private static final int PAGES_MAX = 4;
    private static final int PAGE_HEAP_BYTES = 256 * MIB;
    private static final int LINES_MAX = 16;

    /** In proportion to a heap. */
    static AnswerLimits of(long heapBytes) {
        int bytesMax = (int) Math.min(heapBytes / (2 * TREE_BYTES_PER_BYTE), DOCUMENT_BYTES_MAX);
        int lineBytesMax = Math.min(bytesMax, LINE_BYTES_MAX);
        return new AnswerLimits(
                new ConcurrentHashMap<>(),
                new Semaphore(bounded(heapBytes / PAGE_HEAP_BYTES, PAGES_MAX)),
                new Semaphore(1),
                new Semaphore(bounded(heapBytes / 8 / ((long) LINE_BYTES_PER_BYTE * lineBytesMax), LINES_MAX)),
                bytesMax,
                lineBytesMax);
    }

    /** The permit to list a cluster. */
    Semaphore list(ClusterName cluster) {
        return lists.computeIfAbsent(cluster, _ -> new Semaphore(1));
    }

    private static int bounded(long count, int max) {
        return Math.clamp(count, 1, max);
    }
}
