package io.fairlead.net;

import java.time.Duration;

/**
 * When an endpoint counts as ready. Probes are made where an upstream has several endpoints to choose from.
 *
 * @param probeInterval between two probes of an endpoint that is ready; a failed one is repeated sooner
 * @param probeTimeout until the answer to a probe must be complete
 * @param probeFailures failed probes in a row after which an endpoint gets no requests
 * @param probePasses passed probes in a row after which it gets requests again
 * @param breakerFailures requests and connections in a row that were lost, after which an endpoint gets no requests until
 *     a probe passes
 * @param dnsRefresh between two look-ups of the name of an endpoint that connections are open to
 */
public record EndpointLimits(
        Duration probeInterval,
        Duration probeTimeout,
        int probeFailures,
        int probePasses,
        int breakerFailures,
        Duration dnsRefresh) {
    /** Those of tests that know no configuration. */
    public static EndpointLimits defaults() {
        return new EndpointLimits(Duration.ofSeconds(5), Duration.ofSeconds(5), 2, 1, 3, Duration.ofSeconds(30));
    }
}
