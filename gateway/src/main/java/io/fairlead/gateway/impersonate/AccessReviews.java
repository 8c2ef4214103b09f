package io.fairlead.gateway.impersonate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.fairlead.gateway.select.ClusterEntry;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/**
 * Asks attached clusters whether somebody may do something there, by a {@code SubjectAccessReview} with Fairlead's own
 * credential. An answer, yes or no, holds for ten seconds; equal questions at the same time are asked once. How many are
 * asked of one cluster at once is bounded, beside the bounds of requests: a review belongs to none of them yet.
 *
 * <p>Threads: any; {@link #review} blocks.
 */
public final class AccessReviews {
    private static final Duration KEPT = Duration.ofSeconds(10);
    private static final long KEPT_CHARS_MAX = 4 * 1024 * 1024;
    private static final int AT_ONCE_MAX = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int RETRY_AFTER_SECONDS = 1;

    private final Cache<Question, Decision> answers;
    private final ConcurrentMap<Question, CompletableFuture<Decision>> underWay = new ConcurrentHashMap<>();
    private final ConcurrentMap<ClusterName, Semaphore> turns = new ConcurrentHashMap<>();
    private final Duration timeout;

    public AccessReviews() {
        this(Ticker.systemTicker(), TIMEOUT);
    }

    AccessReviews(Ticker ticker, Duration timeout) {
        this.timeout = timeout;
        this.answers = Caffeine.newBuilder()
                .ticker(ticker)
                .executor(Runnable::run)
                .expireAfterWrite(KEPT)
                .maximumWeight(KEPT_CHARS_MAX)
                .weigher((Question question, Decision _) -> question.weight())
                .build();
    }

    /**
     * Whether the cluster allows it.
     *
     * @param caller as the cluster knows it
     * @throws StatusException if the cluster does not say: with 403 if it does not let Fairlead ask, with 429 if too much is
     *     asked of it at once, else as for a request that it does not answer
     */
    Decision review(ClusterEntry.Attached cluster, UserInfo caller, RequestInfo asked) {
        Question question = new Question(cluster, caller, asked);
        Decision known = answers.getIfPresent(question);
        if (known != null) {
            return known;
        }
        try {
            return asked(question).get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StatusException refused ? refused : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StatusException(Status.withCause(
                    503, "ServiceUnavailable", "the gateway is shutting down", "ShuttingDown", RETRY_AFTER_SECONDS));
        }
    }

    /** Drops what is known of a cluster that is gone. */
    public void forget(ClusterName cluster) {
        turns.remove(cluster);
        answers.asMap().keySet().removeIf(question -> question.cluster().name().equals(cluster));
    }

    /** Joins whoever asks the same already. */
    private CompletableFuture<Decision> asked(Question question) {
        CompletableFuture<Decision> mine = new CompletableFuture<>();
        CompletableFuture<Decision> others = underWay.putIfAbsent(question, mine);
        if (others != null) {
            return others;
        }
        ask(question).whenComplete((decision, failure) -> {
            if (decision != null) {
                answers.put(question, decision);
            }
            underWay.remove(question);
            if (decision != null) {
                mine.complete(decision);
            } else {
                mine.completeExceptionally(failure);
            }
        });
        return mine;
    }

    private CompletableFuture<Decision> ask(Question question) {
        ClusterName name = question.cluster().name();
        Semaphore turn = turns.computeIfAbsent(name, _ -> new Semaphore(AT_ONCE_MAX));
        if (!turn.tryAcquire()) {
            return CompletableFuture.failedFuture(tooMany(name));
        }
        CompletableFuture<Decision> answer;
        try {
            answer = AccessReview.send(question.cluster(), question.caller(), question.asked(), timeout);
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.whenComplete((_, _) -> turn.release());
    }

    private static StatusException tooMany(ClusterName name) {
        return new StatusException(Status.withCause(
                429,
                "TooManyRequests",
                "cluster \"" + name + "\" is being asked " + AT_ONCE_MAX + " questions about impersonation already"
                        + " (expected fewer at once; try again later)",
                "TooManyReviews",
                RETRY_AFTER_SECONDS));
    }

    /** One question; another registration of the same name, or other groups of the same caller, make it another one. */
    private record Question(ClusterEntry.Attached cluster, UserInfo caller, RequestInfo asked) {
        int weight() {
            return Stream.of(
                            Stream.of(caller.name(), caller.uid(), asked.name(), asked.subresource()),
                            caller.groups().stream(),
                            caller.extra().keySet().stream(),
                            caller.extra().values().stream().flatMap(values -> values.stream()))
                    .flatMap(texts -> texts)
                    .mapToInt(String::length)
                    .sum();
        }
    }
}
