package io.fairlead.hosted.verbs;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.meta.Refusals;
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
 * What the large answers of one cluster may hold and do at once.
 *
 * <p>Threads: any.
 */
public final class AnswerShare {
    /** Room that others leave is noticed after this time at the latest, room that this cluster leaves at once. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final HostedMemory memory;
    private final Semaphore turnsOfAll;
    private final Semaphore turns;
    private final ByteBudget bytes;
    private final ByteBudgets<CallerName> callers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();

    AnswerShare(HostedMemory memory, ByteBudgets<CallerName> callers, Semaphore turnsOfAll) {
        this.memory = memory;
        this.callers = callers;
        this.turnsOfAll = turnsOfAll;
        this.turns = new Semaphore(memory.pagesAtOnceMax(), true);
        this.bytes = memory.budget().part(memory.clusterBytesMax());
    }

    /** What one answer holds, nothing at first. */
    AnswerHold hold(CallerName caller) {
        return new AnswerHold(this, new CallerHold(callers.use(caller), bytes));
    }

    /** The most that one answer can hold; what needs more counts as much and then has a share for itself. */
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

    /** Waits until something finds room; false if it does not in time. */
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

    /** Why there is no room for so many bytes more of a caller. */
    StatusException noRoom(ByteBudget caller, long more) {
        if (caller.taken() + more > caller.bytesMax()) {
            return tooMuch("this caller's in all hosted clusters", "limits.hostedBytesPerCallerMax", caller);
        }
        if (bytes.taken() + more > bytes.bytesMax()) {
            return tooMuch("this cluster's", "limits.hostedBytesPerClusterMax", bytes);
        }
        return tooMuch("all hosted clusters'", "limits.hostedBytesMax", memory.budget());
    }

    /** Takes a turn, or refuses if there is none in time. */
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
