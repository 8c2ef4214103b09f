package io.fairlead.gateway.listen;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.limits.Limit;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When an answer has no reader any more: nothing of what waits was read for 60 seconds, or memory is short. */
class StalledReaderTest implements StalledReader.Queue {
    private static final int BUDGET = 10_000;
    private static final int ANSWER_BYTES = 2 * 1024;

    private boolean closed;
    private final EmbeddedChannel channel = new EmbeddedChannel() {
        @Override
        public boolean isActive() {
            return !closed && super.isActive();
        }
    };
    private final ByteBudget budget = new ByteBudget(BUDGET, () -> 0);
    private long writtenBytes;
    private long readBytes;
    private boolean mustRead = true;
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
    void answerOfWhichNothingIsRead_isStalled() {
        write(100);
        pass(59);
        assertThat(limits).isEmpty();
        pass(2);
        assertThat(limits).containsExactly(Limit.STALLED_READER);
        pass(600);
        assertThat(limits).hasSize(1);
    }

    @Test
    void answerOfWhichALittleIsRead_isNot() {
        write(1_000);
        for (int i = 0; i < 20; i++) {
            pass(55);
            read(1);
            pass(5);
        }
        assertThat(limits).isEmpty();
        pass(61);
        assertThat(limits).containsExactly(Limit.STALLED_READER);
    }

    @Test
    void answerThatGrows_isStalledAllTheSame() {
        write(100);
        pass(30);
        write(100);
        pass(31);
        assertThat(limits).containsExactly(Limit.STALLED_READER);
    }

    @Test
    void answerThatWasReadInTime_startsAgain_whenThereIsMoreOfIt() {
        write(100);
        pass(50);
        read(100);
        pass(600);
        write(100);
        pass(59);
        assertThat(limits).isEmpty();
        pass(2);
        assertThat(limits).containsExactly(Limit.STALLED_READER);
    }

    @Test
    void answerThatIsHeldAtItsSource_isNoFaultOfItsReader() {
        reader.waiting(1_000);
        pass(600);

        assertThat(limits).isEmpty();
        assertThat(budget.total()).isEqualTo(1_000 + ANSWER_BYTES);
    }

    @Test
    void readerThatHoldsNothingUp_isNeverStalled_untilItDoes() {
        mustRead = false;
        write(100);
        pass(600);
        assertThat(limits).isEmpty();

        mustRead = true;
        pass(61);
        assertThat(limits).containsExactly(Limit.STALLED_READER);
    }

    @Test
    void whatWaitsInTheQueueAndAtItsSource_isCounted_untilItIsRead() {
        write(1_000);
        reader.waiting(700);
        assertThat(budget.total()).isEqualTo(1_700 + ANSWER_BYTES);

        read(1_000);
        pass(1);
        assertThat(budget.total()).isEqualTo(700 + ANSWER_BYTES);
        reader.waiting(0);
        assertThat(budget.total()).isZero();
    }

    @Test
    void answerOfWhichAFlushLeavesNothing_isNotCounted() {
        reader.flushed();

        assertThat(budget.total()).isZero();
        assertThat(channel.hasPendingTasks()).isFalse();
    }

    @Test
    void shortAnswers_countForTheirObjects() {
        write(1);

        assertThat(budget.total()).isEqualTo(1 + ANSWER_BYTES);
    }

    @Test
    void whatWaitsForAll_beyondTheBudget_endsTheReaderOfTheMost() {
        write(3_000);
        other().hold(BUDGET - 3_000 - ANSWER_BYTES + 1, true);
        pass(1);

        assertThat(limits).containsExactly(Limit.UNREAD_BYTES);
        pass(600);
        assertThat(limits).hasSize(1);
    }

    @Test
    void readerWhoHasReadMostOfItMeanwhile_isSpared() {
        write(5_000);
        read(4_500);
        other().hold(BUDGET - 5_000 - ANSWER_BYTES + 1, true);
        pass(1);

        assertThat(limits).isEmpty();
        assertThat(budget.total()).isEqualTo(BUDGET - 5_000 - ANSWER_BYTES + 1 + 500 + ANSWER_BYTES);
    }

    @Test
    void readerThatMayPause_isEndedWhereMemoryIsShort() {
        mustRead = false;
        write(3_000);
        reader.waiting(BUDGET);
        pass(1);

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

    @Test
    void answerOfAConnectionThatIsClosed_isNotCounted() {
        write(3_000);
        closed = true;
        pass(1);

        assertThat(budget.total()).isZero();
        assertThat(limits).isEmpty();
    }

    @Override
    public ByteBudget.Holder holder() {
        return new ByteBudget.Holder("dev", "jane");
    }

    @Override
    public long bytes() {
        return writtenBytes - readBytes;
    }

    @Override
    public long progress() {
        return readBytes;
    }

    @Override
    public boolean mustRead() {
        return mustRead;
    }

    @Override
    public void stalled(Limit limit) {
        limits.add(limit);
    }

    private ByteBudget.Part other() {
        return budget.part(() -> new ByteBudget.Holder("dev", "ann"), _ -> {});
    }

    private void write(long bytes) {
        writtenBytes += bytes;
        reader.flushed();
    }

    private void read(long bytes) {
        readBytes += bytes;
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            channel.advanceTimeBy(1, TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
            channel.runPendingTasks();
        }
    }
}
