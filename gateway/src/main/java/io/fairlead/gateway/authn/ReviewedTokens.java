package io.fairlead.gateway.authn;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.fairlead.config.LimitSettings;
import io.fairlead.credentials.jwt.SignedToken;
import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.Vouching;
import io.fairlead.gateway.limits.AskedOnce;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens that are nothing to the gateway, of which an attached cluster says whose they are, where it is addressed and its
 * registration wants that. Such a user is good for that cluster alone. What it says is remembered for a few seconds; equal
 * questions at the same time are asked once, and how many requests wait for one cluster is bounded. Tokens of hosted clusters are
 * shown to none: with one of them it could do there what its owner may.
 *
 * <p>A stranger must not learn by the time of a refusal which clusters there are and are asked. So once one is, the refusals of
 * all names wait for as long as a cluster that is near takes for its answer at most.
 */
public final class ReviewedTokens implements TokenAuthenticator {
    private static final Verdict NONE = new Verdict.NotMine("");
    private static final Verdict NOT_KNOWN = new Verdict.NotMine("NoTokenOfCluster");
    private static final Verdict NOT_ANSWERED = new Verdict.NotMine("TokenNotReviewed");

    /** As long as kube-apiserver takes a token for valid that it has just accepted. */
    private static final Duration ACCEPTED = Duration.ofSeconds(10);

    private static final Duration REFUSED = Duration.ofSeconds(5);
    private static final Duration REFUSAL_AFTER = Duration.ofMillis(200);
    private static final long KEPT_BYTES_MAX = 8L * 1024 * 1024;
    private static final int ENTRY_BYTES = 512;
    private static final Logger LOG = LoggerFactory.getLogger(ReviewedTokens.class);

    private final ClusterDirectory directory;
    private final BooleanSupplier isAnyAsked;
    private final Predicate<String> isHostedKey;
    private final LimitSettings limits;
    private final LimitMeter meter;
    private final Duration refusalAfter;
    private final TokenDigests digests = new TokenDigests();
    private final Cache<Question, Verdict> known;
    private final AskedOnce<Question, Verdict> asked;

    /** The number of requests that wait for each cluster; no entry for 0. */
    private final ConcurrentMap<ClusterName, Integer> waiting = new ConcurrentHashMap<>();

    private final Repetitions failures = new Repetitions();

    /** One of a cluster by its present connections. */
    private record Question(ClusterName cluster, Object voucher, List<URI> endpoints, TokenDigests.Digest token) {}

    /**
     * Those of the clusters of a directory.
     *
     * @param isAnyAsked whether some cluster is asked whose tokens are
     * @param isHostedKey whether a hosted cluster signs tokens by the key of an id; may read a store
     */
    public ReviewedTokens(
            ClusterDirectory directory,
            BooleanSupplier isAnyAsked,
            Predicate<String> isHostedKey,
            LimitSettings limits,
            LimitMeter meter) {
        this(directory, isAnyAsked, isHostedKey, limits, meter, Ticker.systemTicker(), REFUSAL_AFTER);
    }

    ReviewedTokens(
            ClusterDirectory directory,
            BooleanSupplier isAnyAsked,
            Predicate<String> isHostedKey,
            LimitSettings limits,
            LimitMeter meter,
            Ticker ticker,
            Duration refusalAfter) {
        this.directory = directory;
        this.isAnyAsked = isAnyAsked;
        this.isHostedKey = isHostedKey;
        this.limits = limits;
        this.meter = meter;
        this.refusalAfter = refusalAfter;
        this.known = Caffeine.newBuilder()
                .ticker(ticker)
                .expireAfter(Expiry.creating(
                        (Question _, Verdict verdict) -> verdict instanceof Verdict.Accepted ? ACCEPTED : REFUSED))
                .maximumWeight(KEPT_BYTES_MAX)
                .weigher((Question _, Verdict verdict) -> ENTRY_BYTES
                        + (verdict instanceof Verdict.Accepted(Identity identity)
                                ? identity.user().bytes()
                                : 0))
                .executor(Runnable::run)
                .build();
        this.asked = new AskedOnce<>(known);
    }

