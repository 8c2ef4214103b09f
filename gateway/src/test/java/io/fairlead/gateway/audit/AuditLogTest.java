package io.fairlead.gateway.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AuditLogTest {
    private static final int BYTES_MAX = 16 * 1024;
    private static final int HELD_BYTES = 2 * 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final GatedSink sink = new GatedSink();
    private final AtomicLong nanos = new AtomicLong(1);
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final List<Throwable> told = new CopyOnWriteArrayList<>();
    private final AuditMetrics metrics = new AuditMetrics() {
        @Override
        public void lost(int lines) {
            lost.addAndGet(lines);
        }

        @Override
        public void failed() {
            failed.incrementAndGet();
        }
    };
    private final AuditLog log = new AuditLog(sink, BYTES_MAX, metrics, nanos::get, (_, failure) -> told.add(failure));

    @AfterEach
    void close() {
        sink.open();
        log.close();
    }

    @Test
    void lines_areWrittenInOrder() {
        sink.open();
        log.start();

        append("a\n");
        append("b\n");

        until(() -> sink.written().equals("a\nb\n"));
        assertThat(log.queuedBytes()).isZero();
    }

    @Test
    void waiter_isToldOnceTheFileHasTheLine() {
        log.start();
        CompletableFuture<Boolean> told = new CompletableFuture<>();

        assertThat(append("a\n", told)).isEqualTo(AuditLog.Result.TAKEN);
        until(sink::isAsked);
        assertThat(told).isNotDone();
        sink.open();

        assertThat(told.join()).isTrue();
        assertThat(sink.written()).isEqualTo("a\n");
    }

    @Test
    void lineWithoutRoom_isLost_andCounted_andThoseBeforeItAreNot() {
        log.start();
        append("a".repeat(BYTES_MAX - 1) + "\n");
        until(sink::isAsked);

        assertThat(append("b\n")).isEqualTo(AuditLog.Result.FULL);

        assertThat(lost).hasValue(1);
        sink.open();
        until(() -> log.queuedBytes() == 0);
        assertThat(append("c\n")).isEqualTo(AuditLog.Result.TAKEN);
        until(() -> sink.written().endsWith("a\nc\n"));
    }

    @Test
    void fileThatCannotBeWritten_isTriedAgain_andLosesNothing() {
        sink.fail(new IOException("No space left on device"));
        sink.open();
        log.start();
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        append("a\n", first);

        assertThat(first.join()).isFalse();
        assertThat(log.failure()).contains("No space left on device");
        assertThat(append("b\n", new CompletableFuture<>()))
                .as("later ones do not wait")
                .isEqualTo(AuditLog.Result.FAILING);
        assertThat(failed.get()).isPositive();
        sink.fail(null);

        until(() -> sink.written().equals("a\nb\n"));
        until(() -> log.failure().isEmpty());
        assertThat(lost).hasValue(0);
    }

    @Test
    void writeThatTakesTooLong_releasesThoseWhoWait_untilItEnds() {
        log.start();
        CompletableFuture<Boolean> waiting = new CompletableFuture<>();
        append("a\n", waiting);
        until(sink::isAsked);
        log.look();
        assertThat(waiting).isNotDone();

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(6));
        log.look();

        assertThat(waiting.join()).isFalse();
        assertThat(log.failure()).contains("a write takes longer than 5 seconds");
        sink.open();
        until(() -> log.failure().isEmpty());
        assertThat(sink.written()).isEqualTo("a\n");
    }

    /** Who waits for a line is told after the write and can be slow itself, which is no failure of the file. */
    @Test
    void writeThatHasEnded_isNotFailing_howeverLongItsWaitersTake() {
        sink.open();
        log.start();
        CompletableFuture<Boolean> written = new CompletableFuture<>();
        byte[] line = "a\n".getBytes(UTF_8);
        log.append(line, line.length, new AuditLog.Waiter(HELD_BYTES, isWritten -> {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(6));
            log.look();
            written.complete(isWritten);
        }));

        assertThat(written.join()).isTrue();
        assertThat(log.failure()).isEmpty();
        CompletableFuture<Boolean> later = new CompletableFuture<>();
        assertThat(append("b\n", later)).isEqualTo(AuditLog.Result.TAKEN);
        assertThat(later.join()).isTrue();
    }

    /** Where a file system hangs, the scheduler may hang at other files. */
    @Test
    void requestThatWaitsForAWriteThatHangs_isTold_byAThreadThatReadsNoFile() {
        log.start();
        CompletableFuture<Boolean> waiting = new CompletableFuture<>();
        append("a\n", waiting);
        until(sink::isAsked);
        try (StuckWrites stuck = new StuckWrites(log, Duration.ofMillis(1), (_, failure) -> told.add(failure))) {
            stuck.start();
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(6));

            assertThat(waiting.join()).isFalse();
        }
        assertThat(told).isEmpty();
    }

    @Test
    void error_isTold_andTheLinesAreWrittenAfterIt() {
        sink.fail(new StackOverflowError("planned"));
        sink.open();
        log.start();
        CompletableFuture<Boolean> waiting = new CompletableFuture<>();
        append("a\n", waiting);

        assertThat(waiting.join()).isFalse();
        until(() -> !told.isEmpty());
        sink.fail(null);

        until(() -> sink.written().equals("a\n"));
    }

    @Test
    void end_writesWhatWaits() {
        sink.open();
        log.start();
        append("a\n");
        append("b\n");

        log.close();

        assertThat(sink.written()).isEqualTo("a\nb\n");
        assertThat(append("c\n")).isEqualTo(AuditLog.Result.FULL);
        assertThat(lost).hasValue(1);
    }

    @Test
    void end_waitsForNoFileThatCannotBeWritten() {
        sink.fail(new IOException("No space left on device"));
        sink.open();
        log.start();
        append("a\n");
        append("b\n");
        until(() -> failed.get() > 0);

        log.close();

        assertThat(lost).hasValue(2);
    }

    @Test
    void halfOfTheRoom_isACrowd() {
        log.start();
        append("a".repeat(BYTES_MAX / 2) + "\n");
        assertThat(log.isCrowded()).isTrue();
        CompletableFuture<Boolean> room = new CompletableFuture<>();

        assertThat(append("", room)).isEqualTo(AuditLog.Result.TAKEN);

        sink.open();
        assertThat(room.join()).isTrue();
    }

    /** They have no line yet, but each of them is a request. */
    @Test
    void waitersWithoutALine_takeRoomToo() {
        log.start();
        append("a\n");
        until(sink::isAsked);

        int taken = 0;
        while (append("", new CompletableFuture<>()) == AuditLog.Result.TAKEN) {
            taken++;
            assertThat(taken).isLessThan(100);
        }
        assertThat(taken).isPositive();
        sink.open();
    }

    private AuditLog.Result append(String line) {
        byte[] bytes = line.getBytes(UTF_8);
        return log.append(bytes, bytes.length, null);
    }

    private AuditLog.Result append(String line, CompletableFuture<Boolean> told) {
        byte[] bytes = line.getBytes(UTF_8);
        return log.append(bytes, bytes.length, new AuditLog.Waiter(HELD_BYTES, told::complete));
    }

    private static void until(BooleanSupplier state) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!state.getAsBoolean()) {
            assertThat(System.nanoTime()).as("not so within %s", TIMEOUT).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /** Takes lines only once it is opened, and fails if it is told to. */
    private static final class GatedSink implements AuditLog.Sink {
        private final Semaphore gate = new Semaphore(0);
        private final AtomicInteger asked = new AtomicInteger();
        private volatile @Nullable Throwable failure;
        private final List<String> written = new CopyOnWriteArrayList<>();

        void open() {
            gate.release(1_000_000);
        }

        void fail(@Nullable Throwable newFailure) {
            failure = newFailure;
        }

        boolean isAsked() {
            return asked.get() > 0;
        }

        String written() {
            return String.join("", written);
        }

        @Override
        public void write(byte[] lines, int length) throws IOException {
            asked.incrementAndGet();
            gate.acquireUninterruptibly();
            if (failure instanceof IOException io) {
                throw io;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            written.add(new String(lines, 0, length, UTF_8));
        }

        @Override
        public void close() {}
    }
}
