package io.fairlead.hosted.log;

import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Change;
import io.fairlead.storage.RevisionedStore.CompactedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One reader of a resource's changes: first from the store's history, if it begins before what is in memory, then live.
 *
 * <p>Every change after the first revision comes once and in order, until the watcher ends: because it was closed,
 * because its resource ended, or because it fell too far behind.
 *
 * <p>Threads: one reader; the sequencer offers; anyone may close.
 */
public final class Watcher implements AutoCloseable {
    private static final int STORE_BATCH = 500;

    private final ResourceLog resource;
    private final RevisionedStore store;
    private final StoreLog log;
    private final String prefix;
    private final int bufferEventsMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<LogEvent> queue = new ArrayDeque<>();
    private final ArrayDeque<LogEvent> history = new ArrayDeque<>();
    private final long afterRevision;
    private long readFromStore;
    private long readFromStoreUpTo;
    private long delivered;
    private boolean ended;

    Watcher(
            ResourceLog resource,
            RevisionedStore store,
            StoreLog log,
            String prefix,
            long afterRevision,
            int bufferEventsMax) {
        this.resource = resource;
        this.store = store;
        this.log = log;
        this.prefix = prefix;
        this.afterRevision = afterRevision;
        this.delivered = afterRevision;
        this.bufferEventsMax = bufferEventsMax;
    }

    /** What a reader gets. */
    public sealed interface Next {
        /** A change. */
        record Event(LogEvent event) implements Next {}

        /** Nothing came in time; everything up to the revision has been delivered. */
        record Idle(long revision) implements Next {}

        /** The watch is over. */
        record End() implements Next {}

        /** The history that was asked for has been compacted away meanwhile. */
        record Expired(long compactedRevision) implements Next {}
    }

    /** The next change, waiting for it no longer than the timeout. */
    public Next next(Duration timeout) throws InterruptedException {
        while (history.isEmpty() && readFromStore < readFromStoreUpTo) {
            try {
                readHistory();
            } catch (CompactedException e) {
                return new Next.Expired(e.compactedRevision());
            }
        }
        LogEvent past = history.pollFirst();
        return past == null ? live(timeout) : deliver(past);
    }

    /** Ends the watch; a waiting reader gets {@link Next.End}. */
    @Override
    public void close() {
        resource.leave(this);
        lock.lock();
        try {
            queue.clear();
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void begin(Collection<LogEvent> events) {
        history.addAll(events);
    }

    void beginWithStore(long upTo) {
        readFromStore = afterRevision;
        readFromStoreUpTo = upTo;
    }

    /** Takes a live change; false if there is no room for it, which ends the watch after what it already holds. */
    boolean offer(LogEvent event) {
        if (event.revision() <= afterRevision) {
            return true;
        }
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            if (queue.size() >= bufferEventsMax) {
                ended = true;
            } else {
                queue.addLast(event);
            }
            changed.signalAll();
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the watch after what it already holds. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Next live(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (true) {
                // Read before the queue: all that the log has passed is then in the queue or was delivered.
                long position = log.position();
                LogEvent event = queue.pollFirst();
                if (event != null) {
                    return deliver(event);
                }
                if (ended) {
                    return new Next.End();
                }
                if (left <= 0) {
                    delivered = Math.max(delivered, position);
                    return new Next.Idle(delivered);
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private Next deliver(LogEvent event) {
        delivered = event.revision();
        return new Next.Event(event);
    }

    private void readHistory() {
        List<Change> batch = store.changes(readFromStore, STORE_BATCH);
        for (Change change : batch) {
            if (change.revision() > readFromStoreUpTo) {
                break;
            }
            if (change.key().startsWith(prefix)) {
                history.addLast(new LogEvent(change));
            }
        }
        readFromStore = batch.isEmpty() ? readFromStoreUpTo : batch.getLast().revision();
    }
}
