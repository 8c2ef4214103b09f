package io.fairlead.gateway.authn;

import io.fairlead.gateway.listen.AddressBlock;
import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * Counts failed authentications by client address and second; IPv6 addresses count by /64.
 *
 * <p>Any thread. Only the current second is counted, for at most {@value #ADDRESSES_MAX} addresses; beyond them every
 * attempt is refused until the second ends.
 */
public final class FailedAttempts {
    private static final int ADDRESSES_MAX = 100_000;
    private static final int JUDGED_AT_ONCE_MAX = 8;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final int perSecondMax;
    private final LongSupplier nanoTime;

    /** How many credentials of each address are being judged; no entry for 0. */
    private final ConcurrentMap<AddressBlock, Integer> judged = new ConcurrentHashMap<>();

    private volatile Second second = new Second(Long.MIN_VALUE, new ConcurrentHashMap<>());

    /** The clock is {@code System::nanoTime} except in tests. */
    public FailedAttempts(int perSecondMax, LongSupplier nanoTime) {
        this.perSecondMax = perSecondMax;
        this.nanoTime = nanoTime;
    }

    /** Counts one failure; false if there were too many in this second. */
    boolean allows(InetAddress address) {
        AddressBlock block = AddressBlock.of(address);
        ConcurrentMap<AddressBlock, Integer> failures = thisSecond().failures();
        if (failures.size() >= ADDRESSES_MAX && !failures.containsKey(block)) {
            return false;
        }
        return failures.merge(block, 1, Integer::sum) <= perSecondMax;
    }

    /**
     * Begins to judge a credential, which {@link #end} ends; false if the address failed too often in this second and enough of its
     * credentials are being judged.
     */
    boolean begin(InetAddress address) {
        AddressBlock block = AddressBlock.of(address);
        int now = judged.merge(block, 1, Integer::sum);
        boolean isBeyond = thisSecond().failures().getOrDefault(block, 0) > perSecondMax;
        if (isBeyond && now > JUDGED_AT_ONCE_MAX) {
            end(address);
            return false;
        }
        return true;
    }

    void end(InetAddress address) {
        judged.computeIfPresent(AddressBlock.of(address), (_, count) -> count == 1 ? null : count - 1);
    }

    private Second thisSecond() {
        long now = Math.floorDiv(nanoTime.getAsLong(), NANOS_PER_SECOND);
        Second seen = second;
        if (seen.number() != now) {
            seen = new Second(now, new ConcurrentHashMap<>());
            second = seen;
        }
        return seen;
    }

    private record Second(long number, ConcurrentMap<AddressBlock, Integer> failures) {}
}
