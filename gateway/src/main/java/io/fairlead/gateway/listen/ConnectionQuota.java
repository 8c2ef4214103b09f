package io.fairlead.gateway.listen;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** How many connections there are, in total and by client address; IPv6 addresses count by /64. Any thread. */
final class ConnectionQuota {
    private final int max;
    private final int perAddressMax;
    private final AtomicInteger total = new AtomicInteger();
    private final ConcurrentMap<AddressBlock, Integer> byAddress = new ConcurrentHashMap<>();

    /**
     * Makes a quota.
     *
     * @param max in total, in the place of the configured one
     */
    ConnectionQuota(EdgeLimits.Connections limits, int max) {
        this.max = max;
        this.perAddressMax = limits.perAddressMax();
    }

    /** Counts a connection, or says which limit forbids it. What was counted is given back with {@link #release}. */
    @Nullable
    Limit acquire(InetAddress address) {
        if (total.incrementAndGet() > max) {
            total.decrementAndGet();
            return Limit.CONNECTIONS;
        }
        if (byAddress.merge(AddressBlock.of(address), 1, Integer::sum) > perAddressMax) {
            release(address);
            return Limit.CONNECTIONS_PER_ADDRESS;
        }
        return null;
    }

    void release(InetAddress address) {
        forget(address);
        total.decrementAndGet();
    }

    private void forget(InetAddress address) {
        byAddress.computeIfPresent(AddressBlock.of(address), (_, count) -> count == 1 ? null : count - 1);
    }
}
