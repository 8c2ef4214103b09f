package io.fairlead.hosted.watchcache;

import io.fairlead.model.Repetitions;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Change;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * Problem: many watchers of many resources must see the store's changes in one order, none lost, none twice, and only
 * after they are durable; and each must be able to begin at any revision without stopping the others.
 *
 * Invariant: position() is the revision up to which every follower has received all changes. It moves only under the
 * dispatch lock, together with the calls. A follower that joins under that lock therefore has an exact start: it
 * receives all later changes, and all earlier ones can be read from the store.
 *
 * Failure: a store that cannot be read is read again, with back-off, for as long as the log is open; nothing is
 * skipped. Meanwhile caches are older than acknowledged writes, and behind() returns for how long: decisions by such a
 * cache check it first. Nothing may be compacted beyond position(). A follower that throws is a fault of the program,
 * is logged and does not stop the others; it has missed an event and must handle that itself.
 */

/**
 * Follows the changes of one store and dispatches them, in order, to followers.
 *
 * <p>Keys of objects have the form {@code /c/UID/GROUP/RESOURCE/…}; followers choose one resource of one cluster, or a
 * whole cluster. Owns one virtual thread.
 */
public final class RevisionFeed implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RevisionFeed.class);
    private static final Repetitions FAILED_FOLLOWERS = new Repetitions();
    private static final int BATCH = 1000;
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final Duration RETRY_MIN = Duration.ofMillis(10);
    private static final int DOUBLINGS_MAX = 5;

    /**
     * The number of segments in the prefix of a cluster's resource, and of a cluster: {@code /c/UID/GROUP/RESOURCE/}.
     */
    private static final int RESOURCE_SEGMENTS = 4;

    private static final int CLUSTER_SEGMENTS = 2;

    private final RevisionedStore store;
    private final EventForms forms;
    private final ReentrantLock dispatchLock = new ReentrantLock();
    private final Condition moved = dispatchLock.newCondition();
    private final Map<String, List<Consumer<RevisionEvent>>> followers = new ConcurrentHashMap<>();
    private final Thread sequencer;
    private final CountDownLatch closing = new CountDownLatch(1);
    /** Actions that wait for the position; guarded by the dispatch lock. */
    private final PriorityQueue<Due> due = new PriorityQueue<>(Comparator.comparingLong(Due::revision));

    private volatile long position;

    /** The number of times that all existing changes had been dispatched. */
    private final AtomicLong catchUps = new AtomicLong();

    private final AtomicReference<@Nullable Waiting> waiting = new AtomicReference<>();

    /** An action for when everything up to a revision has been dispatched. */
    private record Due(long revision, Runnable action) {}

    /** Since when changes are known to wait, unless all were dispatched since. */
    private record Waiting(long catchUps, long sinceNanos) {}

    public RevisionFeed(RevisionedStore store, EventMemory memory) {
        this.store = store;
        this.forms = memory.forms();
        this.position = store.revision();
        this.sequencer = Thread.ofVirtual().name("store-log").start(this::run);
    }

    /** A subscription; closing ends it. */
    @FunctionalInterface
    public interface Following extends AutoCloseable {
        @Override
        void close();
    }

    /** The revision up to which all followers have received all changes. */
    public long position() {
        return position;
    }

    /**
     * How long changes have waited for dispatch, counted from the first call that finds some or the first failure to
     * read them; zero if none wait.
     */
    public Duration behind() {
        long seen = catchUps.get();
        if (position >= store.revision()) {
            return Duration.ZERO;
        }
        long nowNanos = System.nanoTime();
        Waiting known = waiting.get();
        if (known == null || known.catchUps() != seen) {
            known = new Waiting(seen, nowNanos);
            waiting.set(known);
        }
        return Duration.ofNanos(nowNanos - known.sinceNanos());
    }

    /**
     * Follows the keys below a prefix from here on.
     *
     * @param prefix {@code /c/UID/} or {@code /c/UID/GROUP/RESOURCE/}
     * @param follower called on the sequencer's thread, one event at a time; must not block
     * @param joined called with the position after which the follower receives all changes, before the first of them
     */
    public Following follow(String prefix, Consumer<RevisionEvent> follower, Consumer<Long> joined) {
        dispatchLock.lock();
        try {
            followers.computeIfAbsent(prefix, p -> new CopyOnWriteArrayList<>()).add(follower);
            joined.accept(position);
        } finally {
            dispatchLock.unlock();
        }
        return () -> leave(prefix, follower);
    }

    /**
     * Runs an action once everything up to a revision has been dispatched: at once if it has been. Waiting actions run
     * when the log is closed.
     *
     * @param action may be called on the sequencer's thread, which dispatches nothing meanwhile; must not block
     */
    public void whenTold(long revision, Runnable action) {
        dispatchLock.lock();
        try {
            due.add(new Due(revision, action));
            doWhatIsDue(isClosed() ? Long.MAX_VALUE : position);
        } finally {
            dispatchLock.unlock();
        }
    }

    /**
     * Waits until everything up to a revision has been dispatched.
     *
     * @return whether it was in time
     */
    public boolean await(long revision, Duration timeout) throws InterruptedException {
        if (position >= revision) {
            return true;
        }
        long left = timeout.toNanos();
        dispatchLock.lock();
        try {
            while (position < revision && left > 0 && !isClosed()) {
                left = moved.awaitNanos(left);
            }
            return position >= revision;
        } finally {
            dispatchLock.unlock();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        sequencer.interrupt();
        try {
            sequencer.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        dispatchLock.lock();
        try {
            doWhatIsDue(Long.MAX_VALUE);
        } finally {
            dispatchLock.unlock();
        }
    }

    private void doWhatIsDue(long told) {
        while (!due.isEmpty() && due.peek().revision() <= told) {
            Runnable action = due.remove().action();
            try {
                action.run();
            } catch (RuntimeException | Error e) { // It would end the log for all followers.
                FAILED_FOLLOWERS
                        .next("due " + e.getClass())
                        .ifPresent(leftOut -> LOG.atError()
                                .setCause(e)
                                .addKeyValue("leftOut", leftOut)
                                .log("What waited for the store's log failed"));
            }
        }
    }

    private void leave(String prefix, Consumer<RevisionEvent> follower) {
        followers.computeIfPresent(prefix, (p, list) -> {
            list.remove(follower);
            return list.isEmpty() ? null : list;
        });
    }

    private boolean isClosed() {
        return closing.getCount() == 0;
    }

    /** Ends only with the log: every failure, of logging too, is tried again. */
    private void run() {
        int failures = 0;
        boolean told = false;
        while (!isClosed()) {
            try {
                readOn();
                if (told) {
                    LOG.atInfo().addKeyValue("failures", failures).log("The store's changes can be read again");
                }
                told = false;
                failures = 0;
            } catch (InterruptedException e) {
                LOG.debug("The store's log is interrupted"); // closing does this
            } catch (Throwable e) {
                told = told || isTold(e);
                pause(++failures);
            }
        }
    }

    /** Waits a limited time for changes, and dispatches them. */
    private void readOn() throws InterruptedException {
        store.awaitRevisionAbove(position, WAIT);
        long newest = store.revision();
        List<Change> batch = store.changes(position, BATCH);
        if (!batch.isEmpty()) {
            dispatch(batch);
        }
        if (position >= newest) {
            catchUps.incrementAndGet();
        }
    }

    /** Whether a failure was logged; there may be no memory for that, and then the next one is logged. */
    private boolean isTold(Throwable why) {
        if (isClosed()) {
            return false;
        }
        try {
            behind();
            LOG.atError().setCause(why).log("The store's changes cannot be read; trying again until they can");
            return true;
        } catch (RuntimeException | Error untold) {
            return false;
        }
    }

    private void pause(int failures) {
        try {
            closing.await(RETRY_MIN.toMillis() << Math.min(failures - 1, DOUBLINGS_MAX), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            LOG.debug("The store's log is interrupted");
        }
    }

    private void dispatch(List<Change> batch) {
        dispatchLock.lock();
        try {
            List<News> news = batch.stream().map(this::news).toList();
            // Nothing below fails, so no change is dispatched twice.
            for (News each : news) {
                tell(each.resource(), each.event());
                tell(each.cluster(), each.event());
            }
            position = batch.getLast().revision();
            moved.signalAll();
            doWhatIsDue(position);
        } finally {
            dispatchLock.unlock();
        }
    }

    /** A change, and the prefixes whose followers receive it. */
    private record News(RevisionEvent event, String resource, String cluster) {}

    private News news(Change change) {
        return new News(
                new RevisionEvent(change, forms),
                prefixOf(change.key(), RESOURCE_SEGMENTS),
                prefixOf(change.key(), CLUSTER_SEGMENTS));
    }

    private void tell(String prefix, RevisionEvent event) {
        for (Consumer<RevisionEvent> follower : followers.getOrDefault(prefix, List.of())) {
            try {
                follower.accept(event);
            } catch (RuntimeException | Error e) { // One follower's error would end the log for all.
                FAILED_FOLLOWERS
                        .next(prefix + " " + e.getClass())
                        .ifPresent(leftOut -> LOG.atError()
                                .setCause(e)
                                .addKeyValue("key", event.key())
                                .addKeyValue("revision", event.revision())
                                .addKeyValue("leftOut", leftOut)
                                .log("A follower of the store's log failed"));
            }
        }
    }

    /** The key up to and including the slash after this many segments, empty if it has fewer. */
    private static String prefixOf(String key, int segments) {
        int slash = 0;
        for (int i = 0; i < segments; i++) {
            slash = key.indexOf('/', slash + 1);
            if (slash < 0) {
                return "";
            }
        }
        return key.substring(0, slash + 1);
    }
}
