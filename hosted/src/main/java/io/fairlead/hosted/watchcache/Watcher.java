package io.fairlead.hosted.watchcache;

import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Change;
import io.fairlead.storage.RevisionedStore.CompactedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One reader of a resource's changes: first from the store's history, if it begins before the changes in memory, then
 * live. While it reads the store it receives no live changes, which are in the store too.
 *
 * <p>Every change after the first revision comes once and in order, until the watcher ends: because it was closed,
 * because its resource ended, or because it fell too far behind.
 *
 * <p>Threads: one reader; the sequencer offers; any may close.
 */
public final class Watcher implements AutoCloseable {
    private static final int STORE_BATCH = 500;
    private static final long STORE_BATCH_BYTES = 256L * 1024;

    private final ResourceLog resource;
    private final RevisionedStore store;
    private final RevisionFeed log;
    private final String prefix;
    private final int bufferEventsMax;
    private final EventMemory.Share memory;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<RevisionEvent> queue = new ArrayDeque<>();
    private final ArrayDeque<RevisionEvent> history = new ArrayDeque<>();
    /** The change that may still be on its way to the client, with its previous value. */
    private @Nullable RevisionEvent handedOut;
    /** The counted bytes derived from it. */
    private long madeBytes;

    private final long afterRevision;
    private long readFromStore;
    private long readFromStoreUpTo;
    private long delivered;
    private long queuedBytes;
    /** Whether it receives live changes; until then it reads the store. */
    private boolean live;

    private boolean ended;

    Watcher(
            ResourceLog resource,
            RevisionedStore store,
            RevisionFeed log,
            String prefix,
            long afterRevision,
            int bufferEventsMax,
            EventMemory.Share memory) {
        this.resource = resource;
        this.store = store;
        this.log = log;
        this.prefix = prefix;
        this.afterRevision = afterRevision;
        this.delivered = afterRevision;
        this.bufferEventsMax = bufferEventsMax;
        this.memory = memory;
    }

    /** The result of a read. */
    public sealed interface Next {
        /** A change. */
        record Event(RevisionEvent event) implements Next {}

        /** Nothing arrived in time; everything up to the revision has been delivered. */
        record Idle(long revision) implements Next {}

        /** The watch has ended. */
        record End() implements Next {}

        /** The requested history has been compacted meanwhile. */
        record Expired(long compactedRevision) implements Next {}
    }

    /** The next change; waits at most for the timeout. */
    public Next next(Duration timeout) throws InterruptedException {
        while (wantsHistory()) {
            try {
                readHistory();
            } catch (CompactedException e) {
                return new Next.Expired(e.compactedRevision());
            }
        }
        return live(timeout);
    }

    /**
     * Reserves memory for the first past change, if it begins there; waits for room.
     *
     * @throws io.fairlead.model.StatusException 429 on timeout; the watch has ended then
     */
    public void prepare() throws InterruptedException {
        try {
            if (wantsHistory() && !readHistory()) {
                throw memory.noRoom();
            }
        } catch (CompactedException e) {
            // The reader gets the end.
            return;
        }
    }

    /**
     * Counts the encoded form of the last returned change, in addition to the change and until the next one is
     * returned: by the defaults of its type it may be far larger.
     *
     * @return false if it does not fit, which ends the watch so that its client resumes it
     */
    public boolean holdMade(long bytes) {
        // Not under the lock, since other changes may have to be dropped.
        long held = memory.holdMade(bytes);
        lock.lock();
        try {
            if (handedOut == null) {
                memory.releaseMade(held);
            } else {
                madeBytes += held;
            }
            return held > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the watch; a waiting reader gets {@link Next.End}. */
    @Override
    public void close() {
        resource.leave(this);
        lock.lock();
        try {
            releaseHandedOut();
            cutOff();
        } finally {
            lock.unlock();
        }
    }

    /** Starts with changes in memory, and receives those after them. */
    void begin(Collection<RevisionEvent> events) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            for (RevisionEvent event : events) {
                if (!memory.hold(event)) {
                    throw new IllegalStateException("a change that is kept takes no room again");
                }
                history.addLast(event);
                queuedBytes += event.bytes();
            }
            live = true;
        } finally {
            lock.unlock();
        }
    }

    /** Starts with the store's changes after a revision, up to another. */
    void beginWithStore(long after, long upTo) {
        lock.lock();
        try {
            readFromStore = after;
            readFromStoreUpTo = upTo;
        } finally {
            lock.unlock();
        }
    }

