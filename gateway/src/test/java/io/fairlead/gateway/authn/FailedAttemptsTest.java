package io.fairlead.gateway.authn;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailedAttemptsTest {
    private final AtomicLong nanoTime = new AtomicLong();
    private final FailedAttempts attempts = new FailedAttempts(2, nanoTime::get);

    @Test
    void allows_isCountedByAddressAndSecond() {
        InetAddress one = InetAddress.ofLiteral("10.0.0.1");
        InetAddress other = InetAddress.ofLiteral("10.0.0.2");

        assertThat(attempts.allows(one)).isTrue();
        assertThat(attempts.allows(one)).isTrue();
        assertThat(attempts.allows(one)).isFalse();
        assertThat(attempts.allows(other)).isTrue();

        nanoTime.addAndGet(1_000_000_000L);
        assertThat(attempts.allows(one)).isTrue();
    }
}
