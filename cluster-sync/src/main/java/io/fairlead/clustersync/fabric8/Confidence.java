package io.fairlead.clustersync.fabric8;

import io.fairlead.model.Repetitions;
import io.fairlead.model.ResourceVersion;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the objects known to a feed are current.
 *
 * <p>They are in doubt from the moment its watch breaks, since the server may return with another history and silently
 * accept a watch from that history's future; and from the moment another source reports a change. A doubt ends with a
 * complete list that began after it, or with a {@link Census} taken during a watch, once the store has everything in
 * the census. A census that no sequence of changes can lead to proves another history.
 *
 * <p>A watch that the server ends cleanly and that is resumed at once raises no doubt: that happens every hour.
 *
 * <p>Threads: any. No lock is held while anything else is called.
 */
final class Confidence {
    private static final Logger LOG = LoggerFactory.getLogger(Confidence.class);

    /** How long the next watch may take after one that ended cleanly. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** The watch should report a change that a census has and the store lacks within some milliseconds. */
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int LOOKS_MAX = 20;

    private final Feed feed;
    private final Supplier<CompletableFuture<Census>> censuses;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService scheduler;
    private final Repetitions problems = new Repetitions();
    private final Executor executor;

    private final AtomicLong raised = new AtomicLong();
    private final AtomicLong settled = new AtomicLong();
    private final AtomicInteger standing = new AtomicInteger();
    private volatile boolean paused;
    private volatile long pausedSinceNanos;
    /** Where the current watch began. */
    private volatile String watchedFrom = "";

    private boolean counting;

    /** The followed resource. */
    interface Feed {
        /** The known objects, while a watch follows them; null while they are listed again. */
        @Nullable
        StubStore<?> followed();

        /** The known objects were current at a time. */
        void confirmed(long nanoTime);

        /** The known objects are not current, or cannot be confirmed: list them again. */
        void unconfirmed();

        /** The path of the list. */
        String path();
    }

    Confidence(
            Feed feed,
            Supplier<CompletableFuture<Census>> censuses,
            LongSupplier nanoTime,
            ScheduledExecutorService scheduler,
            Executor executor) {
        this.feed = feed;
        this.censuses = censuses;
        this.nanoTime = nanoTime;
        this.scheduler = scheduler;
        this.executor = executor;
    }

    /** Whether something may have happened without an event. Takes no lock. */
    boolean isInDoubt() {
        return settled.get() < raised.get() || hasPausedTooLong();
    }

    boolean isWatching() {
        return standing.get() > 0;
    }

    /** From now on a list or a census is needed; one that has already begun does not count. */
    void raise() {
        raised.incrementAndGet();
    }

    /** The token of a list that begins now, to be passed to {@link #listed}. What was watched before counts no more. */
    long listBegins() {
        watchedFrom = "";
        return raised.get();
    }

    /** A list is complete; the watch after it may be established already. */
    void listed(long began) {
        settle(began);
        confirmIfInDoubt();
    }

    /** The server accepted a watch. */
    void stands() {
        if (hasPausedTooLong()) {
            raise();
        }
        paused = false;
        standing.incrementAndGet();
    }

    /** The start of that watch, from which objects can be confirmed. */
    void opened(String resourceVersion) {
        watchedFrom = resourceVersion;
        confirmIfInDoubt();
    }

    /** A watch has ended, or was refused; its successor may be established already. */
    void ended(boolean stood, boolean orderly) {
        int left = stood ? standing.decrementAndGet() : standing.get();
        if (left > 0) {
            return;
        }
        if (orderly) {
            pausedSinceNanos = nanoTime.getAsLong();
            paused = true;
        } else {
            raise();
        }
    }

    void confirmIfInDoubt() {
        if (isInDoubt()) {
            confirm();
        }
    }

    /** Takes a census unless one is in progress; without known objects to compare, a list is due anyway. */
    void confirm() {
        StubStore<?> store = feed.followed();
        if (store == null || !isWatching()) {
            return;
        }
        String heardOf = newer(store.heardOf(), watchedFrom);
        synchronized (this) {
            if (counting) {
                return;
            }
            counting = true;
        }
        Confirmation confirmation = new Confirmation(store, heardOf, raised.get(), nanoTime.getAsLong());
        try {
            censuses.get().whenCompleteAsync(confirmation::judge, executor);
        } catch (RejectedExecutionException ended) {
            // Closed meanwhile.
        } catch (Throwable e) {
            confirmation.fail(e);
        }
    }

    private boolean hasPausedTooLong() {
        return paused && nanoTime.getAsLong() - pausedSinceNanos > PAUSE_NANOS;
    }

    private void settle(long doubts) {
        settled.accumulateAndGet(doubts, Math::max);
    }

    private static String newer(String one, String other) {
        return one.isEmpty() || ResourceVersion.isNewer(other, one) ? other : one;
    }

    /** One census, compared with the known objects until they include all of it. */
    private final class Confirmation {
        private final StubStore<?> store;
        private final String heardOf;
        private final long doubts;
        private final long beganNanos;
        private int looks;

        Confirmation(StubStore<?> store, String heardOf, long doubts, long beganNanos) {
            this.store = store;
            this.heardOf = heardOf;
            this.doubts = doubts;
            this.beganNanos = beganNanos;
        }

        void judge(@Nullable Census census, @Nullable Throwable problem) {
            guarded(() -> look(census));
        }

        /** On any failure, the feed gets the result that nothing was confirmed. */
        private void guarded(Runnable step) {
            try {
                step.run();
            } catch (RejectedExecutionException ended) {
                // Closed meanwhile.
            } catch (Throwable e) {
                fail(e);
            }
        }

        void fail(Throwable problem) {
            synchronized (Confidence.this) {
                counting = false;
            }
            problems.next(problem.getClass())
                    .ifPresent(leftOut -> LOG.atError()
                            .setCause(problem)
                            .addKeyValue("leftOut", leftOut)
                            .log("What is known of a cluster could not be confirmed"));
            feed.unconfirmed();
        }

        private void look(@Nullable Census census) {
            if (census == null) {
                end(feed::unconfirmed);
            } else if (ResourceVersion.isNewer(heardOf, census.resourceVersion())) {
                end(() -> replaced(
                        "it is at resourceVersion " + census.resourceVersion() + " and was at " + heardOf + " before",
                        census));
            } else {
                compare(census);
            }
        }

        private void compare(Census census) {
            switch (store.compare(census)) {
                case SAME ->
                    end(() -> {
                        settle(doubts);
                        feed.confirmed(beganNanos);
                    });
                case OTHER_HISTORY ->
                    end(() -> replaced(
                            "an object is older at resourceVersion " + census.resourceVersion() + " than it was before",
                            census));
                case BEHIND -> {
                    if (++looks < LOOKS_MAX && isCurrent()) {
                        scheduler.schedule(
                                () -> guarded(() -> executor.execute(() -> guarded(() -> compare(census)))),
                                LOOK_EVERY_NANOS,
                                TimeUnit.NANOSECONDS);
                    } else {
                        end(feed::unconfirmed);
                    }
                }
            }
        }

        private void replaced(String why, Census census) {
            store.replaced("the list of " + feed.path() + ": " + why, census);
        }

        private boolean isCurrent() {
            return feed.followed() == store;
        }

        /** Objects that are listed again meanwhile need no result. */
        private void end(Runnable verdict) {
            synchronized (Confidence.this) {
                counting = false;
            }
            if (isCurrent()) {
                verdict.run();
            }
            confirmIfInDoubt();
        }
    }
}
