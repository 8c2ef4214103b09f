package io.fairlead.clustersync.fabric8;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchPaceTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final byte[] EVENT = "{\"type\":\"MODIFIED\"}\n".getBytes(UTF_8);

    private long now = Long.MAX_VALUE - 5 * SECOND; // The clock may have any value, and overflow.
    private final WatchPace pace = new WatchPace();

    @Test
    void whatComesAtOnce_isReadWithoutAPause_asOftenAsThereWasTimeInBetween() {
        byte[] definitions = new byte[(int) WatchPace.BYTES_AT_ONCE];
        for (int i = 0; i < 3; i++) {
            assertThat(pace.pauseAfter(definitions, now)).isZero();
            now += WatchPace.BYTES_AT_ONCE / WatchPace.BYTES_PER_SECOND * SECOND;
        }
    }

    @Test
    void longRest_savesUpNoMoreThanThat() {
        assertThat(pace.pauseAfter(EVENT, now)).isZero();
        now += 3600 * SECOND;
        assertThat(pace.pauseAfter(new byte[(int) WatchPace.BYTES_AT_ONCE], now))
                .isZero();

        assertThat(pace.pauseAfter(new byte[(int) WatchPace.BYTES_PER_SECOND], now))
                .isEqualTo(SECOND);
    }

    @Test
    void hundredsOfSmallEventsASecond_areNeverPaused() {
        for (int i = 0; i < 100_000; i++) {
            assertThat(pace.pauseAfter(EVENT, now)).isZero();
            now += SECOND / 900;
        }
    }

    @Test
    void floodOfSmallEvents_isReadByTheNumberOfThem() {
        long began = now;
        int events = 0;
        while (now - began < 60 * SECOND) {
            now += pace.pauseAfter(EVENT, now);
            events++;
        }

        long allowed =
                (WatchPace.BYTES_AT_ONCE + 60 * WatchPace.BYTES_PER_SECOND) / (WatchPace.EVENT_BYTES + EVENT.length);
        assertThat(events).isBetween((int) (allowed * 0.98), (int) (allowed * 1.02));
    }

    @Test
    void pause_isWorthWakingUpAfter_howeverLittleIsTooMuch() {
        assertThat(pace.pauseAfter(new byte[(int) WatchPace.BYTES_AT_ONCE], now))
                .isZero();

        assertThat(pace.pauseAfter(new byte[1], now)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }
}
