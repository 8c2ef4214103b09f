package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.clustersync.ManualScheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How long there may be no watch before changes count as missed. */
class WatchGapTest {
    private static final Duration LOST_AFTER = Duration.ofSeconds(30);
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final AtomicInteger lasted = new AtomicInteger();
    private Runnable whenItLasts = lasted::incrementAndGet;
    private final WatchGap gap = new WatchGap(scheduler::nanoTime, scheduler, LOST_AFTER, () -> whenItLasts.run());

    @Test
    void gap_isLong_afterTwoSeconds_andIsToldOf_onceItLasted() {
        gap.begin();
        scheduler.pass(Duration.ofSeconds(2));
        assertThat(gap.isLong()).isFalse();
        scheduler.pass(MOMENT);
        assertThat(gap.isLong()).isTrue();
        gap.begin();

        scheduler.pass(LOST_AFTER);

        assertThat(lasted).hasValue(1);
        assertThat(gap.end()).as("nothing was lost yet").isFalse();
        assertThat(gap.isLong()).isFalse();
    }

    @Test
    void gapThatEndsInTime_isNotToldOf() {
        gap.begin();

        assertThat(gap.end()).isFalse();
        scheduler.pass(LOST_AFTER);

        assertThat(lasted).hasValue(0);
        assertThat(scheduler.dueCount()).isZero();
    }

    @Test
    void gapThatIsLost_staysSo_untilItEnds() {
        gap.begin();
        gap.lose();
        gap.begin();

        assertThat(gap.isLong()).isTrue();
        assertThat(gap.end()).isTrue();
        assertThat(gap.end()).isFalse();
        assertThat(gap.isLong()).isFalse();
    }

    @Test
    void error_atTheEndOfPatience_leavesTheNextGapAsItShouldBe() {
        whenItLasts = () -> {
            throw new AssertionError("of a test");
        };
        gap.begin();
        assertThatThrownBy(() -> scheduler.pass(LOST_AFTER)).hasMessage("of a test");
        whenItLasts = lasted::incrementAndGet;

        gap.end();
        gap.begin();
        scheduler.pass(LOST_AFTER);

        assertThat(lasted).hasValue(1);
    }
}
