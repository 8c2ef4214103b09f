package io.fairlead.hosted.cluster;

import io.fairlead.hosted.controller.SoleWorker;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Problem: a cluster's caches and types are derived from its objects, and deriving them can be expensive. The store's
 * log has one thread for all clusters, which must not do this work.
 *
 * Invariant: the log only puts keys into a set. The cluster's own thread takes all of them at once, reads them at one
 * revision and applies them in the order of their revisions, those that are gone last. So a later application is never
 * older, whatever states were skipped in between, and the set is no larger than the keys that changed.
 *
 * Failure: a key that cannot be applied, errors of the JVM included, is logged and tried again; the others continue.
 * Until it is applied, and while the log itself is behind, isCurrent() says after a while that the derived state may be
 * stale.
 */

/**
 * Keeps a state derived from some of a cluster's objects equal to the store, on a thread that runs only while there is
 * work.
 *
 * <p>Threads: targets are called by one thread at a time; the other methods by any.
 */
final class Follower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final Duration RETRY = Duration.ofMillis(500);

    /** How long changes may wait until the derived state counts as stale. */
    private static final Duration STALE_AFTER = Duration.ofSeconds(3);

    private static final long NOTHING_WAITS = Long.MIN_VALUE;

    private final ClusterName cluster;
    private final RevisionedStore store;
    private final RevisionFeed log;
    private final ScheduledExecutorService scheduler;
    private final SoleWorker worker;
    private final Repetitions failures = new Repetitions();
    private final Map<String, Target> targets = new HashMap<>();
    private final List<RevisionFeed.Following> following = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final Set<String> failing = new HashSet<>();
    private Set<String> waiting = new LinkedHashSet<>();
    /** How many keys the log has reported, how many were taken for processing, and how many are applied. */
    private long told;

    private long taken;
    private long shown;

    /**
     * The earliest time since when a change may be waiting; written under the lock, read without it, by event loops too.
     */
    private volatile long waitingSinceNanos = NOTHING_WAITS;

    /** When keys were last taken. */
    private long takenAtNanos = System.nanoTime();

    private boolean closed;

    /**
     * Subscribes to nothing yet.
     *
     * @param threads makes the threads that work: platform threads where targets compute for long, which would block
     *     the carriers of virtual threads for other requests
     */
    Follower(
            ClusterName cluster,
            RevisionedStore store,
            RevisionFeed log,
            ScheduledExecutorService scheduler,
            ThreadFactory threads) {
        this.cluster = cluster;
        this.store = store;
        this.log = log;
        this.scheduler = scheduler;
        this.worker = new SoleWorker("follower-" + cluster, threads, this::showAll, scheduler);
    }

    /** The state derived from the objects of one resource. Calls may repeat a state. */
    interface Target {
        /** The initial objects, all at once. */
        void start(List<Entry> entries, long revision);

        /** The current state of an object. */
        void put(Entry entry);

        /**
         * The object does not exist.
         *
         * @param revision of the read that did not find it
         */
        void remove(String key, long revision);
    }

    /** Subscribes to the objects below {@code /c/UID/GROUP/RESOURCE/}; call before the start. */
    void follow(String prefix, Target target) {
        targets.put(prefix, target);
    }

    /** Reads the existing objects, and follows changes from then on. */
    void start() {
        // Subscribe first, then read: a change in between is read twice.
        targets.keySet()
                .forEach(prefix -> following.add(log.follow(prefix, event -> add(event.key()), position -> {})));
        long revision = store.revision();
        targets.forEach((prefix, target) -> target.start(store.list(prefix, null, 0, revision), revision));
        worker.start();
    }

    /**
     * Waits until everything committed before is applied.
     *
     * @return whether it was in time
     */
    boolean awaitShown(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        if (!log.await(store.revision(), timeout)) {
            return false;
        }
        lock.lockInterruptibly();
        try {
            long wanted = told;
            while (shown < wanted && !closed) {
                long left = end - System.nanoTime();
                if (left <= 0 || moved.awaitNanos(left) <= 0) {
                    return shown >= wanted;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether all committed changes are applied, except those of the last moments. Does not block. */
    boolean isCurrent() {
        if (!isCurrent(log)) {
            return false;
        }
        long sinceNanos = waitingSinceNanos;
        return sinceNanos == NOTHING_WAITS || System.nanoTime() - sinceNanos <= STALE_AFTER.toNanos();
    }

    /** Whether the log's followers have received all committed changes, except those of the last moments. */
    static boolean isCurrent(RevisionFeed log) {
        return log.behind().compareTo(STALE_AFTER) <= 0;
    }

    @Override
    public void close() {
        following.forEach(RevisionFeed.Following::close);
        lock.lock();
        try {
            closed = true;
            waiting.clear();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
        worker.close();
    }

    private void add(String key) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            told++;
            waiting.add(key);
            if (waitingSinceNanos == NOTHING_WAITS) {
                // A change reported late has waited at least as long as the log was behind.
                waitingSinceNanos = System.nanoTime() - log.behind().toNanos();
            }
        } finally {
            lock.unlock();
        }
        worker.call();
    }

    private void showAll() {
        for (Set<String> keys = take(); !keys.isEmpty(); keys = take()) {
            boolean isOver = false;
            try {
                apply(keys);
                isOver = true;
            } finally {
                if (!isOver) {
                    putBack(keys);
                }
            }
        }
    }

    /** All waiting keys, those taken but not applied first; empty if none waits. */
    private Set<String> take() {
        lock.lock();
        try {
            shown = taken;
            moved.signalAll();
            if (failing.isEmpty()) {
                waitingSinceNanos = waiting.isEmpty() ? NOTHING_WAITS : Math.max(waitingSinceNanos, takenAtNanos);
            }
            takenAtNanos = System.nanoTime();
            if (waiting.isEmpty() || closed) {
                return Set.of();
            }
            Set<String> keys = waiting;
            waiting = new LinkedHashSet<>();
            taken = told;
            return keys;
        } finally {
            lock.unlock();
        }
    }

    /** Throws what the retry of a key could not handle: errors of the JVM. */
    private void putBack(Set<String> keys) {
        lock.lock();
        try {
            if (!closed) {
                told += keys.size();
                waiting.addAll(keys);
            }
        } finally {
            lock.unlock();
        }
    }

    private void apply(Set<String> keys) {
        try {
            long revision = store.revision();
            List<Entry> entries = new ArrayList<>();
            List<String> gone = new ArrayList<>();
            for (String key : keys) {
                Entry entry = store.get(key, revision);
                if (entry == null) {
                    gone.add(key);
                } else {
                    entries.add(entry);
                }
            }
            entries.sort(Comparator.comparingLong(Entry::revision));
            entries.forEach(
                    entry -> guarded(entry.key(), () -> target(entry.key()).put(entry)));
            gone.forEach(key -> guarded(key, () -> target(key).remove(key, revision)));
        } catch (RuntimeException | Error unreadable) {
            keys.forEach(key -> again(key, unreadable));
        }
    }

    private void guarded(String key, Runnable step) {
        try {
            step.run();
            recovered(key);
        } catch (RuntimeException | Error fault) {
            again(key, fault);
        }
    }

    private void recovered(String key) {
        lock.lock();
        try {
            failing.remove(key);
        } finally {
            lock.unlock();
        }
    }

    private void failed(String key) {
        lock.lock();
        try {
            failing.add(key);
        } finally {
            lock.unlock();
        }
    }

    private void again(String key, Throwable fault) {
        boolean over = fault instanceof StoreException refused && refused.reason() == StoreException.Reason.CLOSED;
        if (over || scheduler.isShutdown()) {
            return;
        }
        failed(key);
        failures.next(fault.getClass())
                .ifPresent(leftOut -> LOG.atError()
                        .setCause(fault)
                        .addKeyValue("cluster", cluster)
                        .addKeyValue("key", key)
                        .addKeyValue("leftOut", leftOut)
                        .log("An object could not be taken over and is tried again later"));
        scheduler.schedule(() -> add(key), RETRY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private Target target(String key) {
        int slash = key.indexOf('/', key.indexOf('/', key.indexOf('/', key.indexOf('/', 1) + 1) + 1) + 1);
        Target target = targets.get(key.substring(0, slash + 1));
        if (target == null) {
            throw new IllegalStateException("nothing follows " + key);
        }
        return target;
    }
}
