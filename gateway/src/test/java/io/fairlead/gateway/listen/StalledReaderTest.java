package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an answer has no reader any more: its queue is full and stood still for 60 seconds. */
class StalledReaderTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private long queuedBytes;
    private int stalls;
    private final StalledReader reader =
            new StalledReader(channel, channel::isWritable, () -> queuedBytes, Duration.ofSeconds(60), () -> stalls++);

    @BeforeEach
    void start() {
        channel.freezeTime();
    }

    @AfterEach
    void stop() {
        channel.finishAndReleaseAll();
    }

    @Test
    void fullQueue_thatStandsStill_isStalled() {
        write(100);
        pass(59);
        assertThat(stalls).isZero();
        pass(2);
        assertThat(stalls).isEqualTo(1);
    }

    @Test
    void fullQueue_ofWhichALittleIsRead_isNot() {
        write(1_000);
        for (int i = 0; i < 20; i++) {
            pass(55);
            queuedBytes--;
            pass(5);
        }
        assertThat(stalls).isZero();
        pass(61);
        assertThat(stalls).isEqualTo(1);
    }

    @Test
    void queueWithRoom_isNoConcern() {
        writable(true);
        reader.wrote();
        pass(600);
        assertThat(stalls).isZero();
    }

    @Test
    void queueThatWasReadInTime_isWatchedAnewWhenItIsFullAgain() {
        write(100);
        pass(50);
        writable(true);
        pass(600);
        write(100);
        pass(59);
        assertThat(stalls).isZero();
        pass(2);
        assertThat(stalls).isEqualTo(1);
    }

    @Test
    void readerThatMayPause_isNeverStalled_butTheNextOneIs() {
        write(100);
        reader.ignore();
        reader.wrote();
        pass(600);
        assertThat(stalls).isZero();

        reader.heed();
        pass(61);
        assertThat(stalls).isEqualTo(1);
    }

    private void write(long bytes) {
        queuedBytes = bytes;
        writable(false);
        reader.wrote();
    }

    private void writable(boolean isWritable) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        assertThat(buffer).isNotNull();
        buffer.setUserDefinedWritability(1, isWritable);
    }

    private void pass(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }
}
