package io.fairlead.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fairlead.storage.FaultyDisk.Fault;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.CommitResult.Committed;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import io.fairlead.storage.RevisionedStore.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a store does when its disk fails, is full, is slow or is gone. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EmbeddedStoreFaultTest extends EmbeddedStoreFixture {
    @Test
    void failedSync_endsAllWritesUntilReopened() {
        try (EmbeddedStore store = open()) {
            put(store, "before", 0);
            disk.failOnceAfter(0, Fault.BEFORE_WRITING);
            assertThat(store.isSound()).isTrue();

            assertRefused(() -> put(store, "lost", 0), Reason.UNCERTAIN);
            assertThat(store.isSound()).isFalse();
            assertThat(store.defect().orElse("")).contains("Input/output error");
            assertRefused(() -> put(store, "next", 0), Reason.FAILED);
            assertRefused(() -> store.compact(2), Reason.FAILED);

            assertThat(store.revision()).isEqualTo(2);
            assertThat(store.get("before")).isNotNull();
            assertThat(store.get("lost")).isNull();
        }
        try (EmbeddedStore reopened = open()) {
            assertThat(reopened.get("lost")).isNull();
            assertThat(put(reopened, "next", 0)).isEqualTo(new Committed(3));
        }
    }

    @Test
    void failedSync_ofAWriteThatReachedTheDisk_showsItOnlyAfterReopening() {
        try (EmbeddedStore store = open()) {
            disk.failOnceAfter(0, Fault.AFTER_WRITING);

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> put(store, "uncertain", 0))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNCERTAIN));
            assertThat(store.get("uncertain")).isNull();
            assertThat(store.changes(1, 10)).isEmpty();
        }
        try (EmbeddedStore reopened = open()) {
            assertThat(reopened.get("uncertain")).isNotNull();
            assertThat(put(reopened, "next", 0)).isEqualTo(new Committed(3));
        }
    }

    @Test
    void fileThatCannotBeOpened_refusesTheWriteAndTakesTheNext() {
        try (EmbeddedStore store = open()) {
            put(store, "before", 0);
            disk.failOnceAfter(0, Fault.NO_DESCRIPTORS);

            assertRefused(() -> put(store, "refused", 0), Reason.NO_DESCRIPTORS);
            assertThat(store.isSound()).isTrue();
            assertThat(store.get("before")).isNotNull();

            assertThat(put(store, "next", 0)).isEqualTo(new Committed(3));
            assertThat(store.get("refused")).isNull();
            assertThat(store.get("before")).isNotNull();
            store.compact(3);
        }
    }

    /** What was said not to be written must never be found, nor its revision be given out twice. */
    @Test
    void writeRefusedForAFile_thatIsFoundInTheFiles_endsAllWrites() {
        try (EmbeddedStore store = open()) {
            disk.failOnceAfter(0, Fault.NO_DESCRIPTORS_AFTER_WRITING);
            assertRefused(() -> put(store, "refused", 0), Reason.NO_DESCRIPTORS);

            assertRefused(() -> put(store, "next", 0), Reason.UNCERTAIN);

            assertThat(store.isSound()).isFalse();
            assertRefused(() -> put(store, "next", 0), Reason.FAILED);
        }
    }

    @Test
    void writerThatMeetsAnError_isADefectAndFailsWritesAtOnce() {
        try (EmbeddedStore store = open()) {
            disk.failOnceAfter(0, Fault.STACK_OVERFLOW);

            assertRefused(() -> put(store, "lost", 0), Reason.UNCERTAIN);

            assertThat(store.isSound()).isFalse();
            assertThat(store.defect().orElse("")).contains("writer failed", "StackOverflowError");
            assertRefused(() -> put(store, "next", 0), Reason.FAILED);
            assertThat(store.revision()).isEqualTo(1);
        }
    }

    @Test
    void failedSync_failsEveryWriteOfTheBatch() throws Exception {
        try (EmbeddedStore store = open();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            disk.failOnceAfter(1, Fault.BEFORE_WRITING);
            disk.hang();
            Future<CommitResult> alone = threads.submit(() -> put(store, "alone", 0));
            disk.awaitHanging();
            Future<CommitResult> one = threads.submit(() -> put(store, "one", 0));
            Future<CommitResult> two = threads.submit(() -> put(store, "two", 0));
            disk.release();

            assertThat(alone.get()).isEqualTo(new Committed(2));
            assertThat(one)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withMessageContaining("disk failed");
            assertThat(two)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withMessageContaining("disk failed");
            assertThat(store.revision()).isEqualTo(2);
        }
    }

    @Test
    void write_isNotVisibleBeforeItIsDurable() throws Exception {
        try (EmbeddedStore store = open();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            disk.hang();
            Future<CommitResult> writing = threads.submit(() -> put(store, "a", 0));
            disk.awaitHanging();

            assertThat(writing).isNotDone();
            assertThat(store.revision()).isEqualTo(1);
            assertThat(store.get("a")).isNull();
            assertThat(store.changes(1, 1)).isEmpty();

            disk.release();
            assertThat(writing.get()).isEqualTo(new Committed(2));
        }
    }

    @Test
    void directoryMovedAway_refusesWritesAsLost_untilItIsBack() throws IOException {
        Path aside = temporary.resolve("aside");
        try (EmbeddedStore store = open()) {
            put(store, "a", 0);
            assertThat(store.defect()).isEmpty();

            Files.move(directory, aside);
            assertThat(store.defect().orElse("")).contains(directory.toString(), "was deleted");
            assertRefused(() -> put(store, "b", 0), Reason.DIRECTORY_GONE);
            assertRefused(() -> store.commit(new Write.Delete("a", 2)), Reason.DIRECTORY_GONE);

            Files.createDirectories(directory.resolve("rocksdb"));
            assertThat(store.defect().orElse("")).contains("was replaced");
            assertRefused(() -> put(store, "b", 0), Reason.DIRECTORY_GONE);

            Files.delete(directory.resolve("rocksdb"));
            assertThat(store.defect().orElse("")).contains("was deleted");
            Files.delete(directory);
            Files.move(aside, directory);
            assertThat(store.defect()).isEmpty();
            assertThat(put(store, "b", 0)).isEqualTo(new Committed(3));
        }
    }

    @Test
    void fullDisk_refusesValuesAndStillDeletes() {
        try (EmbeddedStore store = open()) {
            put(store, "a", 0);
            disk.usableBytes(TestOptions.defaults().diskReserveBytes() - 1);

            assertRefused(() -> put(store, "b", 0), Reason.DISK_FULL);
            assertThat(store.shortage())
                    .contains("the disk is full: 63 MiB are free, fewer than the 64 MiB that are kept for deletions");
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> put(store, "inner/key", 0))
                    .withMessage(store.shortage().orElseThrow());
            Write mark = new Write.Put("a", new byte[] {1}, 2, true);
            assertThat(store.commit(mark)).as("a deletion begins").isEqualTo(new Committed(3));

            disk.usableBytes(TestOptions.defaults().diskReserveBytes() / 2 - 1);
            assertRefused(() -> store.commit(new Write.Put("a", new byte[] {2}, 3, true)), Reason.DISK_FULL);
            assertThat(store.commit(new Write.Delete("a", 3))).isEqualTo(new Committed(4));

            disk.usableBytes(Long.MAX_VALUE);
            assertThat(store.shortage()).isEmpty();
            assertThat(put(store, "b", 0)).isEqualTo(new Committed(5));
        }
    }

    @Test
    void slowDisk_makesTheQueueRefuseWhatItCannotHold() throws Exception {
        byte[] half = new byte[4 * 1024 * 1024];
        StoreOptions options = TestOptions.defaults()
                .withCommitQueue(
                        RevisionedStore.VALUE_BYTES_MAX + (long) RevisionedStore.KEY_BYTES_MAX, Duration.ofMillis(200));
        try (EmbeddedStore store = EmbeddedStore.open(directory, options, disk);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            disk.hang();
            Future<CommitResult> taken = threads.submit(() -> store.commit(new Write.Put("taken", half, 0)));
            disk.awaitHanging();
            Future<CommitResult> first = threads.submit(() -> store.commit(new Write.Put("first", half, 0)));
            Future<CommitResult> second = threads.submit(() -> store.commit(new Write.Put("second", half, 0)));
            Future<CommitResult> third = threads.submit(() -> store.commit(new Write.Put("third", half, 0)));
            var refused = firstFailure(first, second, third);
            disk.release();

            assertThat(refused).hasMessageContaining("overloaded");
            assertThat(taken.get()).isEqualTo(new Committed(2));
            assertThat(Stream.of(first, second, third).filter(each -> state(each) == Future.State.SUCCESS))
                    .hasSize(2);
        }
    }

    @Test
    void smallestQueue_holdsTheLargestWrite() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TestOptions.defaults().withCommitQueue(8 * 1024 * 1024, Duration.ZERO))
                .withMessageContaining("commitQueueBytesMax");
    }
}
