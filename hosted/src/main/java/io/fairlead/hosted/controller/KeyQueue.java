package io.fairlead.hosted.controller;

import io.fairlead.hosted.verbs.StaleResourceException;
import io.fairlead.model.Repetitions;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore.StoreException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys that wait for a reconciler, each at most once however often it is added.
 *
 * <p>Owns one virtual thread while there is work and none otherwise ({@link SoleWorker}). A key whose work is not
 * finished, or failed, is retried after a delay that doubles from 50 ms to 5 s and is reset when the key is done. Any
 * throwable of a reconciler, errors of the JVM included, affects that key only.
 *
 * <p>Threads: {@code add} from any, without blocking.
 */
public final class KeyQueue implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KeyQueue.class);
    private static final Duration DELAY_MIN = Duration.ofMillis(50);
    private static final int DOUBLINGS_MAX = 7;

    private final String name;
    private final Reconciler reconciler;
    private final ScheduledExecutorService scheduler;
    private final SoleWorker worker;
    private final Repetitions failures = new Repetitions();
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<String> waiting = new LinkedHashSet<>();
    private final Map<String, ScheduledFuture<?>> delayed = new HashMap<>();
    private final Map<String, Integer> attempts = new HashMap<>();
    private boolean closed;

    /** The reconciler of a key. */
    @FunctionalInterface
    public interface Reconciler {
        /** Moves a key's state towards the desired one; returns whether it is reached. */
        boolean reconcile(String key) throws InterruptedException;
    }

    public KeyQueue(String name, Reconciler reconciler, ScheduledExecutorService scheduler) {
        this.name = name;
        this.reconciler = reconciler;
        this.scheduler = scheduler;
        this.worker = new SoleWorker(name, Thread.ofVirtual().name(name).factory(), this::workOnAll, scheduler);
    }

    /** Starts, with the keys that were added before. */
    public void start() {
        worker.start();
    }

    /** Queues a key. */
    public void add(String key) {
        lock.lock();
        try {
            ScheduledFuture<?> later = delayed.remove(key);
            if (later != null) {
                later.cancel(false);
            }
            if (closed) {
                return;
            }
            waiting.add(key);
        } finally {
            lock.unlock();
        }
        worker.call();
    }

    /** Stops after the current key. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            waiting.clear();
            delayed.values().forEach(later -> later.cancel(false));
            delayed.clear();
        } finally {
            lock.unlock();
        }
        worker.close();
    }

    private void workOnAll() throws InterruptedException {
        for (String key = take(); key != null; key = take()) {
            boolean isOver = false;
            try {
                work(key);
                isOver = true;
            } finally {
                if (!isOver) {
                    putBack(key);
                }
            }
        }
    }

    /** Requeues what an interruption or a JVM error kept from being scheduled again. */
    private void putBack(String key) {
        lock.lock();
        try {
            if (!closed) {
                waiting.add(key);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The next key; null if none waits. */
    private @Nullable String take() {
        lock.lock();
        try {
            Iterator<String> next = waiting.iterator();
            if (!next.hasNext()) {
                return null;
            }
            String key = next.next();
            next.remove();
            return key;
        } finally {
            lock.unlock();
        }
    }

    private void work(String key) throws InterruptedException {
        boolean done;
        try {
            done = reconciler.reconcile(key);
        } catch (StatusException e) {
            logRefusal(key, e);
            done = false;
        } catch (StaleResourceException e) {
            done = false;
        } catch (StoreException e) {
            // Refused writes are logged where they are counted.
            if (e.reason() == StoreException.Reason.DAMAGED) {
                logFault(key, e);
            }
            done = false;
        } catch (RuntimeException | Error e) { // An error that ended the worker would leave its queue without one.
            logFault(key, e);
            done = false;
        }
        if (done) {
            forget(key);
        } else {
            retryLater(key);
        }
    }

    private void logRefusal(String key, StatusException refusal) {
        failures.next(refusal.getClass())
                .ifPresent(leftOut -> LOG.atInfo()
                        .addKeyValue("controller", name)
                        .addKeyValue("key", key)
                        .addKeyValue("status", refusal.status().message())
                        .addKeyValue("leftOut", leftOut)
                        .log("A key is refused and tried again later"));
    }

    private void logFault(String key, Throwable fault) {
        failures.next(fault.getClass())
                .ifPresent(leftOut -> LOG.atError()
                        .setCause(fault)
                        .addKeyValue("controller", name)
                        .addKeyValue("key", key)
                        .addKeyValue("leftOut", leftOut)
                        .log("A key could not be worked on and is tried again later"));
    }

    private void forget(String key) {
        lock.lock();
        try {
            attempts.remove(key);
        } finally {
            lock.unlock();
        }
    }

    private void retryLater(String key) {
        lock.lock();
        try {
            if (closed || waiting.contains(key) || scheduler.isShutdown()) {
                return;
            }
            int attempt = attempts.merge(key, 1, Integer::sum);
            long millis = DELAY_MIN.toMillis() << Math.min(attempt - 1, DOUBLINGS_MAX - 1);
            delayed.put(key, scheduler.schedule(() -> add(key), Math.min(millis, 5000), TimeUnit.MILLISECONDS));
        } finally {
            lock.unlock();
        }
    }
}
