package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.RatePerSecond;
import java.net.InetAddress;
import java.util.function.LongSupplier;

/** Counts what clients do by their address and second; IPv6 addresses count by /64. Any thread. */
public final class AddressRate {
    private final RatePerSecond<AddressBlock> rate;

    /**
     * Counts from nothing.
     *
     * @param nanoTime the clock
     */
    public AddressRate(int perSecondMax, LongSupplier nanoTime) {
        this.rate = new RatePerSecond<>(perSecondMax, nanoTime);
    }

    /** Counts one; false if there were too many in this second. */
    public boolean allows(InetAddress address) {
        return rate.allows(AddressBlock.of(address));
    }

    /** Whether there were too many in this second; counts none. */
    public boolean isBeyond(InetAddress address) {
        return rate.isBeyond(AddressBlock.of(address));
    }
}
