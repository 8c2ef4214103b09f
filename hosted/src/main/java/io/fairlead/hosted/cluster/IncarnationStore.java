package io.fairlead.hosted.cluster;

import io.fairlead.storage.RevisionedStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store as one incarnation of a cluster sees it: what was before its first revision is compacted to it.
 *
 * <p>Revisions are the store's, so that a client of a cluster that was deleted and created again holds ones that look like
 * revisions of the new cluster. Reading on from them would pass over the end of everything it knows; it is told to begin
 * anew instead. Owns nothing; closing does nothing. Threads: any.
 */
final class IncarnationStore implements RevisionedStore {
    private final RevisionedStore store;
    private final long firstRevision;

    /**
     * A view of a store.
     *
     * @param firstRevision at which the incarnation began; all of its objects have later ones
     */
    IncarnationStore(RevisionedStore store, long firstRevision) {
        this.store = store;
        this.firstRevision = firstRevision;
    }

    @Override
    public long revision() {
        return store.revision();
    }

    @Override
    public long compactedRevision() {
        return Math.max(firstRevision, store.compactedRevision());
    }

    @Override
    public CommitResult commit(Write write) {
        return store.commit(write);
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
    public Optional<String> defect() {
        return store.defect();
    }

    @Override
    public void close() {}

    private void requireOwn(long revision) {
        if (revision < firstRevision) {
            throw new CompactedException(revision, firstRevision);
        }
    }
}
