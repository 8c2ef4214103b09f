package io.fairlead.hosted.watchcache;

import io.fairlead.storage.RevisionedStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The recent changes of one resource of one cluster, and their watchers.
 *
 * <p>Keeps the newest changes in memory, bounded in number and bytes; a watch that begins earlier reads the store's own
 * history first.
 *
 * <p>Threads: the sequencer appends, any thread subscribes; both under this object's monitor, briefly.
 */
public final class ResourceLog implements AutoCloseable {
    private final RevisionedStore store;
    private final RevisionFeed log;
    private final String prefix;
    private final int historyEventsMax;
    private final EventMemory.Share memory;
    private final ArrayDeque<RevisionEvent> recent = new ArrayDeque<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private final RevisionFeed.Following following;
    private long recentBytes;
    private long completeAfter;
    private boolean closed;

    /**
     * Subscribes to a resource.
     *
     * @param prefix {@code /c/UID/GROUP/RESOURCE/}
     * @param historyEventsMax the most changes in memory
     * @param memory the budget of the cluster's changes
     */
    public ResourceLog(
            RevisionedStore store, RevisionFeed log, String prefix, int historyEventsMax, EventMemory.Share memory) {
        this.store = store;
        this.log = log;
        this.prefix = prefix;
        this.historyEventsMax = historyEventsMax;
        this.memory = memory;
        this.following = log.follow(prefix, this::append, this::startAfter);
    }

    /**
     * Watches the changes after a revision.
     *
     * @param afterRevision a revision that is not compacted away; it may lie in the future
     * @param bufferEventsMax how far the watcher may fall behind
     */
    public synchronized Watcher watch(long afterRevision, int bufferEventsMax) {
        Watcher watcher = new Watcher(this, store, log, prefix, afterRevision, bufferEventsMax, memory);
        if (closed) {
            watcher.end();
            return watcher;
        }
        goOn(watcher, afterRevision);
        watchers.add(watcher);
        return watcher;
    }

    /**
     * Continues a watcher that has seen all up to a revision from memory and live; or from the store, if memory begins
     * later.
     */
    synchronized void goOn(Watcher watcher, long afterRevision) {
        if (afterRevision >= completeAfter) {
            watcher.begin(recent.stream()
                    .filter(event -> event.revision() > afterRevision)
                    .toList());
        } else {
            watcher.beginWithStore(afterRevision, newestRevision());
        }
    }

    /** Drops changes up to a revision: watches from before it read the store. */
    public synchronized void forget(long lastRevision) {
        while (!recent.isEmpty() && recent.getFirst().revision() <= lastRevision) {
            dropOldest();
        }
    }

    /** Ends every watch cleanly; new ones may begin. */
    public synchronized void endWatches() {
        watchers.forEach(Watcher::end);
        watchers.clear();
    }

    /** Ends every watch and unsubscribes. */
    @Override
    public synchronized void close() {
        closed = true;
        endWatches();
        following.close();
        while (!recent.isEmpty()) {
            dropOldest();
        }
    }

    /** Unsubscribes if there is no watcher; returns whether it did. */
    public synchronized boolean closeIfUnwatched() {
        boolean unwatched = watchers.isEmpty();
        if (unwatched) {
            close();
        }
        return unwatched;
    }

    synchronized void leave(Watcher watcher) {
        watchers.remove(watcher);
    }

    private synchronized void startAfter(long position) {
        completeAfter = position;
    }

    private void append(RevisionEvent event) {
        // Before this monitor is taken, since other resources' changes may have to be dropped.
        boolean kept = memory.keep(event, this);
        // Clients may begin new watches at once: end no more than there are now.
        for (int left = kept ? 0 : watcherCount(); left > 0 && !kept && endFurthestBehind(); left--) {
            kept = memory.keep(event, this);
        }
        append(event, kept);
    }

    private synchronized int watcherCount() {
        return watchers.size();
    }

    private synchronized void append(RevisionEvent event, boolean kept) {
        if (kept) {
            recent.addLast(event);
            recentBytes += event.bytes();
        } else {
            forget(event.revision());
            completeAfter = event.revision();
        }
        watchers.removeIf(watcher -> !watcher.offer(event));
        long bytesMax = closed ? 0 : memory.limits().resourceBytesMax();
        while (!recent.isEmpty() && (recent.size() > historyEventsMax || recentBytes > bytesMax)) {
            dropOldest();
        }
    }

    private void dropOldest() {
        RevisionEvent oldest = recent.removeFirst();
        completeAfter = oldest.revision();
        recentBytes -= oldest.bytes();
        memory.drop(oldest);
    }

    /** Ends the watch that holds the most; false if none is behind. */
    private synchronized boolean endFurthestBehind() {
        Watcher furthest = null;
        for (Watcher watcher : watchers) {
            if (watcher.queuedBytes() > (furthest == null ? 0 : furthest.queuedBytes())) {
                furthest = watcher;
            }
        }
        if (furthest == null) {
            return false;
        }
        furthest.cutOff();
        watchers.remove(furthest);
        return true;
    }

    private long newestRevision() {
        return recent.isEmpty() ? completeAfter : recent.getLast().revision();
    }
}
