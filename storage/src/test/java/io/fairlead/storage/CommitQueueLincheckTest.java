package io.fairlead.storage;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.storage.CommitQueue.Pending;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.Write;
import io.fairlead.testkit.Effort;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In every interleaving what was put is taken once and in order, also behind the end, and nothing is put behind it. */
@Timeout(600)
class CommitQueueLincheckTest {
    @Test
    void writesBesideTheirWriter_areLinearizable() {
        options().check(Queue.class);
    }

    @Test
    void queueThatLooksAndAddsInTwoSteps_isCaught() {
        assertThatThrownBy(() -> options().check(TwoSteps.class)).isInstanceOf(LincheckAssertionError.class);
    }

    private static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .iterations(Effort.rounds(3))
                .invocationsPerIteration(80)
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(1)
                .minimizeFailedScenario(false);
    }

    private static Write write(int number) {
        return new Write.Delete(Integer.toString(number), 0);
    }

    private static List<String> keys(List<Pending> batch) {
        return batch.stream().map(pending -> pending.write().key()).toList();
    }

    /** One with room for three small writes. */
    @Param(name = "number", gen = IntGen.class, conf = "1:3")
    public static final class Queue {
        private final CommitQueue queue = new CommitQueue(800, Duration.ZERO);
        private final AtomicInteger put = new AtomicInteger();
        private int taken;

        @Operation
        public String put(@Param(name = "number") int number) {
            try {
                queue.put(write(number));
                put.incrementAndGet();
                return "put";
            } catch (StoreException refused) {
                return refused.reason().toString();
            }
        }

        /** Takes where it need not wait. */
        @Operation(nonParallelGroup = "writer")
        public List<String> take() throws InterruptedException {
            return put.get() > taken ? counted(queue.take()) : List.of();
        }

        @Operation
        public void close() {
            queue.close();
        }

        @Operation(nonParallelGroup = "writer")
        public List<String> abandon() {
            return counted(queue.abandon());
        }

        private List<String> counted(List<Pending> batch) {
            taken += batch.size();
            return keys(batch);
        }
    }

    /** A queue whose room is looked at under another lock than that under which it is taken. */
    public static final class TwoSteps {
        private final ArrayDeque<Integer> waiting = new ArrayDeque<>();

        @Operation
        public boolean put() {
            synchronized (this) {
                if (waiting.size() >= 2) {
                    return false;
                }
            }
            synchronized (this) {
                waiting.add(1);
                return true;
            }
        }

        @Operation
        public synchronized int size() {
            return waiting.size();
        }
    }
}
