package io.fairlead.gateway.metrics;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How many meters of requests there are, of one cluster or of all, and whether there is room for more. Clients choose the
 * resources and verbs, and the servers of an attached cluster the codes.
 *
 * <p>Threads: any. Each thread may exceed the limit by the few meters of one request.
 */
final class MeterCount {
    /** A meter, with its labels and with its lines of a scrape. */
    private static final int BYTES_EACH = 2 * 1024;

    /** All meters together take at most this part of the heap, and those of one cluster this part of that. */
    private static final int PARTS_OF_HEAP = 8;

    private static final int PARTS_OF_ALL = 4;

    /** Which each cluster has room for, whatever the others have. */
    private static final int FLOOR = 50;

    private final @Nullable MeterCount all;
    private final long max;
    private final AtomicInteger count = new AtomicInteger();

    private MeterCount(@Nullable MeterCount all, long max) {
        this.all = all;
        this.max = max;
    }

    /** That of all clusters. */
    static MeterCount ofHeap(long heapBytes) {
        return new MeterCount(null, heapBytes / PARTS_OF_HEAP / BYTES_EACH);
    }

    /** That of one more cluster. */
    MeterCount ofCluster() {
        return new MeterCount(this, max / PARTS_OF_ALL);
    }

    void add(int meters) {
        count.addAndGet(meters);
        if (all != null) {
            all.add(meters);
        }
    }

    boolean isFull() {
        int here = count.get();
        return here >= max || (here >= FLOOR && all != null && all.isFull());
    }
}
