package io.fairlead.clustersync.fabric8;

import io.fairlead.clustersync.source.Backoff;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.SyncSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * When a list is tried again, and with which page size. A list that is too large even in the smallest pages is not
 * tried again soon, even by a new process. Guarded by the feed's lock.
 */
final class ListPace {
    private static final int PAGE_DIVISOR = 10;

    /** The back-off after an answer that is too large, in longest waits. */
    private static final int TOO_MUCH_FACTOR = 10;

    /** A list that is due again after this long is no sign of trouble. */
    private static final long STEADY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final SyncSettings settings;
    private final Backoff backoff;
    /** For lists that succeed but do not stay current for long. */
    private final Backoff storms;

    private final LongSupplier nanoTime;
    private int pageSize;
    private boolean listed;
    private long listedNanos;
    private boolean awaited;
    private int failures;
    /** Whether the server answered anything since its last failure. */
    private boolean heardOf;

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

    /** Whether the last list stayed current for so long that another is harmless. */
    boolean isSteady() {
        return listed && nanoTime.getAsLong() - listedNanos > STEADY_NANOS;
    }

    /** Why a list is delayed: the last one did not stay current for long. */
    static ListFailure tooSoon(String path) {
        return new ListFailure(
                Finding.no(
                        ListFailure.TOO_SOON,
                        "the server forgot the history of " + path + " (410) within "
                                + TimeUnit.NANOSECONDS.toSeconds(STEADY_NANOS) + " s of the last complete list"),
                false);
    }

    /** The server answered something. */
    void heard() {
        heardOf = true;
    }

    boolean isHeardOf() {
        return heardOf;
    }

    /** Whether the server is unlikely to answer soon: silent since a list failed, or two failed in a row. */
    boolean isDoubtful() {
        return failures > 1 || (failures == 1 && !heardOf);
    }

    void listed() {
        failures = 0;
        heardOf = true;
        backoff.reset();
        listed = true;
        listedNanos = nanoTime.getAsLong();
    }

    /** Whether the server was unreachable or not ready, so that an attempt may succeed as soon as it is. */
    boolean isAwaited() {
        return awaited;
    }

    /** The server is back: an unreachable one had no load, and a restarted one has no watch history. */
    void returned() {
        backoff.reset();
        storms.reset();
    }

    /** The wait after a failure; smaller pages are tried soon. */
    Duration after(ListFailure why) {
        awaited = why.away();
        failures++;
        heardOf = false;
        if (isSteady()) {
            storms.reset();
            listed = false;
            pageSize = settings.pageSize();
        }
        if (why.excess() == ListFailure.Excess.NONE) {
            return why.isTooSoon() ? storms.next() : backoff.next();
        }
        if (pageSize == 1 || why.excess() == ListFailure.Excess.OF_KEEPING) {
            return settings.retryMax().multipliedBy(TOO_MUCH_FACTOR);
        }
        pageSize = Math.max(pageSize / PAGE_DIVISOR, 1);
        return settings.retryFirst();
    }
}
