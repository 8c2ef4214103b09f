package io.fairlead.clustersync.fabric8;

import io.fairlead.clustersync.source.Backoff;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.SyncSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * How soon a list is tried again, and in which pages. What is too much even in the smallest pages is not asked for again soon,
 * in a new process neither. Guarded by the feed's lock.
 */
final class ListPace {
    private static final int PAGE_DIVISOR = 10;

    /** What a server that answers with too much is spared, in longest waits. */
    private static final int TOO_MUCH_FACTOR = 10;

    /** A list that is due again after so long is no sign of trouble. */
    private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final SyncSettings settings;
    private final Backoff backoff;
    /** For lists that are not of use for long, although they succeed. */
    private final Backoff storms;

    private final LongSupplier nanoTime;
    private int pageSize;
    private boolean listed;
    private long listedNanos;
    private boolean awaited;

    ListPace(SyncSettings settings, RandomGenerator random, LongSupplier nanoTime) {
        this.settings = settings;
        this.backoff = new Backoff(settings.retryFirst(), settings.retryMax(), random);
        this.storms = new Backoff(settings.retryFirst(), settings.retryMax(), random);
        this.nanoTime = nanoTime;
        this.pageSize = settings.pageSize();
    }

    int pageSize() {
        return pageSize;
    }

    /** Whether the last list was of use for so long that another one is no storm. */
    boolean isSteady() {
        return listed && nanoTime.getAsLong() - listedNanos > STEADY_NANOS;
    }

    /** Why a list is not begun at once: the last one was not of use for long. */
    static ListFailure tooSoon(String path) {
        return new ListFailure(
                Finding.no(
                        ListFailure.TOO_SOON,
                        "the server forgot the history of " + path + " (410) within "
                                + TimeUnit.NANOSECONDS.toSeconds(STEADY_NANOS) + " s of the last complete list"),
                false);
    }

    void listed() {
        backoff.reset();
        listed = true;
        listedNanos = nanoTime.getAsLong();
    }

    /** Whether the server was not there or not ready, so that another attempt may succeed as soon as it is. */
    boolean isAwaited() {
        return awaited;
    }

    /** The server is there again: it was not there to be spared, and one that was begun anew has no history. */
    void returned() {
        backoff.reset();
        storms.reset();
    }

    /** How long to wait after a failure; smaller pages are tried soon. */
    Duration after(ListFailure why) {
        awaited = why.away();
        if (isSteady()) {
            storms.reset();
            listed = false;
            pageSize = settings.pageSize();
        }
        if (!why.tooMuch()) {
            return why.isTooSoon() ? storms.next() : backoff.next();
        }
        if (pageSize == 1) {
            return settings.retryMax().multipliedBy(TOO_MUCH_FACTOR);
        }
        pageSize = Math.max(pageSize / PAGE_DIVISOR, 1);
        return settings.retryFirst();
    }
}
