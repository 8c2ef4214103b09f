package io.fairlead.gateway.flow;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.model.CallerName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The requests to the gateway's own API that are under way, by their callers. Any caller may send them, and an answer about all
 * clusters takes a while; none of them waits. Any thread.
 */
final class GatewayCalls {
    private static final int RETRY_AFTER_SECONDS = 1;

    private final int perCallerMax;
    private final LimitMeter meter;

    /** No entry for 0. */
    private final ConcurrentMap<CallerName, Integer> underWay = new ConcurrentHashMap<>();

    GatewayCalls(LimitSettings limits, LimitMeter meter) {
        this.perCallerMax = limits.gatewayCallsPerCallerMax();
        this.meter = meter;
    }

    /** As of {@link Flow#ofGateway}. */
    Share take(CallerName caller) {
        if (underWay.merge(caller, 1, Integer::sum) > perCallerMax) {
            giveBack(caller);
            meter.reached(Limit.GATEWAY_CALLS_PER_CALLER);
            throw new StatusException(Status.withCause(
                    429,
                    "TooManyRequests",
                    "too many requests: user \"" + caller.name() + "\" has " + perCallerMax
                            + " requests to the gateway itself already (expected fewer at once, by "
                            + Limit.GATEWAY_CALLS_PER_CALLER.key() + "; try again later)",
                    "TooManyRequests",
                    RETRY_AFTER_SECONDS));
        }
        return new Share(() -> giveBack(caller));
    }

    private void giveBack(CallerName caller) {
        underWay.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
    }
}
