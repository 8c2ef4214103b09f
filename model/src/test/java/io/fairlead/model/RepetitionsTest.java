package io.fairlead.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RepetitionsTest {
    private final AtomicLong nowNanos = new AtomicLong(Long.MAX_VALUE - 5); // the clock may begin anywhere
    private final Repetitions repetitions = new Repetitions(1, nowNanos::get);

    @Test
    void first_isToldAtOnce_andThoseOfTheNextMinuteAreCounted() {
        assertThat(repetitions.next("a")).isEqualTo(OptionalLong.of(0));
        assertThat(repetitions.next("a")).isEmpty();
        pass(Duration.ofSeconds(59));
        assertThat(repetitions.next("a")).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(repetitions.next("a")).isEqualTo(OptionalLong.of(2));
        assertThat(repetitions.next("a")).isEmpty();
        pass(Duration.ofMinutes(1));
        assertThat(repetitions.next("a")).isEqualTo(OptionalLong.of(1));
    }

    @Test
    void kinds_areToldOfEachForItself() {
        assertThat(repetitions.next("a")).isPresent();
        assertThat(repetitions.next("b")).isPresent();
        assertThat(repetitions.next("b")).isEmpty();
    }

    @Test
    void kindsBeyondTheLimit_countAsOne() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(repetitions.next(i)).isPresent();
        }
        assertThat(repetitions.next("beyond")).isEqualTo(OptionalLong.of(0));
        for (int i = 0; i < 500; i++) {
            assertThat(repetitions.next("beyond " + i)).isEmpty();
        }
        assertThat(repetitions.next(999)).as("a kind that is kept").isEmpty();
        pass(Duration.ofMinutes(1));

        assertThat(repetitions.next("later")).as("in the place of an old one").isEqualTo(OptionalLong.of(0));
        assertThat(repetitions.next("later")).isEmpty();
        assertThat(repetitions.next(500)).isPresent();
    }

    @Test
    void changes_areToldTenTimesAtOnce_thenOnceAMinute() {
        Repetitions changes = new Repetitions(10, nowNanos::get);
        for (int i = 0; i < 10; i++) {
            assertThat(changes.next("a")).isEqualTo(OptionalLong.of(0));
        }
        assertThat(changes.next("a")).isEmpty();
        pass(Duration.ofMinutes(1));
        assertThat(changes.next("a")).isEqualTo(OptionalLong.of(1));
        assertThat(changes.next("a")).isEmpty();
        pass(Duration.ofHours(1));
        for (int i = 0; i < 10; i++) {
            assertThat(changes.next("a")).isPresent();
        }
        assertThat(changes.next("a")).isEmpty();
    }

    private void pass(Duration time) {
        nowNanos.addAndGet(time.toNanos());
    }
}
