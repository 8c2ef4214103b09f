package io.fairlead.hosted.cluster;

import io.fairlead.storage.RevisionedStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that logs when it begins to refuse writes, once per reason, and when it accepts them again, with the number
 * refused meanwhile. A full disk refuses thousands per second, from clients and from controllers.
 *
 * <p>Refusals have ended with the first accepted write after {@link #QUIET} without a refusal, so that an almost full
 * disk does not flood the log. Threads: any.
 */
final class LoggedStore implements RevisionedStore {
    /** How long no write may be refused before refusals count as ended. */
    static final Duration QUIET = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(LoggedStore.class);

    private final RevisionedStore store;
    private final InstantSource clock;

    /** The logged reasons; guarded, as the fields below, by this object. */
    private final Set<StoreException.Reason> told = EnumSet.noneOf(StoreException.Reason.class);

    private long refused;
    private Instant lastRefusal = Instant.MIN;
    private volatile boolean refusing;

    LoggedStore(RevisionedStore store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
    }

    @Override
    public CommitResult commit(Write write) {
        try {
            CommitResult result = store.commit(write);
            // A full disk still accepts deletions.
            if (refusing && write instanceof Write.Put) {
                accepted();
            }
            return result;
        } catch (StoreException e) {
            refused(e);
            throw e;
        }
    }

    @Override
    public void compact(long revision) {
        try {
            store.compact(revision);
        } catch (StoreException e) {
            refused(e);
            throw e;
        }
    }

    /** Whether this class logs the failure, so that its callers need not. */
    static boolean isTold(StoreException failure) {
        return failure.reason() != StoreException.Reason.DAMAGED;
    }

    private synchronized void refused(StoreException why) {
        if (why.reason() == StoreException.Reason.CLOSED) {
            return;
        }
        refusing = true;
        refused++;
        lastRefusal = clock.instant();
        if (told.add(why.reason())) {
            LOG.atError().addKeyValue("reason", why.getMessage()).log("The store refuses writes");
        }
    }

    private synchronized void accepted() {
        if (refusing && !clock.instant().isBefore(lastRefusal.plus(QUIET))) {
            LOG.atInfo().addKeyValue("refused", refused).log("The store takes writes again");
            refusing = false;
            refused = 0;
            told.clear();
        }
    }

    @Override
    public long revision() {
        return store.revision();
    }

    @Override
    public long compactedRevision() {
        return store.compactedRevision();
    }

    @Override
    public @Nullable Entry get(String key) {
        return store.get(key);
    }

    @Override
    public @Nullable Entry get(String key, long revision) {
        return store.get(key, revision);
    }

    @Override
    public List<Entry> list(String prefix, @Nullable String after, int countMax, long revision) {
        return store.list(prefix, after, countMax, revision);
    }

    @Override
    public Page page(String prefix, @Nullable String after, long bytesMax, long revision) {
        return store.page(prefix, after, bytesMax, revision);
    }

    @Override
    public long count(String prefix, @Nullable String after, long revision) {
        return store.count(prefix, after, revision);
    }

    @Override
    public List<Change> changes(long afterRevision, int countMax, long bytesMax) {
        return store.changes(afterRevision, countMax, bytesMax);
    }

    @Override
    public long awaitRevisionAbove(long revision, Duration timeout) throws InterruptedException {
        return store.awaitRevisionAbove(revision, timeout);
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
    public void close() {
        store.close();
    }
}