    @Override
    public Verdict atOnce(Bearer bearer) {
        if (!mayBeReviewed(bearer)) {
            return NONE;
        }
        Verdict before = reviewing(bearer)
                .map(cluster -> known.getIfPresent(question(cluster, bearer)))
                .orElse(null);
        return before instanceof Verdict.Accepted ? before : new Verdict.NotYet();
    }

    @Override
    public Verdict judge(Bearer bearer) {
        if (!mayBeReviewed(bearer)) {
            return NONE;
        }
        CompletableFuture<Verdict> refusalIsDue =
                new CompletableFuture<Verdict>().completeOnTimeout(NONE, refusalAfter.toNanos(), TimeUnit.NANOSECONDS);
        Verdict verdict = reviewing(bearer)
                .filter(_ -> !isOfHostedCluster(bearer))
                .map(cluster -> judge(cluster, bearer))
                .orElse(NONE);
        if (verdict instanceof Verdict.Accepted) {
            refusalIsDue.cancel(false);
        } else {
            var _ = refusalIsDue.join();
        }
        return verdict;
    }

    private Verdict judge(ClusterEntry.Attached cluster, Bearer bearer) {
        Question question = question(cluster, bearer);
        Verdict before = known.getIfPresent(question);
        if (before != null) {
            return before;
        }
        take(cluster.name());
        try {
            return asked.ask(question, () -> review(cluster, bearer)).get();
        } catch (ExecutionException unanswered) {
            tell(cluster.name(), unanswered.getCause());
            return NOT_ANSWERED;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return NOT_ANSWERED;
        } finally {
            waiting.computeIfPresent(cluster.name(), (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Whether the token's refusal must look as if a cluster had been asked, whichever the token was sent to. */
    private boolean mayBeReviewed(Bearer bearer) {
        return bearer.target() instanceof Target.Cluster && isAnyAsked.getAsBoolean();
    }

    /** By the key that it names: hosted clusters share the name of their issuer with others. */
    private boolean isOfHostedCluster(Bearer bearer) {
        return SignedToken.read(bearer.token())
                .map(SignedToken::keyId)
                .filter(isHostedKey)
                .isPresent();
    }

    private Optional<ClusterEntry.Attached> reviewing(Bearer bearer) {
        if (!(bearer.target() instanceof Target.Cluster target)) {
            return Optional.empty();
        }
        Vouching vouching = directory.vouching(target.name());
        return vouching.asksForTokens() && directory.lookup(target.name()) instanceof ClusterEntry.Attached attached
                ? Optional.of(attached)
                : Optional.empty();
    }

    private Question question(ClusterEntry.Attached cluster, Bearer bearer) {
        return new Question(
                cluster.name(), cluster.base().voucher(), cluster.base().endpoints(), digests.of(bearer.token()));
    }

    private CompletableFuture<Verdict> review(ClusterEntry.Attached cluster, Bearer bearer) {
        return TokenReview.send(cluster, bearer.token(), limits.tokenReviewTimeout())
                .thenApply(user -> user.<Verdict>map(found -> new Verdict.Accepted(new Identity.OfCluster(
                                cluster.name(), cluster.base().voucher(), found)))
                        .orElse(NOT_KNOWN));
    }

    private void take(ClusterName cluster) {
        if (waiting.merge(cluster, 1, Integer::sum) > limits.tokenReviewsPerClusterMax()) {
            waiting.computeIfPresent(cluster, (_, count) -> count == 1 ? null : count - 1);
            meter.reached(Limit.TOKEN_REVIEWS_PER_CLUSTER);
            throw new StatusException(Status.withCause(
                    429,
                    "TooManyRequests",
                    "too many requests wait to hear whose their tokens are (expected fewer at once, by "
                            + Limit.TOKEN_REVIEWS_PER_CLUSTER.key() + "; try again later)",
                    "TooManyReviews",
                    1));
        }
    }

    private void tell(ClusterName cluster, @Nullable Throwable why) {
        failures.next(cluster)
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("cluster", cluster)
                        .addKeyValue("problem", why == null ? "" : why.getMessage())
                        .addKeyValue("leftOut", leftOut)
                        .log("A cluster does not say whose a token is"));
    }
}
