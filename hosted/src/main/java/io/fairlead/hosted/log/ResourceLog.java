package io.fairlead.hosted.log;

import io.fairlead.storage.RevisionedStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The recent changes of one resource of one cluster, and everyone who watches them.
 *
 * <p>Keeps the newest changes in memory; a watch that begins earlier reads the store's own history first.
 *
 * <p>Threads: the sequencer appends, any thread subscribes; both under this object's monitor, briefly.
 */
public final class ResourceLog implements AutoCloseable {
    private final RevisionedStore store;
    private final StoreLog log;
    private final String prefix;
    private final int historyEventsMax;
    private final ArrayDeque<LogEvent> recent = new ArrayDeque<>();
    private final List<Watcher> watchers = new ArrayList<>();
    private final StoreLog.Following following;
    private long completeAfter;
    private boolean closed;

    /**
     * Begins to follow a resource.
     *
     * @param prefix {@code /c/UID/GROUP/RESOURCE/}
     * @param historyEventsMax how many changes are kept in memory
     */
    public ResourceLog(RevisionedStore store, StoreLog log, String prefix, int historyEventsMax) {
        this.store = store;
        this.log = log;
        this.prefix = prefix;
        this.historyEventsMax = historyEventsMax;
        this.following = log.follow(prefix, this::append, this::startAfter);
    }

    /**
     * Watches the changes after a revision.
     *
     * @param afterRevision a revision that is not compacted away; it may lie in the future
     * @param bufferEventsMax how far the watcher may fall behind
     */
    public synchronized Watcher watch(long afterRevision, int bufferEventsMax) {
        Watcher watcher = new Watcher(this, store, log, prefix, afterRevision, bufferEventsMax);
        if (closed) {
            watcher.end();
            return watcher;
        }
        if (afterRevision >= completeAfter) {
            watcher.begin(recent.stream()
                    .filter(event -> event.revision() > afterRevision)
                    .toList());
        } else {
            watcher.beginWithStore(newestRevision());
        }
        watchers.add(watcher);
        return watcher;
    }

    /** Drops the changes up to a revision that is compacted: no watch can begin before it any more. */
    public synchronized void forget(long lastRevision) {
        while (!recent.isEmpty() && recent.getFirst().revision() <= lastRevision) {
            completeAfter = recent.removeFirst().revision();
        }
    }

    /** Ends every watch cleanly; later ones may begin. */
    public synchronized void endWatches() {
        watchers.forEach(Watcher::end);
        watchers.clear();
    }

    /** Ends every watch and stops following. */
    @Override
    public synchronized void close() {
        closed = true;
        endWatches();
        following.close();
    }

    synchronized void leave(Watcher watcher) {
        watchers.remove(watcher);
    }

    private synchronized void startAfter(long position) {
        completeAfter = position;
    }

    private synchronized void append(LogEvent event) {
        recent.addLast(event);
        if (recent.size() > historyEventsMax) {
            completeAfter = recent.removeFirst().revision();
        }
        watchers.removeIf(watcher -> !watcher.offer(event));
    }

    private long newestRevision() {
        return recent.isEmpty() ? completeAfter : recent.getLast().revision();
    }
}
