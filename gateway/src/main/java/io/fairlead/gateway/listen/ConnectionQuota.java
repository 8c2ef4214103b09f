package io.fairlead.gateway.listen;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.Limit;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How many connections there are: in total, by client address, where IPv6 addresses count by /64, and by the first
 * caller that authenticated on them. Any thread.
 */
final class ConnectionQuota {
    private final int max;
    private final int perAddressMax;
    private final int perCallerMax;
    private final AtomicInteger total = new AtomicInteger();
    private final ConcurrentMap<Object, Integer> byAddress = new ConcurrentHashMap<>();
    private final ConcurrentMap<Object, Integer> byCaller = new ConcurrentHashMap<>();

    /**
     * A quota.
     *
     * @param max in total, instead of the configured one
     */
    ConnectionQuota(LimitSettings limits, int max) {
        Integer perCaller = limits.connectionsPerCallerMax();
        this.max = max;
        this.perAddressMax = limits.connectionsPerAddressMax();
        this.perCallerMax = perCaller == null ? perCallerMaxOf(max) : perCaller;
    }

    /** A quarter of the total, so that one caller cannot take all places. */
    private static int perCallerMaxOf(int max) {
        return Math.max(1, max / 4);
    }

    /** Counts a connection, or returns the exceeded limit. {@link #release} undoes the count. */
    @Nullable
    Limit acquire(InetAddress address) {
        if (!count(byAddress, AddressBlock.of(address), perAddressMax)) {
            return Limit.CONNECTIONS_PER_ADDRESS;
        }
        if (total.incrementAndGet() > max) {
            release(address);
            return Limit.CONNECTIONS;
        }
        return null;
    }

    void release(InetAddress address) {
        forget(byAddress, AddressBlock.of(address));
        total.decrementAndGet();
    }

    /** Counts a connection for a caller; false if that is at its limit. */
    boolean acquireFor(Object caller) {
        return count(byCaller, caller, perCallerMax);
    }

    void releaseOf(Object caller) {
        forget(byCaller, caller);
    }

    private static boolean count(ConcurrentMap<Object, Integer> counts, Object of, int max) {
        if (counts.merge(of, 1, Integer::sum) > max) {
            forget(counts, of);
            return false;
        }
        return true;
    }

    private static void forget(ConcurrentMap<Object, Integer> counts, Object of) {
        counts.computeIfPresent(of, (_, count) -> count == 1 ? null : count - 1);
    }
}
