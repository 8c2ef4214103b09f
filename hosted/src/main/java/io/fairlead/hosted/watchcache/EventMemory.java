package io.fairlead.hosted.watchcache;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.StatusException;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/*
 * Problem: the changes kept for watches, and those that slow watchers have not read yet, must fit into the heap, for
 * any size of values and any number of watchers.
 *
 * Invariant: a change is counted once, in its cluster's share and in the process's, while its resource's history or any
 * watcher holds it. If a new one does not fit, the oldest that no watcher holds are dropped first: of the cluster if
 * its share is full, otherwise of all. Watches from earlier revisions read the store.
 *
 * Progress: a new change never waits and is served first. A watch that reads history waits for room while it holds
 * nothing, in order of arrival within its cluster, and gets some before it is answered; while it holds something it
 * never waits, but ends if there is no room or others wait. So waiting watches never wait for each other, and any
 * number of clients that retry without a pause each get a change in turn.
 *
 * Concurrency: this object's monitor guards the bookkeeping, and is the innermost lock: a resource's log takes it under
 * its own monitor, and nothing is called under it. So is the lock for waiting.
 */
/**
 * The changes that all hosted clusters hold in memory for watches.
 *
 * <p>Threads: any.
 */
public final class EventMemory {
    /** Longest delay until room in other clusters is noticed; room in this cluster is noticed at once. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final HostedMemory memory;
    private final HostedMemory.History limits;
    private final ByteBudget bytes;
    private final EventForms forms;
    private final NavigableMap<Long, ResourceLog> kept = new TreeMap<>();
    /** Readers of the store's history hold what they have read for a moment before it is counted. */
    private final Semaphore reads =
            new Semaphore(Math.max(2, Runtime.getRuntime().availableProcessors()), true);

    public EventMemory(HostedMemory memory) {
        this.memory = memory;
        this.limits = memory.history();
        this.bytes = memory.budget().part(limits.bytesMax());
        this.forms = new EventForms(limits.bytesMax() / 2);
    }

    EventForms forms() {
        return forms;
    }

    /** The share of one cluster. */
    public Share share() {
        return new Share();
    }

    /** What one cluster holds. */
    public final class Share {
        private final ByteBudget shareBytes = bytes.part(limits.clusterBytesMax());
        private final NavigableMap<Long, ResourceLog> keptHere = new TreeMap<>();
        private final Semaphore order = new Semaphore(1, true);
        private final AtomicInteger waiting = new AtomicInteger();
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition freed = lock.newCondition();

        private Share() {}

        HostedMemory.History limits() {
            return limits;
        }

        /** Adds a holder to a change; false if it does not fit. */
        boolean hold(RevisionEvent event) {
            return event.hold(shareBytes, Math.min(limits.bytesMax(), limits.clusterBytesMax()));
        }

        /**
         * Holds a change, dropping older ones without watchers if necessary; false if it does not fit even then. Takes
         * the monitors of resources' logs, one at a time.
         */
        boolean holdBeforeOlder(RevisionEvent event) {
            return holdBeforeOlder(event.bytes(), () -> hold(event));
        }

        /**
         * Holds bytes derived from a change, as {@link #holdBeforeOlder(RevisionEvent)}; returns the counted bytes, 0
         * if they do not fit.
         */
        long holdMade(long made) {
            long counted = Math.min(made, Math.min(limits.bytesMax(), limits.clusterBytesMax()) / 2);
            return holdBeforeOlder(counted, () -> shareBytes.take(counted)) ? counted : 0;
        }

        /** Ends a {@link #holdMade}. */
        void releaseMade(long counted) {
            if (counted > 0) {
                shareBytes.give(counted);
                signalFreed();
            }
        }

        private boolean holdBeforeOlder(long more, BooleanSupplier held) {
            while (!held.getAsBoolean()) {
                Map.Entry<Long, ResourceLog> oldest = oldest(more);
                if (oldest == null) {
                    return false;
                }
                oldest.getValue().forget(oldest.getKey());
                // Remove it in any case: a change that its log failed to take would stay the oldest for ever.
                synchronized (EventMemory.this) {
                    kept.remove(oldest.getKey(), oldest.getValue());
                    keptHere.remove(oldest.getKey(), oldest.getValue());
                }
            }
            return true;
        }

        /** Holds a new change for the history of its resource, as {@link #holdBeforeOlder}. */
        boolean keep(RevisionEvent event, ResourceLog log) {
            boolean held = holdBeforeOlder(event);
            if (held) {
                synchronized (EventMemory.this) {
                    kept.put(event.revision(), log);
                    keptHere.put(event.revision(), log);
                }
            }
            return held;
        }

        /** Drops a change from the history. */
        void drop(RevisionEvent event) {
            synchronized (EventMemory.this) {
                kept.remove(event.revision());
                keptHere.remove(event.revision());
            }
            release(event);
        }

        /** Drops a holder of a change. */
        void release(RevisionEvent event) {
            event.release();
            signalFreed();
        }

        private void signalFreed() {
            if (waiting.get() > 0) {
                lock.lock();
                try {
                    freed.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        }

        /** How long a watch waits for room before it is refused. */
        Duration patience() {
            return memory.patience();
        }

        /** Whether watches of this cluster wait for room, so that others yield or queue behind them. */
        boolean isShort() {
            return waiting.get() > 0;
        }

        /** Reads some of the store's history; few threads do so at once. */
        boolean read(BooleanSupplier some) throws InterruptedException {
            reads.acquire();
            try {
                return some.getAsBoolean();
            } finally {
                reads.release();
            }
        }

        /** Reads some of the store's history once it fits and earlier watches had their turn; false on timeout. */
        boolean readInTurn(BooleanSupplier some) throws InterruptedException {
            long deadline = System.nanoTime() + patience().toNanos();
            waiting.incrementAndGet();
            try {
                if (!order.tryAcquire(patience().toNanos(), TimeUnit.NANOSECONDS)) {
                    return false;
                }
                try {
                    return readUntil(deadline, some);
                } finally {
                    order.release();
                }
            } finally {
                waiting.decrementAndGet();
            }
        }

        private boolean readUntil(long deadline, BooleanSupplier some) throws InterruptedException {
            while (!read(some)) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                lock.lockInterruptibly();
                try {
                    // What is released between the check and here is noticed at the next check.
                    freed.awaitNanos(Math.min(left, LOOK_AGAIN.toNanos()));
                } finally {
                    lock.unlock();
                }
            }
            return true;
        }

        /** Why a watch is refused; reported to the operator. */
        StatusException noRoom() {
            memory.reached().accept("limits.hostedBytesMax");
            return Refusals.tooManyRequests("of changes on their way to watches, " + shareBytes.taken()
                    + " bytes are this cluster's and " + bytes.taken()
                    + " all hosted clusters' (expected room for one more"
                    + " below " + shareBytes.bytesMax() + " and " + bytes.bytesMax() + ", by limits.hostedBytesMax)");
        }

        private Map.@Nullable Entry<Long, ResourceLog> oldest(long more) {
            boolean full = shareBytes.taken() + more > shareBytes.bytesMax();
            synchronized (EventMemory.this) {
                return full ? keptHere.firstEntry() : kept.firstEntry();
            }
        }
    }
}
