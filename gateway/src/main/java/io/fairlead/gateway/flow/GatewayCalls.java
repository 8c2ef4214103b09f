package io.fairlead.gateway.flow;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.model.CallerName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;

/**
 * The requests to the gateway's own API that are under way, by their callers. Any caller may send them, and an answer about all
 * clusters takes a while; none of them waits. Any thread.
 */
final class GatewayCalls {
    private static final int RETRY_AFTER_SECONDS = 1;

    private final int perCallerMax;
    private final LimitMeter meter;
    private final CallerQuota underWay;

    GatewayCalls(LimitSettings limits, LimitMeter meter) {
        this.perCallerMax = limits.gatewayCallsPerCallerMax();
        this.meter = meter;
        this.underWay = new CallerQuota(Limit.GATEWAY_CALLS_PER_CALLER, perCallerMax);
    }

    /** As of {@link Flow#ofGateway}. */
    Share take(CallerName caller) {
        if (!underWay.take(caller)) {
            meter.reached(underWay.limit());
            throw new StatusException(Status.withCause(
                    429,
                    "TooManyRequests",
                    "too many requests: user \"" + caller.name() + "\" has " + perCallerMax
                            + " requests to the gateway itself already (expected fewer at once, by "
                            + underWay.limit().key() + "; try again later)",
                    "TooManyRequests",
                    RETRY_AFTER_SECONDS));
        }
        return new Share(() -> underWay.giveBack(caller));
    }
}
