package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.limits.Limit;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an answer has no reader any more: its queue is full and stood still for 60 seconds, or memory is short. */
class StalledReaderTest implements StalledReader.Queue {
    private static final int BUDGET = 5_000;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ByteBudget budget = new ByteBudget(BUDGET, () -> 0);
    private long queuedBytes;
    private final List<Limit> limits = new ArrayList<>();
    private final StalledReader reader = new StalledReader(channel, this, Duration.ofSeconds(60), budget);

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
        assertThat(limits).isEmpty();
        pass(2);
        assertThat(limits).containsExactly(Limit.STALLED_READER);
    }

    @Test
    void fullQueue_ofWhichALittleIsRead_isNot() {
        write(1_000);
        for (int i = 0; i < 20; i++) {
            pass(55);
            queuedBytes--;
            pass(5);
        }
        assertThat(limits).isEmpty();
        pass(61);
        assertThat(limits).containsExactly(Limit.STALLED_READER);
    }

    @Test
    void queueWithRoom_isNoConcern() {
        writable(true);
        reader.wrote();
        pass(600);
        assertThat(limits).isEmpty();
    }

    @Test
    void queueThatWasReadInTime_isWatchedAnewWhenItIsFullAgain() {
        write(100);
        pass(50);
        writable(true);
        pass(600);
        write(100);
        pass(59);
        assertThat(limits).isEmpty();
        pass(2);
        assertThat(limits).containsExactly(Limit.STALLED_READER);
    }

    @Test
    void readerThatMayPause_isNeverStalled_butTheNextOneIs() {
        write(100);
        reader.ignore();
        reader.wrote();
        pass(600);
        assertThat(limits).isEmpty();

        reader.heedNext();
        pass(61);
        assertThat(limits).containsExactly(Limit.STALLED_READER);
    }

    @Test
    void bytesOfAFullQueueAndAtItsSource_areCounted_untilThereIsRoom() {
        write(1_000);
        reader.waiting(700);
        assertThat(budget.total()).isEqualTo(1_700);

        writable(true);
        reader.hasRoom();
        assertThat(budget.total()).isEqualTo(700);
        reader.waiting(0);
        assertThat(budget.total()).isZero();
    }

    @Test
    void queueWithRoom_isNotCounted() {
        queuedBytes = 1_000;
        reader.wrote();

        assertThat(budget.total()).isZero();
    }

    @Test
    void whatWaitsForAll_beyondTheBudget_endsTheReaderOfTheMost() {
        write(3_000);
        budget.part(() -> new ByteBudget.Holder("dev", "ann"), () -> {}).hold(2_001, true);
        pass(0);

        assertThat(limits).containsExactly(Limit.UNREAD_BYTES);
        assertThat(budget.total()).isEqualTo(2_001);
        pass(600);
        assertThat(limits).hasSize(1);
    }

    @Test
    void readerThatMayPause_isEndedWhereMemoryIsShort() {
        write(3_000);
        reader.ignore();
        reader.waiting(2_001);
        pass(0);

        assertThat(limits).containsExactly(Limit.UNREAD_BYTES);
    }

    @Test
    void endedAnswer_isNotCounted_norEndedAgain() {
        write(3_000);
        reader.stop();
        reader.waiting(9_000);
        pass(600);

        assertThat(budget.total()).isZero();
        assertThat(limits).isEmpty();
    }

    @Override
    public ByteBudget.Holder reader() {
        return new ByteBudget.Holder("dev", "jane");
    }

    @Override
    public boolean isFull() {
        return !channel.isWritable();
    }

    @Override
    public long bytes() {
        return queuedBytes;
    }

    @Override
    public long bytesAhead() {
        return queuedBytes;
    }

    @Override
    public void stalled(Limit limit) {
        limits.add(limit);
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
        channel.runPendingTasks();
    }
}