    /** Whether {@link #next} answers a change at once. */
    public boolean holdsNext() {
        lock.lock();
        try {
            return !history.isEmpty() || (live && !queue.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    /** The bytes of its unread changes, past and live. */
    long queuedBytes() {
        lock.lock();
        try {
            return queuedBytes;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the watch at once; unread changes can be read from the store later. */
    void cutOff() {
        lock.lock();
        try {
            end();
            release(queue);
            release(history);
            queuedBytes = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a live change; false if it does not fit, which ends the watch after the changes that it holds. */
    boolean offer(RevisionEvent event) {
        if (event.revision() <= afterRevision) {
            return true;
        }
        lock.lock();
        try {
            if (ended) {
                return false;
            }
            if (!live) {
                return true;
            }
            if (isFullFor(event) || !memory.hold(event)) {
                ended = true;
            } else {
                queue.addLast(event);
                queuedBytes += event.bytes();
            }
            changed.signalAll();
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    /** One change is always accepted. */
    private boolean isFullFor(RevisionEvent event) {
        return queue.size() >= bufferEventsMax
                || (queuedBytes > 0
                        && queuedBytes + event.bytes() > memory.limits().watcherBytesMax());
    }

    /** Ends the watch after the changes that it holds. */
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
            RevisionEvent past = history.pollFirst();
            if (past != null) {
                queuedBytes -= past.bytes();
                return deliver(past);
            }
            while (true) {
                // Read before the queue: everything the log has passed is then in the queue or delivered.
                long position = log.position();
                RevisionEvent event = queue.pollFirst();
                if (event != null) {
                    queuedBytes -= event.bytes();
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

    private Next deliver(RevisionEvent event) {
        delivered = event.revision();
        releaseHandedOut();
        handedOut = event;
        return new Next.Event(event);
    }

    private boolean wantsHistory() {
        lock.lock();
        try {
            return !live && !ended && history.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Reads some of the store's history; false if none fits, which ends the watch so that its client resumes it. */
    private boolean readHistory() throws InterruptedException {
        boolean read = !memory.isShort() && memory.read(this::readBatch);
        if (!read && !holdsAny()) {
            read = memory.readInTurn(this::readBatch);
        }
        if (!read) {
            cutOff();
        }
        return read;
    }

    private boolean holdsAny() {
        lock.lock();
        try {
            return handedOut != null;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the first change fitted. */
    private boolean readBatch() {
        if (isEnded()) {
            return true;
        }
        if (readFromStore >= readFromStoreUpTo) {
            resource.goOn(this, readFromStore);
            return true;
        }
        List<Change> batch = store.changes(readFromStore, STORE_BATCH, STORE_BATCH_BYTES);
        List<RevisionEvent> held = new ArrayList<>();
        long readUpTo = batch.isEmpty() ? readFromStoreUpTo : readFromStore;
        boolean room = true;
        for (Change change : batch) {
            // Not under the lock, since other changes may have to be dropped.
            room = !concerns(change) || hold(change, held);
            if (!room) {
                break;
            }
            readUpTo = change.revision();
        }
        take(held, Math.min(readUpTo, readFromStoreUpTo));
        return room || !held.isEmpty();
    }

    private boolean isEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    private boolean concerns(Change change) {
        return change.key().startsWith(prefix) && change.revision() <= readFromStoreUpTo;
    }

    private boolean hold(Change change, List<RevisionEvent> held) {
        RevisionEvent event = new RevisionEvent(change, null);
        return memory.holdBeforeOlder(event) && held.add(event);
    }

    private void take(List<RevisionEvent> held, long readUpTo) {
        lock.lock();
        try {
            readFromStore = readUpTo;
            if (ended) {
                held.forEach(memory::release);
            } else {
                history.addAll(held);
                queuedBytes += held.stream().mapToLong(RevisionEvent::bytes).sum();
            }
        } finally {
            lock.unlock();
        }
    }

    private void releaseHandedOut() {
        if (handedOut != null) {
            memory.release(handedOut);
            handedOut = null;
            memory.releaseMade(madeBytes);
            madeBytes = 0;
        }
    }

    private void release(ArrayDeque<RevisionEvent> events) {
        events.forEach(memory::release);
        events.clear();
    }
}
