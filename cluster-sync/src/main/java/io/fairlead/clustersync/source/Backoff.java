package io.fairlead.clustersync.source;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: doubled with each failure up to a limit, with a random part of up to half,
 * so that simultaneous failures do not retry simultaneously. For one thread at a time.
 */
public final class Backoff {
    private static final int DOUBLINGS_MAX = 20;

    private final Duration first;
    private final Duration max;
    private final RandomGenerator random;
    private int failures;

    public Backoff(Duration first, Duration max, RandomGenerator random) {
        this.first = first;
        this.max = max;
        this.random = random;
    }

    public Duration next() {
        long doubled = first.toNanos() << Math.min(failures++, DOUBLINGS_MAX);
        long bounded = doubled <= 0 ? max.toNanos() : Math.min(doubled, max.toNanos());
        return Duration.ofNanos(bounded / 2 + random.nextLong(bounded / 2 + 1));
    }

    public void reset() {
        failures = 0;
    }
}
