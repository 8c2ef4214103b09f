package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the embedded store does when the disk fails, fills up or holds something else. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EmbeddedStoreFaultTest {
    @TempDir
    Path temporary = Path.of("");

    private Path directory = Path.of("");
    private FaultyDisk disk = new FaultyDisk(Path.of(""));

    @BeforeEach
    void newDisk() {
        directory = temporary.resolve("store");
        disk = new FaultyDisk(temporary);
    }

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
                    .satisfies(e -> assertThat(e.outcomeUnknown()).isTrue());
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
            disk.usableBytes(StoreOptions.defaults().diskReserveBytes() - 1);

            assertRefused(() -> put(store, "b", 0), Reason.DISK_FULL);
            assertThat(store.shortage())
                    .contains("the disk is full: 63 MiB are free, fewer than the 64 MiB that are kept for deletions");
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> put(store, "inner/key", 0))
                    .withMessage(store.shortage().orElseThrow());
            assertThat(store.commit(new Write.Delete("a", 2))).isEqualTo(new Committed(3));

            disk.usableBytes(Long.MAX_VALUE);
            assertThat(store.shortage()).isEmpty();
            assertThat(put(store, "b", 0)).isEqualTo(new Committed(4));
        }
    }

    @Test
    void slowDisk_makesTheQueueRefuseWhatItCannotHold() throws Exception {
        byte[] half = new byte[4 * 1024 * 1024];
        StoreOptions options = StoreOptions.defaults()
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
                .isThrownBy(() -> StoreOptions.defaults().withCommitQueue(8 * 1024 * 1024, Duration.ZERO))
                .withMessageContaining("commitQueueBytesMax");
    }

    @Test
    void directory_heldByAnotherStore_isNamed() {
        try (EmbeddedStore store = open()) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(this::open)
                    .withMessageContaining(directory.toString())
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE));
            assertThat(put(store, "a", 0)).isEqualTo(new Committed(2));
        }
    }

    @Test
    void directory_ofALaterFormat_isLeftAlone() throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("FORMAT"), "fairlead-store 2\n");

        assertRefused(this::open, Reason.INCOMPATIBLE);

        assertThat(directory).isDirectoryNotContaining("glob:**/rocksdb");
    }

    @Test
    void directory_ofSomethingElse_isLeftAlone() throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("thesis.txt"), "chapter one");

        assertRefused(this::open, Reason.INCOMPATIBLE);

        assertThat(directory).isDirectoryNotContaining("glob:**/FORMAT");
    }

    @Test
    void directory_thatIsAFile_isNamed() throws IOException {
        Files.writeString(directory, "");

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(this::open)
                .withMessageContaining(directory.toString());
    }

    @Test
    void damagedLog_isNotTakenForItsSoundBeginning() throws IOException {
        try (EmbeddedStore store = open()) {
            for (int i = 0; i < 50; i++) {
                put(store, "k" + i, 0);
            }
        }
        flipAByteInTheMiddleOfTheLog();

        assertRefused(this::open, Reason.DAMAGED);
    }

    @Test
    void firstStart_syncsEveryFolderOnTheWay() {
        directory = temporary.resolve("new").resolve("deep").resolve("store");

        open().close();

        assertThat(disk.synced().get(temporary)).contains("new");
        assertThat(disk.synced().get(temporary.resolve("new"))).contains("deep");
        assertThat(disk.synced().get(temporary.resolve("new").resolve("deep"))).contains("store");
        assertThat(disk.synced().get(directory)).contains("rocksdb", "FORMAT");
    }

    @Test
    void folderWhoseEntryCannotBeSynced_isNoStoresFolder() {
        directory = temporary.resolve("new").resolve("store");
        disk.failToSync(temporary);

        assertRefused(this::open, Reason.DAMAGED);
    }

    /** RocksDB opens without it, as if what it held had never been stored. */
    @Test
    void missingNewestLog_isNamedAndNotTakenForAnEmptyOne() throws IOException {
        try (EmbeddedStore store = open()) {
            put(store, "acknowledged", 0);
        }
        Path log = logs().getLast();
        Files.move(log, temporary.resolve("aside"));

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(this::open)
                .withMessageContaining("its log " + log.getFileName() + " is missing")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.DAMAGED));

        Files.move(temporary.resolve("aside"), log);
        try (EmbeddedStore reopened = open()) {
            assertThat(reopened.get("acknowledged")).isNotNull();
        }
    }

    /** One after which another log was begun, and the newest itself. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void missingLogOfSeveral_isNamed(boolean first) throws Exception {
        byte[] value = new byte[RevisionedStore.VALUE_BYTES_MAX];
        new Random(1).nextBytes(value);
        Path copy = temporary.resolve("copy");
        try (EmbeddedStore store = open()) {
            // Nothing is flushed, and so no log deleted, while a copy is taken.
            disk.holdFlushes();
            for (int i = 0; i < 4; i++) {
                store.commit(new Write.Put("k" + i, value, 0));
            }
            copyTo(copy);
            disk.letFlush();
        }
        directory = copy;
        assertThat(logs()).hasSizeGreaterThan(1);
        Path log = first ? logs().getFirst() : logs().getLast();
        Files.delete(log);

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(this::open)
                .withMessageContaining("its log " + log.getFileName() + " is missing");
    }

    private List<Path> logs() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    private void copyTo(Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(directory.relativize(file)));
            }
        }
    }

    @Test
    void revision_survivesTheCompactionOfEverything() {
        try (EmbeddedStore store = open()) {
            put(store, "a", 0);
            store.commit(new Write.Delete("a", 2));
            store.compact(3);
        }
        try (EmbeddedStore reopened = open()) {
            assertThat(reopened.revision()).isEqualTo(3);
            assertThat(reopened.compactedRevision()).isEqualTo(3);
            assertThat(put(reopened, "a", 0)).isEqualTo(new Committed(4));
        }
    }

    /** Thousands of commits, of which each waits for the disk. */
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void compaction_cutShort_isFinishedWhenReopened() {
        int updates = 2500;
        try (EmbeddedStore store = open()) {
            for (int i = 0; i < updates; i++) {
                put(store, "a", i == 0 ? 0 : i + 1);
            }
            disk.failOnceAfter(2, Fault.BEFORE_WRITING);

            assertRefused(() -> store.compact(store.revision()), Reason.UNCERTAIN);
            assertThat(store.compactedRevision()).isEqualTo(1 + updates);
        }
        try (EmbeddedStore reopened = open()) {
            assertThat(reopened.compactedRevision()).isEqualTo(1 + updates);
            assertThat(reopened.get("a")).isNotNull();
        }
        try (RevisionFiles files = RevisionFiles.open(directory.resolve("rocksdb"), StoreOptions.defaults(), disk)) {
            assertThat(files.log(1, Long.MAX_VALUE, updates))
                    .extracting(RevisionFiles.Logged::revision)
                    .containsExactly(1L + updates);
        }
    }

    private EmbeddedStore open() {
        return EmbeddedStore.open(directory, StoreOptions.defaults(), disk);
    }

    private static CommitResult put(EmbeddedStore store, String key, long expectedRevision) {
        return store.commit(new Write.Put(key, key.getBytes(UTF_8), expectedRevision));
    }

    private static void assertRefused(ThrowingCallable write, Reason reason) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(write)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private void flipAByteInTheMiddleOfTheLog() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
            Path log = files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(log);
            bytes[bytes.length / 2] ^= 0x10;
            Files.write(log, bytes);
        }
    }

    /** Waits for the one that is refused while the others still wait for the disk. */
    @SafeVarargs
    private static Throwable firstFailure(Future<CommitResult>... writes) {
        while (true) {
            for (Future<CommitResult> write : writes) {
                if (write.state() == Future.State.FAILED) {
                    return write.exceptionNow();
                }
            }
            Thread.onSpinWait();
        }
    }

    private static Future.State state(Future<CommitResult> write) {
        try {
            var _ = write.get();
        } catch (Exception e) {
            return write.state();
        }
        return write.state();
    }
}
