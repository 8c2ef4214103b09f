package io.fairlead.gateway.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EventPaceTest {
    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final int PROCESSORS = 2;

    private long now = Duration.ofDays(-1).toNanos();
    private final EventPace pace = new EventPace(() -> now, PROCESSORS);

    /** Watches that all have an event every so many milliseconds, for two seconds; the writes of the second one. */
    private int writesInASecond(int count, int everyMillis) {
        EventPace.Watch[] watches =
                IntStream.range(0, count).mapToObj(_ -> pace.new Watch()).toArray(EventPace.Watch[]::new);
        long[] free = new long[count];
        int writes = 0;
        for (int i = 0; i < count; i++) {
            free[i] = now;
        }
        for (int millis = 0; millis < 2_000; millis++) {
            for (int i = 0; i < count; i++) {
                if ((millis + i) % everyMillis == 0 && free[i] - now <= 0) {
                    long pause = watches[i].beforeWrite();
                    assertThat(pause).isBetween(0L, EventPace.PAUSE_MAX.toNanos());
                    free[i] = now + pause;
                    writes += millis < 1_000 ? 0 : 1;
                }
            }
            now += MILLI;
        }
        return writes;
    }

    @Test
    void fewWatches_areWrittenToAtOnce_howeverBusyTheyAre() {
        assertThat(writesInASecond(10, 1)).isEqualTo(10_000);
    }

    @Test
    void manyWatches_thatAreSeldomWrittenTo_neverWait() {
        assertThat(writesInASecond(1_000, 100)).isEqualTo(10_000);
    }

    @Test
    void manyBusyWatches_areWrittenToAsOftenAsTheProcessorsBear() {
        assertThat(writesInASecond(1_000, 5)).isBetween(15_000, 25_000);
    }

    @Test
    void pauses_haveABound() {
        assertThat(writesInASecond(10_000, 5)).isBetween(90_000, 110_000);
    }

    @Test
    void pauses_endWithTheManyWrites() {
        assertThat(writesInASecond(1_000, 5)).isLessThan(30_000);

        assertThat(writesInASecond(10, 1)).isEqualTo(10_000);
    }
}
