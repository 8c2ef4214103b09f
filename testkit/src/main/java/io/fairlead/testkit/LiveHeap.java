package io.fairlead.testkit;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What of this process's heap is in use. */
public final class LiveHeap {
    private static final int LOOKS = 5;
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private LiveHeap() {}

    /**
     * The bytes of the objects that are reachable: the least of several looks, so that what other threads hold for a moment does not count.
     *
     * <p>Each look is at what the last collection left. What the heap has in use later counts the rest of each thread's allocation buffer as well, which is megabytes.
     */
    public static long bytes() {
        long least = Long.MAX_VALUE;
        for (int look = 0; look < LOOKS; look++) {
            System.gc();
            least = Math.min(least, leftByTheCollection());
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
        return least;
    }

    private static long leftByTheCollection() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }
}
