package io.fairlead.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.storage.CommitQueue.Pending;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits for the writer, how much of it at most, and in which portions the writer takes it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CommitQueueTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    void batch_isInOrderAndHas1024WritesAtMost() throws Exception {
        CommitQueue queue = new CommitQueue(Long.MAX_VALUE, Duration.ZERO);
        for (int i = 0; i < 1_500; i++) {
            queue.put(put("k" + i, 0));
        }

        List<Pending> first = queue.take();
        List<Pending> second = queue.take();

        assertThat(first).hasSize(1_024);
        assertThat(first.getFirst().write().key()).isEqualTo("k0");
        assertThat(first.getLast().write().key()).isEqualTo("k1023");
        assertThat(second).hasSize(476);
        assertThat(second.getFirst().write().key()).isEqualTo("k1024");
    }

    @Test
    void batch_endsWithTheWriteThatReaches8MiB() throws Exception {
        CommitQueue queue = new CommitQueue(Long.MAX_VALUE, Duration.ZERO);
        for (int i = 0; i < 5; i++) {
            queue.put(put("k" + i, 4 * 1024 * 1024 - 256 - 2));
        }

        assertThat(queue.take()).hasSize(2);
        assertThat(queue.take()).hasSize(2);
        assertThat(queue.take()).hasSize(1);
    }

    @Test
    void writesBeyondTheBytes_areRefusedUntilSomeAreTaken() throws Exception {
        CommitQueue queue = new CommitQueue(3 * (256 + 1 + 10), Duration.ZERO);
        queue.put(put("a", 10));
        queue.put(put("b", 10));
        queue.put(new Write.Delete("c", 1));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> queue.put(put("d", 10)))
                .withMessage("the store is overloaded: 3 writes of 791 bytes wait for the disk (at most 801 may)")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.OVERLOADED));

        assertThat(queue.take()).hasSize(3);
        // All of the room: one byte more would be refused.
        assertThat(queue.put(put("d", 544))).isNotDone();
        assertThat(queue.take()).hasSize(1);
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> queue.put(put("d", 545)));
    }

    @Test
    void writeThatWaitsForRoom_isLetInWhenThereIsSome() throws Exception {
        CommitQueue queue = new CommitQueue(300, LONG);
        queue.put(put("first", 0));
        Future<CompletableFuture<CommitResult>> waiting = soon(() -> queue.put(put("second", 0)));
        assertThat(waiting).isNotDone();

        assertThat(queue.take()).extracting(write -> write.write().key()).containsExactly("first");

        assertThat(waiting.get()).isNotDone();
        assertThat(queue.take()).extracting(write -> write.write().key()).containsExactly("second");
    }

    @Test
    void writeThatWaitsForRoom_isRefusedWhenItsThreadIsInterrupted() throws Exception {
        CommitQueue queue = new CommitQueue(300, LONG);
        queue.put(put("first", 0));
        Thread.currentThread().interrupt();

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> queue.put(put("second", 0)))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.OVERLOADED));
        assertThat(Thread.interrupted()).as("still to be seen by others").isTrue();
    }

    @Test
    void close_endsTheWaitsOfBothSides_andLeavesWhatWasPut() throws Exception {
        CommitQueue queue = new CommitQueue(300, LONG);
        queue.put(put("first", 0));
        Future<?> waiting = soon(() -> queue.put(put("second", 0)));

        queue.close();

        assertThat(waiting)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withMessageContaining("closed");
        assertThat(queue.take()).hasSize(1);
        assertThat(queue.take()).isEmpty();
    }

    @Test
    void close_endsTheWaitOfTheWriter() throws Exception {
        CommitQueue queue = new CommitQueue(300, LONG);
        Future<List<Pending>> writer = soon(queue::take);

        queue.close();

        assertThat(writer.get()).isEmpty();
    }

    @Test
    void write_wakesTheWriter() throws Exception {
        CommitQueue queue = new CommitQueue(300, LONG);
        Future<List<Pending>> writer = soon(queue::take);

        queue.put(put("first", 0));

        assertThat(writer.get()).hasSize(1);
    }

    @Test
    void abandon_givesBackWhatWaitsAndTakesNothingMore() throws Exception {
        CommitQueue queue = new CommitQueue(1_000, Duration.ZERO);
        queue.put(put("first", 0));
        queue.put(put("second", 0));

        assertThat(queue.abandon()).extracting(write -> write.write().key()).containsExactly("first", "second");

        assertThat(queue.take()).isEmpty();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> queue.put(put("late", 0)))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
    }

    /** Something that another thread waits for, once it does. */
    private static <T> Future<T> soon(Callable<T> waiting) {
        FutureTask<T> task = new FutureTask<>(waiting);
        Thread thread = Thread.ofPlatform().daemon().start(task);
        while (thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.RUNNABLE) {
            Thread.onSpinWait();
        }
        return task;
    }

    private static Write put(String key, int bytes) {
        return new Write.Put(key, new byte[bytes], 0);
    }
}
