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
 * Problem: the changes that are kept for watches, and those that slow watchers have still before them, must fit into the heap,
 * however large their values are and however many watch.
 *
 * Invariant: a change is counted once, of its cluster's share and of the process's, from when it is first held - by the history of
 * its resource or by a watcher - until it is held no longer. Where there is no room for a new one, the oldest that are only kept go
 * first: of the cluster if its share is full, else of all. Watches that want them read the store.
 *
 * Progress: a new change never waits and has the first claim to what is free. A watch that reads what is past waits for room while
 * it holds nothing, in the order in which watches of its cluster came, and gets some before it is told to begin; while it holds
 * something it never waits, but ends when there is no room or others wait. So those who wait do not wait for each other, and
 * clients that come again without a pause get each a change in turn, however many they are.
 *
 * Concurrency: this object's monitor guards what is kept where, and is the innermost lock: a resource's log takes it under its
 * own monitor, and nothing is called under it. So is the lock under which is waited for room.
 */
/**
 * The changes that all hosted clusters hold in memory for watches.
 *
 * <p>Threads: any.
 */
public final class EventMemory {
    /** Room that other clusters leave is noticed after this time at the latest, room that this one leaves at once. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final HostedMemory memory;
    private final HostedMemory.History limits;
    private final ByteBudget bytes;
    private final EventForms forms;
    private final NavigableMap<Long, ResourceLog> kept = new TreeMap<>();
    /** Who reads the store's history holds what it has read a moment before it is counted. */
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

        /** Holds a change once more; false if there is no room. */
        boolean hold(RevisionEvent event) {
            return event.hold(shareBytes, Math.min(limits.bytesMax(), limits.clusterBytesMax()));
        }

        /**
         * Holds a change in the place of older ones that are only kept, if need be; false if there is no room all the same. Takes
         * the monitors of resources' logs, one at a time.
         */
        boolean holdBeforeOlder(RevisionEvent event) {
            return holdBeforeOlder(event.bytes(), () -> hold(event));
        }

        /** Holds bytes that were made of a change, as {@link #holdBeforeOlder(RevisionEvent)}; how many are counted, 0 if there is no room. */
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
                // Gone from here in any case: a change whose log failed to take it would be the oldest for ever.
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

        /** No longer keeps a change. */
        void drop(RevisionEvent event) {
            synchronized (EventMemory.this) {
                kept.remove(event.revision());
                keptHere.remove(event.revision());
            }
            release(event);
        }

        /** No longer holds a change. */
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

        /** Whether watches of this cluster wait for room, so that others make way or wait behind them. */
        boolean isShort() {
            return waiting.get() > 0;
        }

        /** Reads some of the store's history; few do at once. */
        boolean read(BooleanSupplier some) throws InterruptedException {
            reads.acquire();
            try {
                return some.getAsBoolean();
            } finally {
                reads.release();
            }
        }

        /** Reads some of the store's history once there is room for it and those who came before had theirs; false if not in time. */
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
                    // What is freed between the look and this is noticed when it is time to look again.
                    freed.awaitNanos(Math.min(left, LOOK_AGAIN.toNanos()));
                } finally {
                    lock.unlock();
                }
            }
            return true;
        }

        /** Why a watch is refused, of which the operator is told. */
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
