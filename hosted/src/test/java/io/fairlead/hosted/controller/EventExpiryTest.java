package io.fairlead.hosted.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventExpiryTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void events_liveAsLongAsIsSaid() {
        EventExpiry expiry = new EventExpiry(Duration.ofMinutes(10));
        assertThat(expiry.expired(START, 5)).isZero();

        assertThat(expiry.expired(START.plus(Duration.ofMinutes(9)), 6)).isZero();
        assertThat(expiry.expired(START.plus(Duration.ofMinutes(10)), 7)).isEqualTo(5);
    }
}
