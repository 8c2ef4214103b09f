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
 * A store as one incarnation of a cluster sees it while it is open: revisions before its first one count as compacted,
 * and after {@link #fence} it takes no writes.
 *
 * <p>Revisions are the store's, so that a client of a cluster that was deleted and created again may hold revisions
 * that look like the new cluster's. Resuming a watch from one of them would skip the deletion of all objects that it
 * knows; the client gets 410 and lists anew instead. Owns nothing; closing does nothing. Threads: any.
 */
final class IncarnationStore implements RevisionedStore {
    private static final int RETRY_AFTER_SECONDS = 1;

    private final ClusterName cluster;
    private final RevisionedStore store;
    private final long firstRevision;
    private final KeptBytes kept;
    /** Commits hold the read lock; fencing takes the write lock. */
    private final ReentrantReadWriteLock commits = new ReentrantReadWriteLock();

    private volatile boolean fenced;

    /**
     * A view of a store.
     *
     * @param firstRevision at which the incarnation began; all of its objects have later ones
     * @param kept counts what is kept in memory of what is committed
     */
    IncarnationStore(ClusterName cluster, RevisionedStore store, long firstRevision, KeptBytes kept) {
        this.cluster = cluster;
        this.store = store;
        this.firstRevision = firstRevision;
        this.kept = kept;
    }

    /**
     * Refuses every write from now on, and waits for those in progress. Requests and controllers may have begun long
     * before; a write that follows the deletion of the cluster's data would stay in the store for ever.
     *
     * @param patience how long to wait; a disk may hang for ever
     * @return whether no write is in progress; the cluster's data must not be deleted before
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
     * @throws StatusException with 503 if the cluster was closed, with 403 if there is no room for what is kept of the object
     */
    @Override
    public CommitResult commit(Write write) {
        requireOpen();
        commits.readLock().lock();
        try {
            requireOpen();
            return kept.commit(write);
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

    /** Checked before the lock too: a write would queue behind the fence. */
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
