package io.fairlead.gateway.listen;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/*
 * A request that is cancelled at once costs its client two frames, and the server the work of starting and ending it;
 * an API server closes the shared connection when it sees too many. Counting by connection bounds nothing where
 * connections are cheap. So cancellations count by caller, and by address while the caller is unknown. Cancelling an
 * answer that has begun is the normal end of a watch; it counts a tenth. Over HTTP/1.1 a client cancels by
 * disconnecting: that costs it a connection, and an attached cluster the same.
 */
/**
 * How many requests each client cancelled in a window of time, on all its connections. A client over the budget is
 * refused until the window ends.
 *
 * <p>Any thread. At most {@value #CLIENTS_MAX} clients are counted in one window; further ones are not.
 */
final class Cancellations {
    private static final int CLIENTS_MAX = 100_000;
    private static final int COST = 10;
    private static final int COST_ONCE_ANSWERED = 1;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final int costMax;
    private final long windowNanos;
    private final LongSupplier nanoTime;
    private volatile Window window = new Window(Long.MIN_VALUE, new ConcurrentHashMap<>());

    /** The clock is {@code System::nanoTime} except in tests. */
    Cancellations(int max, Duration window, LongSupplier nanoTime) {
        this.costMax = (int) Math.min(Integer.MAX_VALUE / 2, (long) max * COST);
        this.windowNanos = window.toNanos();
        this.nanoTime = nanoTime;
    }

    /** The most resets of one connection in a window: one more than the budget here. */
    static int resetsMaxOfConnection(int max) {
        return (int) Math.min(Integer.MAX_VALUE / 2, (long) max * COST / COST_ONCE_ANSWERED + 1);
    }

    /**
     * Counts one; false if there were too many.
     *
     * @param client the key to count by
     * @param answered whether the answer had begun
     */
    boolean count(Object client, boolean answered) {
        ConcurrentMap<Object, Integer> costs = window(nanoTime.getAsLong()).costs();
        if (costs.size() >= CLIENTS_MAX && !costs.containsKey(client)) {
            return true;
        }
        int cost = answered ? COST_ONCE_ANSWERED : COST;
        return costs.merge(client, cost, (before, more) -> Math.min(before + more, costMax + 1)) <= costMax;
    }

    /** The seconds for which a client is refused from now on; 0 if it is not. */
    int refusedSeconds(Object client) {
        long now = nanoTime.getAsLong();
        Integer cost = window(now).costs().get(client);
        if (cost == null || cost <= costMax) {
            return 0;
        }
        long leftNanos = windowNanos - Math.floorMod(now, windowNanos);
        return (int) (1 + leftNanos / NANOS_PER_SECOND);
    }

    private Window window(long now) {
        long number = Math.floorDiv(now, windowNanos);
        Window seen = window;
        if (seen.number() != number) {
            seen = new Window(number, new ConcurrentHashMap<>());
            window = seen;
        }
        return seen;
    }

    private record Window(long number, ConcurrentMap<Object, Integer> costs) {}
}
