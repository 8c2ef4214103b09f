package io.fairlead.gateway.impersonate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.fairlead.config.LimitSettings;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.limits.AskedOnce;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks attached clusters whether somebody may do something there, by {@code SubjectAccessReview}s with Fairlead's own
 * credential. An answer, yes or no, holds for a while ({@code limits.accessReviewLifetime}); equal questions at the same time are asked once. How many requests
 * wait for answers of one cluster at once is bounded, how many of them may be one caller's, and how long each of them waits: they
 * belong to no other limit yet.
 *
 * <p>Threads: any; {@link #require} blocks.
 */
public final class AccessReviews {
    private static final int KEPT_WEIGHT_MAX = 8 * 1024 * 1024;
    private static final int RETRY_AFTER_SECONDS = 1;

    private final Cache<Question, Decision> answers;
    private final AskedOnce<Question, Decision> asked;

    /** The number of requests that wait for each cluster; no entry for 0. */
    private final ConcurrentMap<ClusterName, Integer> waiting = new ConcurrentHashMap<>();

    /** The same, for each caller. */
    private final ConcurrentMap<Waiter, Integer> waitingOfCaller = new ConcurrentHashMap<>();

    private final LimitSettings limits;
    private final LimitMeter meter;

    public AccessReviews(LimitSettings limits, LimitMeter meter) {
        this(limits, meter, Ticker.systemTicker());
    }

    AccessReviews(LimitSettings limits, LimitMeter meter, Ticker ticker) {
        this.limits = limits;
        this.meter = meter;
        this.answers = Caffeine.newBuilder()
                .ticker(ticker)
                .executor(Runnable::run)
                .expireAfterWrite(limits.accessReviewLifetime())
                .maximumWeight(KEPT_WEIGHT_MAX)
                .weigher((Question question, Decision decision) -> question.weight(decision))
                .build();
        this.asked = new AskedOnce<>(answers);
    }

    /**
     * Requires that the cluster allows a caller something.
     *
     * @param waiting the caller that waits for the answer
     * @param caller as presented to the cluster
     * @throws StatusException with 403 if it is denied; without an answer: with 403 if Fairlead may not
     *     create reviews, with 429 if too many requests wait, in total or of the caller, with 504 after the timeout,
     *     otherwise as for a request that it does not answer
     */
    public void require(ClusterEntry.Attached cluster, CallerName waiting, UserInfo caller, RequestInfo asked) {
        requireOne(cluster, waiting, caller, List.of(List.of(asked)));
    }

    /**
     * The same of several ways, tried one after the other, of which one must be allowed with all that it takes.
     *
     * @return the index of the first that is allowed
     * @throws StatusException with 403 for what is denied of the first way; without an answer as above
     */
    int requireOne(ClusterEntry.Attached cluster, CallerName waiting, UserInfo caller, List<List<RequestInfo>> ways) {
        StatusException denial = null;
        try (Asking asking = new Asking(new Waiter(cluster.name(), waiting))) {
            for (int i = 0; i < ways.size(); i++) {
                StatusException denied = asking.denial(ways.get(i).stream()
                        .map(right -> new Question(cluster, caller, right))
                        .toList());
                if (denied == null) {
                    return i;
                }
                denial = denial == null ? denied : denial;
            }
        }
        throw denial == null ? new IllegalArgumentException("no way is asked for") : denial;
    }

    /** What one request asks; it waits as one, and no longer than the timeout. */
    private final class Asking implements AutoCloseable {
        private final Waiter waiter;
        private final long deadlineNanos =
                System.nanoTime() + limits.accessReviewTimeout().toNanos();
        private boolean waits;

        Asking(Waiter waiter) {
            this.waiter = waiter;
        }

        /** Of the first that is denied; null if all is allowed. What is known is not asked, and nothing if it is a denial. */
        @Nullable
        StatusException denial(List<Question> questions) {
            List<Question> open = new ArrayList<>();
            for (Question question : questions) {
                Decision known = answers.getIfPresent(question);
                if (known == null) {
                    open.add(question);
                } else if (known instanceof Decision.Denied denied) {
                    return refusal(question, denied);
                }
            }
            for (Question question : open) {
                begin();
                if (answer(question, deadlineNanos - System.nanoTime()) instanceof Decision.Denied denied) {
                    return refusal(question, denied);
                }
            }
            return null;
        }

        private void begin() {
            if (!waits) {
                take(waiter);
                waits = true;
            }
        }

        @Override
        public void close() {
            if (waits) {
                giveBack(waiter);
            }
        }
    }

    /** Drops the answers of a removed cluster. */
    public void forget(ClusterName cluster) {
        answers.asMap().keySet().removeIf(question -> question.cluster().name().equals(cluster));
    }

    private static StatusException refusal(Question question, Decision.Denied denied) {
        return new StatusException(Status.forbidden(question.caller(), question.asked(), denied.reason()));
    }

    private Decision answer(Question question, long waitNanos) {
        try {
            return asked.ask(
                            question,
                            () -> AccessReview.send(
                                    question.cluster(),
                                    question.caller(),
                                    question.asked(),
                                    limits.accessReviewTimeout()))
                    .get(waitNanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StatusException refused ? refused : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw undecided(
                    question.cluster().name(),
                    question.asked(),
                    504,
                    "Timeout",
                    "no answer within " + limits.accessReviewTimeout().toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.withCause(
                    503, "ServiceUnavailable", "the gateway is shutting down", "ShuttingDown", RETRY_AFTER_SECONDS));
        }
    }

    /** The answer to a caller if a cluster does not decide. */
    public static StatusException undecided(
            ClusterName cluster, RequestInfo asked, int code, String reason, String why) {
        return new StatusException(Status.withCause(
                code,
                reason,
                "cluster \"" + cluster + "\" does not say whether the caller may " + asked.verb() + " "
                        + asked.groupResource() + ": " + why,
                "AccessUndecided",
                code == 503 ? RETRY_AFTER_SECONDS : 0));
    }

    private void take(Waiter waiter) {
        if (waitingOfCaller.merge(waiter, 1, Integer::sum) > limits.accessReviewsPerCallerMax()) {
            giveBack(waitingOfCaller, waiter);
            throw tooMany(
                    waiter,
                    Limit.ACCESS_REVIEWS_PER_CALLER,
                    limits.accessReviewsPerCallerMax() + " requests of user \""
                            + waiter.caller().name() + "\"");
        }
        if (waiting.merge(waiter.cluster(), 1, Integer::sum) > limits.accessReviewsPerClusterMax()) {
            giveBack(waiter);
            throw tooMany(waiter, Limit.ACCESS_REVIEWS_PER_CLUSTER, limits.accessReviewsPerClusterMax() + " requests");
        }
    }

    private StatusException tooMany(Waiter waiter, Limit limit, String who) {
        meter.reached(limit);
        return new StatusException(Status.withCause(
                429,
                "TooManyRequests",
                "cluster \"" + waiter.cluster() + "\": " + who
                        + " wait to hear of it what their users may do (expected fewer at once, by " + limit.key()
                        + "; try again later)",
                "TooManyReviews",
                RETRY_AFTER_SECONDS));
    }

    private void giveBack(Waiter waiter) {
        giveBack(waiting, waiter.cluster());
        giveBack(waitingOfCaller, waiter);
    }

    private static <K> void giveBack(ConcurrentMap<K, Integer> counts, K key) {
        counts.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }

    /** The waiting caller and its cluster. */
    private record Waiter(ClusterName cluster, CallerName caller) {}

    /**
     * One review; another registration of the same name, or other groups of the same caller, make it a different one.
     */
    private record Question(ClusterEntry.Attached cluster, UserInfo caller, RequestInfo asked) {
        private static final int ENTRY_WEIGHT = 500;

        int weight(Decision decision) {
            int reason = decision instanceof Decision.Denied(String why) ? why.length() : 0;
            return ENTRY_WEIGHT
                    + reason
                    + Stream.of(
                                    Stream.of(
                                            caller.name(),
                                            caller.uid(),
                                            asked.path(),
                                            asked.namespace(),
                                            asked.resource(),
                                            asked.name(),
                                            asked.subresource()),
                                    caller.groups().stream(),
                                    caller.extra().keySet().stream(),
                                    caller.extra().values().stream().flatMap(values -> values.stream()))
                            .flatMap(texts -> texts)
                            .mapToInt(String::length)
                            .sum();
        }
    }
}
