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
 * Whether what a feed learnt can be relied on.
 *
 * <p>It is in doubt from the moment its watch breaks, since the server may come back with another history, and accepts a watch
 * that begins in the future of that one without a word; and from the moment something else says that it changed. A doubt is
 * settled by a complete list that began after it, or by a {@link Census} that was taken while a watch stood, once
 * the store has everything that the census has. What no order of changes can lead to proves another history.
 *
 * <p>A watch that the server ends in an orderly way and takes up again at once raises no doubt: it does so every hour.
 *
 * <p>Threads: any. No lock is held while anything else is called.
 */
final class Confidence {
    private static final Logger LOG = LoggerFactory.getLogger(Confidence.class);

    /** How long the next watch may take after one that ended in an orderly way. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A change that a census has and the store lacks should be told by the watch within some milliseconds. */
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
    /** Where the watch that stands began. */
    private volatile String watchedFrom = "";

    private boolean counting;

    /** What is followed. */
    interface Feed {
        /** What was learnt, while it is followed by a watch; null while it is learnt anew. */
        @Nullable
        StubStore<?> followed();

        /** What was learnt held at a time. */
        void confirmed(long nanoTime);

        /** What was learnt does not hold, or cannot be confirmed: list it anew. */
        void unconfirmed();

        /** The server has another history than the one that was learnt. */
        void replaced(String why);
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

    /** Whether something may have happened of which nothing is heard. Takes no lock. */
    boolean isInDoubt() {
        return settled.get() < raised.get() || hasPausedTooLong();
    }

    boolean isWatching() {
        return standing.get() > 0;
    }

    /** From now on a list or a census is needed; one that began already does not count. */
    void raise() {
        raised.incrementAndGet();
    }

    /** What a list must be given back as, by {@link #listed}, if it begins now. */
    long listBegins() {
        return raised.get();
    }

    /** A list is complete; the watch after it may stand already. */
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

    /** Where that watch begins; it can be confirmed now. */
    void opened(String resourceVersion) {
        watchedFrom = resourceVersion;
        confirmIfInDoubt();
    }

    /** A watch has ended, or was refused; another one may stand in its place already. */
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

    /** Takes a census unless one is under way; when it is not known what it is to be compared with, a list is due anyway. */
    void confirm() {
        StubStore<?> store = feed.followed();
        if (store == null || !isWatching()) {
            return;
        }
        synchronized (this) {
            if (counting) {
                return;
            }
            counting = true;
        }
        Confirmation confirmation =
                new Confirmation(store, newer(store.heardOf(), watchedFrom), raised.get(), nanoTime.getAsLong());
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

    /** One census that is compared with what was learnt until that has all of it. */
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

        /** Whatever goes wrong, the feed is told that nothing was confirmed. */
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
                end(() -> feed.replaced(
                        "it is at resourceVersion " + census.resourceVersion() + " and was at " + heardOf + " before"));
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
                    end(() -> feed.replaced("an object is older at resourceVersion " + census.resourceVersion()
                            + " than it was before"));
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

        private boolean isCurrent() {
            return feed.followed() == store;
        }

        /** What is learnt anew meanwhile needs nothing of what was found. */
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
