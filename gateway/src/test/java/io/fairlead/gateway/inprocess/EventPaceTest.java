package io.fairlead.gateway.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EventPaceTest {
    private static final long GATHERING = EventPace.GATHERING.toNanos();

    private long now = Duration.ofDays(-1).toNanos();
    private final EventPace pace = new EventPace(() -> now);

    private EventPace.Watch[] watches(int count) {
        return IntStream.range(0, count).mapToObj(_ -> pace.new Watch()).toArray(EventPace.Watch[]::new);
    }

    private void writeEach(EventPace.Watch... watches) {
        for (EventPace.Watch watch : watches) {
            assertThat(watch.beforeWrite()).isGreaterThanOrEqualTo(0);
        }
    }

    @Test
    void fewWrites_areDoneAtOnce_howeverCloseTogether() {
        EventPace.Watch[] watches = watches(2);
        for (int i = 0; i < 1_000; i++) {
            for (EventPace.Watch watch : watches) {
                assertThat(watch.beforeWrite()).isZero();
            }
            now += Duration.ofMillis(1).toNanos();
        }
    }

    @Test
    void manyWrites_letTheEventsOfEachWatchGather() {
        EventPace.Watch[] watches = watches(EventPace.FEW_WRITES + 1);
        writeEach(watches);
        now += GATHERING;
        writeEach(watches);
        now += GATHERING / 5;

        assertThat(watches[0].beforeWrite()).as("since its last write").isEqualTo(GATHERING / 5 * 4);
    }

    @Test
    void watchThatIsWrittenToSeldom_neverPauses() {
        EventPace.Watch[] watches = watches(EventPace.FEW_WRITES * 2);
        for (int i = 0; i < 20; i++) {
            for (EventPace.Watch watch : watches) {
                assertThat(watch.beforeWrite()).isZero();
            }
            now += GATHERING;
        }
    }

    @Test
    void pauses_endWithTheManyWrites() {
        EventPace.Watch[] watches = watches(EventPace.FEW_WRITES * 2);
        writeEach(watches);
        now += GATHERING;
        writeEach(watches);
        now += GATHERING * 10;

        assertThat(watches[0].beforeWrite()).isZero();
        now += 1;
        assertThat(watches[0].beforeWrite())
                .as("200 writes in ten times the time")
                .isZero();
    }
}
