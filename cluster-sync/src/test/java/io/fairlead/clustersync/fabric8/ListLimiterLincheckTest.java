package io.fairlead.clustersync.fabric8;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.clustersync.fabric8.ListLimiter.Turn;
import io.fairlead.testkit.Effort;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In every interleaving no more lists hold a place than there are, none waits for a free one, and each asks once it has one. */
@Timeout(600)
class ListLimiterLincheckTest {
    private static final int PLACES = 1;

    @Test
    void lists_ofManyThreads_keepToTheirPlaces() {
        options().check(Lists.class);
    }

    @Test
    void placeThatIsLookedForAndTakenInTwoSteps_isCaught() {
        assertThatThrownBy(() -> options().check(TwoSteps.class)).isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(Effort.rounds(3))
                .invocationsPerIteration(40)
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(0)
                .minimizeFailedScenario(false);
    }

    /** Lists that begin, end and lose their places to others; they answer nothing, since what they did is looked at in the end. */
    public static final class Lists {
        private final ManualTimer timer = new ManualTimer();
        private final ListLimiter limiter = new ListLimiter(PLACES, timer, Runnable::run);
        private final Queue<Turn> begun = new ConcurrentLinkedQueue<>();
        private final AtomicInteger requests = new AtomicInteger();
        private final AtomicInteger answered = new AtomicInteger();

        @Operation
        public void begin() {
            Turn turn = limiter.take(false);
            requests.incrementAndGet();
            turn.ask(answered::incrementAndGet, answered::incrementAndGet);
            begun.add(turn);
        }

        @Operation
        public void end() {
            Turn turn = begun.poll();
            if (turn != null) {
                turn.end();
            }
        }

        /** A server that was silent for long answers: its list needs its place again. */
        @Operation
        public void silence() {
            timer.passAndRun();
            Turn turn = begun.peek();
            if (turn != null && turn.arrived(1) == ListLimiter.Reading.LATER) {
                requests.incrementAndGet();
                turn.whenPlaced(answered::incrementAndGet);
            }
        }

        @Validate
        public void isConsistent() {
            limiter.assertConsistent();
            begun.forEach(Turn::end);
            limiter.assertConsistent();
            if (limiter.heldCount() + limiter.waitingCount() > 0) {
                throw new AssertionError("lists are over and hold places");
            }
            if (requests.get() != answered.get()) {
                throw new AssertionError(requests + " requests, of which " + answered + " were sent or dropped");
            }
        }
    }

    /** Places that are counted and taken under two locks. */
    public static final class TwoSteps {
        private final AtomicInteger held = new AtomicInteger();

        @Operation
        public void begin() {
            if (held.get() < 2 * PLACES) {
                held.incrementAndGet();
            }
        }

        @Validate
        public void isConsistent() {
            if (held.get() > 2 * PLACES) {
                throw new AssertionError("more places are held than there are");
            }
        }
    }

    private static final class ManualTimer implements ListLimiter.Timer {
        private final AtomicLong now = new AtomicLong();
        private final AtomicReference<@Nullable Runnable> due = new AtomicReference<>();

        @Override
        public long nanoTime() {
            return now.get();
        }

        @Override
        public void after(long nanos, Runnable task) {
            due.set(task);
        }

        void passAndRun() {
            now.addAndGet(ListLimiter.LIVE_SERVER_TIMEOUT.toNanos());
            Runnable task = due.getAndSet(null);
            if (task != null) {
                task.run();
            }
        }
    }
}
