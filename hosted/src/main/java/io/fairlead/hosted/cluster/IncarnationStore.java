package io.fairlead.hosted.cluster;

import io.fairlead.model.ClusterName;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A store as one incarnation of a cluster sees it while it is open: what was before its first revision is compacted to it, and
 * after {@link #fence} it takes no writes.
 *
 * <p>Revisions are the store's, so that a client of a cluster that was deleted and created again holds ones that look like
 * revisions of the new cluster. Reading on from them would pass over the end of everything it knows; it is told to begin
 * anew instead. Owns nothing; closing does nothing. Threads: any.
 */
final class IncarnationStore implements RevisionedStore {
    private static final int RETRY_AFTER_SECONDS = 1;

    private final ClusterName cluster;
    private final RevisionedStore store;
    private final long firstRevision;
    /** Commits share it; fencing takes it exclusively. */
    private final ReentrantReadWriteLock commits = new ReentrantReadWriteLock();

    private volatile boolean fenced;

    /**
     * A view of a store.
     *
     * @param firstRevision at which the incarnation began; all of its objects have later ones
     */
    IncarnationStore(ClusterName cluster, RevisionedStore store, long firstRevision) {
        this.cluster = cluster;
        this.store = store;
        this.firstRevision = firstRevision;
    }

    /**
     * Refuses every write from now on, and waits for those under way. Requests and controllers may have begun long before; what
     * they would write now would stand in the store for ever, since it comes after the deletion of all that the cluster had.
     *
     * @param patience for how long; a disk may hang for ever
     * @return whether none is under way any longer; what the cluster has must not be deleted before
     */
    boolean fence(Duration patience) throws InterruptedException {
        fenced = true;
        if (!commits.writeLock().tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        commits.writeLock().unlock();
        return true;
    }

    @Override
    public long revision() {
        return store.revision();
    }

    @Override
    public long compactedRevision() {
        return Math.max(firstRevision, store.compactedRevision());
    }

    /**
     * As the store does.
     *
     * @throws StatusException with 503 if the cluster was closed
     */
    @Override
    public CommitResult commit(Write write) {
        requireOpen();
        commits.readLock().lock();
        try {
            requireOpen();
            return store.commit(write);
        } finally {
            commits.readLock().unlock();
        }
    }

    @Override
    public @Nullable Entry get(String key) {
        return store.get(key);
    }

    @Override
    public @Nullable Entry get(String key, long revision) {
        requireOwn(revision);
        return store.get(key, revision);
    }

    @Override
    public List<Entry> list(String prefix, @Nullable String after, int countMax, long revision) {
        requireOwn(revision);
        return store.list(prefix, after, countMax, revision);
    }

    @Override
    public long count(String prefix, @Nullable String after, long revision) {
        requireOwn(revision);
        return store.count(prefix, after, revision);
    }

    @Override
    public Page page(String prefix, @Nullable String after, long bytesMax, long revision) {
        requireOwn(revision);
        return store.page(prefix, after, bytesMax, revision);
    }

    @Override
    public List<Change> changes(long afterRevision, int countMax, long bytesMax) {
        requireOwn(afterRevision);
        return store.changes(afterRevision, countMax, bytesMax);
    }

    @Override
    public long awaitRevisionAbove(long revision, Duration timeout) throws InterruptedException {
        return store.awaitRevisionAbove(revision, timeout);
    }

    @Override
    public void compact(long revision) {
        store.compact(revision);
    }

    @Override
    public boolean isSound() {
        return store.isSound();
    }

    @Override
    public Optional<String> shortage() {
        return store.shortage();
    }

    @Override
    public Optional<String> defect() {
        return store.defect();
    }

    @Override
    public void close() {}

    /** Asked before the lock too: a write would wait there behind the fence. */
    private void requireOpen() {
        if (fenced) {
            throw new StatusException(Status.withCause(
                    503,
                    "ServiceUnavailable",
                    "cluster \"" + cluster
                            + "\": it was closed before this was stored (expected a cluster that stays open; try"
                            + " again)",
                    "ClusterClosed",
                    RETRY_AFTER_SECONDS));
        }
    }

    private void requireOwn(long revision) {
        if (revision < firstRevision) {
            throw new CompactedException(revision, firstRevision);
        }
    }
}
