package io.fairlead.hosted.verbs;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.OwnUser;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.Work;
import io.fairlead.hosted.objects.WorkMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ByteBudgets;
import io.fairlead.model.CallerHold;
import io.fairlead.model.CallerName;
import io.fairlead.model.StatusException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Limits the memory and concurrency of the large answers of one cluster.
 *
 * <p>Threads: any.
 */
public final class AnswerShare {
    /**
     * Longest delay until bytes released in other clusters are noticed; bytes released in this cluster are noticed at
     * once.
     */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final HostedMemory memory;
    private final Semaphore turnsOfAll;
    private final Semaphore turns;
    private final ByteBudget bytes;

    /** Of Fairlead's own lists, which read few pages at once: what clients leave unread must not hold them up. */
    private final ByteBudget own;

    private final ByteBudgets<CallerName> callers;
    private final WorkMemory.OfCluster work;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();

    AnswerShare(HostedMemory memory, ByteBudgets<CallerName> callers, Semaphore turnsOfAll, WorkMemory.OfCluster work) {
        this.memory = memory;
        this.callers = callers;
        this.turnsOfAll = turnsOfAll;
        this.work = work;
        this.turns = new Semaphore(memory.pagesAtOnceMax(), true);
        this.bytes = memory.budget().part(memory.clusterBytesMax());
        this.own = ByteBudget.of(memory.clusterBytesMax());
    }

    /** A hold for one answer, empty at first. */
    AnswerHold hold(CallerName caller) {
        boolean isOwn = OwnUser.is(caller);
        return new AnswerHold(this, new CallerHold(callers.use(caller), isOwn ? own : bytes));
    }

    /** The memory in which a request works; Fairlead's own have one object at a time. */
    Work work(CallerName caller) {
        return OwnUser.is(caller) ? Work.UNCOUNTED : work.begin(caller);
    }

    /** The most that one answer can hold; a larger need counts as this much and then has the share for itself. */
    long bytesMax() {
        return Math.min(memory.budget().bytesMax(), Math.min(memory.clusterBytesMax(), memory.callerBytesMax()));
    }

    /** How long an answer waits before it is refused. */
    Duration patience() {
        return memory.patience();
    }

    void signalFreed() {
        lock.lock();
        try {
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a request for bytes succeeds; false on timeout. */
    boolean awaitRoom(Duration wait, BooleanSupplier taken) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        lock.lockInterruptibly();
        try {
            while (!taken.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                freed.awaitNanos(Math.min(left, LOOK_AGAIN.toNanos()));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Why this many more bytes do not fit for a caller. */
    StatusException noRoom(ByteBudget caller, long more) {
        if (caller.taken() + more > caller.bytesMax()) {
            return tooMuch("this caller's in all hosted clusters", "limits.hostedBytesPerCallerMax", caller);
        }
        if (bytes.taken() + more > bytes.bytesMax()) {
            return tooMuch("this cluster's", "limits.hostedBytesPerClusterMax", bytes);
        }
        return tooMuch("all hosted clusters'", "limits.hostedBytesMax", memory.budget());
    }

    /** Takes a turn, or refuses on timeout. */
    void takeTurn(Duration wait) throws InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        if (turns.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
            if (turnsOfAll.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return;
            }
            turns.release();
        }
        memory.reached().accept("limits.hostedPagesPerClusterMax");
        throw Refusals.tooManyRequests("lists of this cluster wait longer than " + wait.toSeconds()
                + " s for their turn to be encoded (expected fewer at once, limits.hostedPagesPerClusterMax)");
    }

    void giveTurn() {
        turnsOfAll.release();
        turns.release();
    }

    private StatusException tooMuch(String whose, String key, ByteBudget full) {
        memory.reached().accept(key);
        return Refusals.tooManyRequests("of " + whose + " lists and watches, " + full.taken()
                + " bytes are under way (expected at most " + full.bytesMax() + ", " + key + ")");
    }
}
