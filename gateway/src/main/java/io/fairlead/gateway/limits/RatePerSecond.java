package io.fairlead.gateway.limits;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * Counts what each of many does in a second.
 *
 * <p>Any thread. Only the current second is counted, for at most {@value #KEYS_MAX} of them; beyond them everything is too much
 * until the second ends.
 *
 * @param <K> by which they are told apart
 */
public final class RatePerSecond<K> {
    private static final int KEYS_MAX = 100_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final int perSecondMax;
    private final LongSupplier nanoTime;

    private volatile Second<K> second = new Second<>(Long.MIN_VALUE, new ConcurrentHashMap<>());

    /**
     * Counts from nothing.
     *
     * @param perSecondMax of each of them
     * @param nanoTime the clock
     */
    public RatePerSecond(int perSecondMax, LongSupplier nanoTime) {
        this.perSecondMax = perSecondMax;
        this.nanoTime = nanoTime;
    }

    /** Counts one; false if there were too many in this second. */
    public boolean allows(K key) {
        ConcurrentMap<K, Integer> counts = thisSecond().counts();
        if (counts.size() >= KEYS_MAX && !counts.containsKey(key)) {
            return false;
        }
        return counts.merge(key, 1, Integer::sum) <= perSecondMax;
    }

    /** Whether there were too many in this second; counts none. */
    public boolean isBeyond(K key) {
        return thisSecond().counts().getOrDefault(key, 0) > perSecondMax;
    }

    private Second<K> thisSecond() {
        long now = Math.floorDiv(nanoTime.getAsLong(), NANOS_PER_SECOND);
        Second<K> seen = second;
        if (seen.number() != now) {
            seen = new Second<>(now, new ConcurrentHashMap<>());
            second = seen;
        }
        return seen;
    }

    private record Second<K>(long number, ConcurrentMap<K, Integer> counts) {}
}
