package io.fairlead.clustersync.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BackoffTest {
    private static final long SEED = 7;

    @Test
    void next_doublesUpToTheLimit_withJitter() {
        Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), new Random(SEED));

        for (long whole : new long[] {100, 200, 400, 800, 1600, 2000, 2000}) {
            assertThat(backoff.next().toMillis()).as("seed %s", SEED).isBetween(whole / 2, whole);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.next()).as("seed %s", SEED).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        }
    }

    @Test
    void reset_beginsAnew() {
        Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), new Random(SEED));
        for (int i = 0; i < 10; i++) {
            assertThat(backoff.next()).isPositive();
        }

        backoff.reset();

        assertThat(backoff.next().toMillis()).as("seed %s", SEED).isLessThanOrEqualTo(100);
    }
}
