package io.fairlead.gateway.listen;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** How many connections there are, in total and by client address. Any thread. */
final class ConnectionQuota {
    private final int max;
    private final int perAddressMax;
    private final AtomicInteger total = new AtomicInteger();
    private final ConcurrentMap<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();

    ConnectionQuota(EdgeLimits limits) {
        this.max = limits.connectionsMax();
        this.perAddressMax = limits.connectionsPerAddressMax();
    }

    /** Counts a connection, or refuses it. What was counted is given back with {@link #release}. */
    boolean acquire(InetAddress address) {
        if (total.incrementAndGet() <= max) {
            if (byAddress.merge(address, 1, Integer::sum) <= perAddressMax) {
                return true;
            }
            forget(address);
        }
        total.decrementAndGet();
        return false;
    }

    void release(InetAddress address) {
        forget(address);
        total.decrementAndGet();
    }

    private void forget(InetAddress address) {
        byAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
    }
}
