package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who gave up too many requests, and for how long that is remembered. */
class CancellationsTest {
    private static final int MAX = 20;

    private long now = TimeUnit.HOURS.toNanos(1);
    private final Cancellations cancellations = new Cancellations(MAX, Duration.ofSeconds(30), () -> now);

    @Test
    void requestsGivenUp_countToTheBudget_andBeyondItTheClientIsRefused() {
        for (int i = 0; i < MAX; i++) {
            assertThat(cancellations.count("jane", false)).isTrue();
        }
        assertThat(cancellations.refusedSeconds("jane")).isZero();

        assertThat(cancellations.count("jane", false)).isFalse();
        assertThat(cancellations.refusedSeconds("jane")).isBetween(1, 31);
        assertThat(cancellations.refusedSeconds("ann")).isZero();
        assertThat(cancellations.count("ann", false)).isTrue();
    }

    @Test
    void answeredRequests_countATenth() {
        for (int i = 0; i < 10 * MAX; i++) {
            assertThat(cancellations.count("jane", true)).isTrue();
        }

        assertThat(cancellations.count("jane", true)).isFalse();
    }

    @Test
    void nextWindow_forgets() {
        for (int i = 0; i <= MAX; i++) {
            cancellations.count("jane", false);
        }
        now += TimeUnit.SECONDS.toNanos(cancellations.refusedSeconds("jane"));

        assertThat(cancellations.refusedSeconds("jane")).isZero();
        assertThat(cancellations.count("jane", false)).isTrue();
    }
}
