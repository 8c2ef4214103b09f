package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a body comes too slowly: below 10 bytes a second over 30 seconds of waiting. */
class BodyPaceTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private long nanos;
    private int tooSlow;
    private final BodyPace pace = new BodyPace(
            Limited.by(Map.of("limits.bodyBytesPerSecondMin", 10, "limits.bodyPaceWindow", "30s"))
                    .limits(),
            channel.eventLoop(),
            () -> nanos,
            () -> tooSlow++);

    @BeforeEach
    void start() {
        channel.freezeTime();
    }

    @AfterEach
    void stop() {
        channel.finishAndReleaseAll();
    }

    @Test
    void nothingComes_isTooSlowAfterTheWindow() {
        pace.awaiting();
        pass(29);
        assertThat(tooSlow).isZero();
        pass(2);
        assertThat(tooSlow).isEqualTo(1);
    }

    @Test
    void drops_areTooSlow_aTrickleIsNot() {
        trickle(1, 29);
        assertThat(tooSlow).isZero();
        trickle(1, 2);
        assertThat(tooSlow).isEqualTo(1);
    }

    @Test
    void enough_inEachWindow_isFine() {
        trickle(11, 200);
        assertThat(tooSlow).isZero();
    }

    @Test
    void bodyThatNobodyAsksFor_isNoFaultOfTheClient() {
        pace.awaiting();
        pass(1);
        pace.came(1, false);
        pass(600);
        assertThat(tooSlow).isZero();

        pace.awaiting();
        pass(28);
        assertThat(tooSlow).isZero();
        pass(2);
        assertThat(tooSlow).isEqualTo(1);
    }

    @Test
    void stopped_isNeverTooSlow() {
        pace.awaiting();
        pace.stop();
        pass(600);
        assertThat(tooSlow).isZero();
    }

    private void trickle(int bytesPerSecond, int seconds) {
        for (int i = 0; i < seconds; i++) {
            pace.awaiting();
            pass(1);
            pace.came(bytesPerSecond, true);
        }
    }

    private void pass(int seconds) {
        nanos += TimeUnit.SECONDS.toNanos(seconds);
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }
}
