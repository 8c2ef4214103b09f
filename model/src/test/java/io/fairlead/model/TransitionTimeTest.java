package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The time of a condition's last transition moves with its status alone, and never back. */
class TransitionTimeTest {
    private static final Instant NOW = Instant.parse("2026-01-02T12:00:00.900Z");

    @ParameterizedTest
    @CsvSource({
        "2026-01-02T11:00:00Z, 2026-01-02T12:00:00Z",
        "2026-01-02T12:00:00Z, 2026-01-02T12:00:00Z",
        "2026-01-02T13:00:00Z, 2026-01-02T13:00:00Z",
        "2026-01-02T12:00:00.500Z, 2026-01-02T12:00:00.500Z",
        "2026-01-02T14:00:00+01:00, 2026-01-02T14:00:00+01:00",
        "2026-01-02T12:30:00+01:00, 2026-01-02T12:00:00Z",
        "'', 2026-01-02T12:00:00Z",
        "yesterday, 2026-01-02T12:00:00Z"
    })
    void transition_isNow_butNeverBeforeTheStoredTime(String stored, String expected) {
        assertThat(TransitionTime.next(stored, true, NOW)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-02T11:00:00Z, 2026-01-02T11:00:00Z",
        "2026-01-02T13:00:00Z, 2026-01-02T13:00:00Z",
        "'', 2026-01-02T12:00:00Z",
        "yesterday, 2026-01-02T12:00:00Z"
    })
    void sameStatus_keepsAStoredTime_andHasOneAtLeast(String stored, String expected) {
        assertThat(TransitionTime.next(stored, false, NOW)).isEqualTo(expected);
    }

    @Test
    void clockThatJumps_movesNoTransitionBack() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String stored = "";
        for (int i = 0; i < 1_000; i++) {
            Instant now = NOW.plusMillis(random.nextLong(-3_600_000, 3_600_000));
            String next = TransitionTime.next(stored, random.nextBoolean(), now);
            if (!stored.isEmpty()) {
                assertThat(Instant.parse(next)).as("seed %s, step %s", seed, i).isAfterOrEqualTo(stored);
            }
            stored = next;
        }
    }
}
