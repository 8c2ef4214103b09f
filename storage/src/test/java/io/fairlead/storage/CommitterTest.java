package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.storage.CommitQueue.Pending;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import io.fairlead.storage.RevisionedStore.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the writer does with what it cannot commit, so that no caller waits for it in vain. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CommitterTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    Path directory = Path.of("");

    private final CommitQueue queue = new CommitQueue(16L << 20, Duration.ZERO);
    private FaultyDisk disk = new FaultyDisk(Path.of(""));
    private RevisionFiles files;
    private Committer committer;

    @BeforeEach
    void openFiles() throws IOException {
        Path database = Files.createDirectories(directory.resolve("rocksdb"));
        NativeLibrary.load(directory.resolve("native"));
        disk = new FaultyDisk(directory);
        files = RevisionFiles.open(database, TestOptions.defaults(), disk);
        committer = new Committer(
                queue,
                files,
                new RecentChanges(8, 1024, 1),
                new Head(1),
                new RevisionNote(directory, database),
                disk,
                StoreDirectory.in(database),
                0);
    }

    @AfterEach
    void closeFiles() {
        files.close();
    }

    @Test
    void writerThatEnds_refusesAllThatWaitsAndComes() throws Exception {
        CompletableFuture<CommitResult> fatal = queue.put(new Pending(put("fatal"), new ThrowingOnce()));
        CompletableFuture<CommitResult> sameBatch = queue.put(put("same-batch"));
        disk.hang();
        disk.failOnceAfter(0, FaultyDisk.Fault.BEFORE_WRITING);
        Thread writer = Thread.ofPlatform().start(committer);
        disk.awaitHanging();
        CompletableFuture<CommitResult> nextBatch = queue.put(put("next-batch"));
        disk.release();

        assertRefused(fatal);
        assertRefused(sameBatch);
        assertRefused(nextBatch);
        assertThat(writer.join(SOON)).isTrue();
        assertThat(committer.isSound()).isFalse();
        assertThat(committer.defect().orElse("")).contains("Input/output error");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> queue.put(put("late")))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
    }

    private static void assertRefused(CompletableFuture<CommitResult> write) {
        assertThat(write).failsWithin(SOON).withThrowableThat().withMessageContaining("failed");
    }

    private static Write put(String key) {
        return new Write.Put(key, key.getBytes(UTF_8), 0);
    }

    /** The error meets the writer where it tells of another failure: nothing behind that catches it. */
    private static final class ThrowingOnce extends CompletableFuture<CommitResult> {
        private final AtomicBoolean thrown = new AtomicBoolean();

        @Override
        public boolean completeExceptionally(Throwable cause) {
            if (thrown.compareAndSet(false, true)) {
                throw new StackOverflowError();
            }
            return super.completeExceptionally(cause);
        }
    }
}
