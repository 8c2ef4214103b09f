package io.fairlead.gateway.audit;

import io.fairlead.config.Configuration;
import io.fairlead.model.FileFault;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Lines are gathered in one array while another one is written, so that a line costs its copy and no object. What waits and what
 * is being written together have a limit. What could not be written stays and is tried again, so that a full disk loses nothing
 * that found room; those who wait are told at the first failure, and later ones do not wait.
 *
 * Without one who waits, a write may be late: lines are then written every LINGER_NANOS, or as soon as there are many.
 */
/**
 * The queue of the lines that are not written yet, and the thread that writes them.
 *
 * <p>Threads: any; only {@link #close} blocks, for a limited time.
 */
public final class AuditLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final Repetitions TOLD = new Repetitions();

    private static final long MIB = 1024 * 1024;

    /** So many are written at once even if nothing waits. */
    private static final int MANY_BYTES = 64 * 1024;

    private static final long LINGER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** A write that takes longer counts as failed for those who wait. */
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Duration END_WAIT = Duration.ofSeconds(5);

    /** Where lines go. Threads: one. */
    interface Sink {
        /**
         * Writes whole lines: all, or as far as the file allows it none.
         *
         * @param length how many bytes of the array
         */
        void write(byte[] lines, int length) throws IOException;

        void close() throws IOException;
    }

    /**
     * A request that waits for a line.
     *
     * @param heldBytes what it keeps in the heap meanwhile
     * @param written is told once whether the file has the line, or cannot be written now; on any thread, on which it must
     *     not block
     */
    record Waiter(int heldBytes, Consumer<Boolean> written) {}

    /** What became of a line. */
    enum Result {
        /** It will be written; one who waits is told when. */
        TAKEN,
        /** The file cannot be written now. If there was room the line is kept; nothing is told later. */
        FAILING,
        /** There is no room, the line is lost. */
        FULL
    }

    /** What the writing thread does. */
    private enum State {
        WRITING,
        /** There is nothing to write. */
        IDLE,
        /** There is something, and more may come before it is written. */
        LINGERING
    }

    private final Sink sink;
    private final long bytesMax;
    private final AuditMetrics metrics;
    private final LongSupplier nanoTime;
    private final Supervised work;
    private final CountDownLatch drained = new CountDownLatch(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private State state = State.WRITING;
    private QueuedLines pending = new QueuedLines();

    /** Empty unless they are being written, or could not be. */
    private QueuedLines current = new QueuedLines();

    private boolean closing;

    /** Since when the current lines are being written; 0 if they are not. */
    private volatile long writingSinceNanos;

    private volatile int queuedBytes;
    private volatile @Nullable String failure;

    /**
     * A log that writes nothing before {@link #start}.
     *
     * @param bytesMax of the lines that wait
     * @param nanoTime the clock
     * @param witness is told of an Error that interrupts the writing
     */
    AuditLog(Sink sink, int bytesMax, AuditMetrics metrics, LongSupplier nanoTime, Supervised.Witness witness) {
        this.sink = sink;
        this.bytesMax = bytesMax;
        this.metrics = metrics;
        this.nanoTime = nanoTime;
        this.work = new Supervised("audit-log", Thread.ofPlatform().daemon(), this::write, witness);
    }

    /**
     * Opens the configured log and begins to write.
     *
     * @param clock by which earlier files are named and removed
     * @param nanoTime the clock of writes
     * @param witness is told of an Error that interrupts the writing
     * @throws IOException if the file cannot be opened
     */
    public static AuditLog open(
            Path path,
            Configuration configuration,
            AuditMetrics metrics,
            InstantSource clock,
            LongSupplier nanoTime,
            Supervised.Witness witness)
            throws IOException {
        EarlierFiles.Kept kept = new EarlierFiles.Kept(
                configuration.auditLogMaxbackup(), configuration.auditLogMaxage(), configuration.auditLogCompress());
        AuditFile file =
                AuditFile.open(path, configuration.auditLogMaxsize() * MIB, new EarlierFiles(path, kept, clock), clock);
        AuditLog log =
                new AuditLog(file, configuration.limits().auditQueueBytesMax().intBytes(), metrics, nanoTime, witness);
        log.start();
        return log;
    }

    void start() {
        work.start();
    }

    /** The thread that writes. */
    public Supervised work() {
        return work;
    }

    /** Why the file cannot be written now. */
    public Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** The bytes of lines that are not written yet. */
    public int queuedBytes() {
        return queuedBytes;
    }

    /** Whether half of the room is taken, so that new requests should wait. */
    boolean isCrowded() {
        return queuedBytes > bytesMax / 2;
    }

    /**
     * Takes a line.
     *
     * @param lines of which it is the beginning; none if the length is 0
     * @param waiter is told when it is written; null if nothing waits
     */
    Result append(byte[] lines, int length, @Nullable Waiter waiter) {
        lock.lock();
        try {
            if (closing || (long) pending.heldBytes() + current.heldBytes() + length > bytesMax) {
                if (length > 0) {
                    metrics.lost(1);
                }
                return Result.FULL;
            }
            pending.add(lines, length);
            queuedBytes = pending.length() + current.length();
            boolean isToldNothing = waiter != null && failure != null;
            if (waiter != null && !isToldNothing) {
                pending.add(waiter);
            }
            wake();
            return isToldNothing ? Result.FAILING : Result.TAKEN;
        } finally {
            lock.unlock();
        }
    }

    /** Releases those who wait for a write that takes too long. To be called every second. */
    void look() {
        fail("a write takes longer than " + TimeUnit.NANOSECONDS.toSeconds(STUCK_NANOS) + " seconds", this::isStuck);
    }

    private boolean isStuck() {
        long since = writingSinceNanos;
        return since != 0 && nanoTime.getAsLong() - since > STUCK_NANOS;
    }

    /** Writes what waits, for a limited time. */
    @Override
    public void close() {
        lock.lock();
        try {
            closing = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        try {
            var _ = drained.await(END_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        work.close(Duration.ofSeconds(1));
        tellOfRest();
        try {
            sink.close();
        } catch (IOException e) {
            LOG.atWarn().addKeyValue("reason", FileFault.of(e)).log("The audit log could not be closed");
        }
    }

    private void tellOfRest() {
        int lost;
        List<Waiter> waiters;
        lock.lock();
        try {
            lost = pending.count() + current.count();
            waiters = waiters();
            pending.clear();
            current.clear();
        } finally {
            lock.unlock();
        }
        QueuedLines.tell(waiters, false);
        if (lost > 0) {
            metrics.lost(lost);
            LOG.atWarn().addKeyValue("lines", lost).log("The audit log ended before all was written");
        }
    }

    private void wake() {
        if (state == State.IDLE || (state == State.LINGERING && isUrgent())) {
            state = State.WRITING;
            changed.signal();
        }
    }

    private boolean isUrgent() {
        return closing || pending.isAwaited() || pending.length() >= MANY_BYTES;
    }

    /** The work of the thread: begins with what it could not write before. */
    private void write() throws InterruptedException {
        while (take() && (written() || mayTryAgain())) {
            // Until it is closed and all is written, or the file takes no more.
        }
        drained.countDown();
        work.pause(Duration.ofDays(1)); // Its end comes from outside.
    }

    /** Waits for lines, unless some could not be written before; false once all is written and none will come. */
    private boolean take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!current.isEmpty()) {
                return true;
            }
            while (pending.isEmpty()) {
                if (closing) {
                    return false;
                }
                state = State.IDLE;
                changed.await();
            }
            long leftNanos = LINGER_NANOS;
            while (!isUrgent() && leftNanos > 0) {
                state = State.LINGERING;
                leftNanos = changed.awaitNanos(leftNanos);
            }
            state = State.WRITING;
            QueuedLines written = current;
            current = pending;
            pending = written;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean written() {
        writingSinceNanos = Math.max(1, nanoTime.getAsLong());
        try {
            if (current.length() > 0) {
                sink.write(current.bytes(), current.length());
            }
            succeed();
            return true;
        } catch (IOException e) {
            metrics.failed();
            fail(FileFault.of(e), () -> true);
            return false;
        } catch (RuntimeException | Error e) {
            fail("a fault of this program, told of in its log", () -> true);
            throw e;
        } finally {
            writingSinceNanos = 0;
        }
    }

    private void succeed() {
        boolean wasFailing = failure != null;
        List<Waiter> waiters;
        lock.lock();
        try {
            writingSinceNanos = 0; // Who looks from here on finds no write that could take too long.
            failure = null;
            waiters = current.takeWaiters();
            current.clear();
            queuedBytes = pending.length();
        } finally {
            lock.unlock();
        }
        if (wasFailing) {
            TOLD.next("well")
                    .ifPresent(leftOut ->
                            LOG.atInfo().addKeyValue("leftOut", leftOut).log("The audit log is written again"));
        }
        QueuedLines.tell(waiters, true);
    }

    private void fail(String why, BooleanSupplier isStillSo) {
        List<Waiter> waiters;
        lock.lock();
        try {
            if (!isStillSo.getAsBoolean()) {
                return;
            }
            failure = why;
            waiters = waiters();
        } finally {
            lock.unlock();
        }
        TOLD.next(why)
                .ifPresent(leftOut -> LOG.atError()
                        .addKeyValue("reason", why)
                        .addKeyValue("leftOut", leftOut)
                        .log("The audit log cannot be written"));
        QueuedLines.tell(waiters, false);
    }

    private List<Waiter> waiters() {
        List<Waiter> waiters = new ArrayList<>(current.takeWaiters());
        waiters.addAll(pending.takeWaiters());
        return waiters;
    }

    /** After a pause, since a disk that is full has room again some time; not once the end has come. */
    private boolean mayTryAgain() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean wasClosing = closing;
            long leftNanos = RETRY.toNanos();
            while (!closing && leftNanos > 0) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return !wasClosing;
        } finally {
            lock.unlock();
        }
    }
}
