package io.fairlead.gateway.authn;

import io.fairlead.gateway.listen.AddressBlock;
import io.fairlead.gateway.listen.AddressRate;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/** Counts failed authentications by client address and second, and what is judged of an address that fails too often. Any thread. */
public final class FailedAttempts {
    private static final int JUDGED_AT_ONCE_MAX = 8;

    private final AddressRate failures;

    /** How many credentials of each address are being judged; no entry for 0. */
    private final ConcurrentMap<AddressBlock, Integer> judged = new ConcurrentHashMap<>();

    /** The clock is {@code System::nanoTime} except in tests. */
    public FailedAttempts(int perSecondMax, LongSupplier nanoTime) {
        this.failures = new AddressRate(perSecondMax, nanoTime);
    }

    /** Counts one failure; false if there were too many in this second. */
    boolean allows(InetAddress address) {
        return failures.allows(address);
    }

    /**
     * Begins to judge a credential, which {@link #end} ends; false if the address failed too often in this second and enough of its
     * credentials are being judged.
     */
    boolean begin(InetAddress address) {
        int now = judged.merge(AddressBlock.of(address), 1, Integer::sum);
        if (failures.isBeyond(address) && now > JUDGED_AT_ONCE_MAX) {
            end(address);
            return false;
        }
        return true;
    }

    void end(InetAddress address) {
        judged.computeIfPresent(AddressBlock.of(address), (_, count) -> count == 1 ? null : count - 1);
    }
}
