package io.fairlead.gateway.authn;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.fairlead.config.LimitSettings;
import io.fairlead.credentials.jwt.SignedToken;
import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.limits.AskedOnce;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens that are nothing to the gateway, of which an attached cluster says whose they are, where it is addressed and its
 * registration wants that. Such a user is good for that cluster alone. What it says is remembered for a few seconds; equal
 * questions at the same time are asked once, and how many requests wait for one cluster is bounded. Tokens of hosted clusters are
 * shown to none: with one of them it could do there what its owner may.
 *
 * <p>A stranger must not learn by a refusal which clusters there are and are asked. So under every other name one of them, always
 * the same for the name, is asked of a random token in place of the caller's: that takes its time, has its place among those that
 * wait and is remembered for as long as if the name were its own, and is refused whatever the cluster says. The same goes for a
 * token that may not be shown to the cluster that it is sent to. No refusal comes sooner than a cluster that is near takes for its answer at most.
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
    private final Function<ClusterName, Optional<ClusterName>> reviewers;
    private final Predicate<String> isHostedKey;
    private final LimitSettings limits;
    private final LimitMeter meter;
    private final Duration refusalAfter;
    private final TokenDigests digests = new TokenDigests();
    private final Cache<Question, Verdict> known;
    private final AskedOnce<Question, Verdict> asked;

    /** The number of requests that wait for each cluster that is asked; no entry for 0. */
    private final ConcurrentMap<ClusterName, Integer> waiting = new ConcurrentHashMap<>();

    private final Repetitions failures = new Repetitions();

    /** One under a name, to a cluster by its present connections. */
    private record Question(ClusterName name, Object voucher, List<URI> endpoints, TokenDigests.Digest token) {}

    /**
     * Those of the clusters of a directory.
     *
     * @param reviewers the cluster that is asked under a name, itself if it is one that is asked; empty while none is
     * @param isHostedKey whether a hosted cluster signs tokens by the key of an id; may read a store
     */
    public ReviewedTokens(
            ClusterDirectory directory,
            Function<ClusterName, Optional<ClusterName>> reviewers,
            Predicate<String> isHostedKey,
            LimitSettings limits,
            LimitMeter meter) {
        this(directory, reviewers, isHostedKey, limits, meter, Ticker.systemTicker(), REFUSAL_AFTER);
    }

    ReviewedTokens(
            ClusterDirectory directory,
            Function<ClusterName, Optional<ClusterName>> reviewers,
            Predicate<String> isHostedKey,
            LimitSettings limits,
            LimitMeter meter,
            Ticker ticker,
            Duration refusalAfter) {
        this.directory = directory;
        this.reviewers = reviewers;
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
        if (!(bearer.target() instanceof Target.Cluster target)) {
            return NONE;
        }
        Optional<ClusterName> reviewer = reviewers.apply(target.name());
        if (reviewer.isEmpty()) {
            return NONE;
        }
        Verdict before = attached(reviewer.get())
                .map(cluster -> known.getIfPresent(question(target.name(), cluster, bearer)))
                .orElse(null);
        return before instanceof Verdict.Accepted ? before : new Verdict.NotYet();
    }

    @Override
    public Verdict judge(Bearer bearer) {
        return bearer.target() instanceof Target.Cluster target
                ? reviewers
                        .apply(target.name())
                        .map(reviewer -> judge(target.name(), reviewer, bearer))
                        .orElse(NONE)
                : NONE;
    }

    private Verdict judge(ClusterName name, ClusterName reviewer, Bearer bearer) {
        CompletableFuture<Verdict> refusalIsDue =
                new CompletableFuture<Verdict>().completeOnTimeout(NONE, refusalAfter.toNanos(), TimeUnit.NANOSECONDS);
        boolean isShown = isShown(name, reviewer, bearer);
        Verdict verdict = attached(reviewer)
                .map(cluster -> isShown ? ofCaller(name, cluster, bearer) : ofNoUser(name, cluster, bearer))
                .orElse(NONE);
        if (verdict instanceof Verdict.Accepted) {
            refusalIsDue.cancel(false);
        } else {
            var _ = refusalIsDue.join();
        }
        return verdict;
    }

    private Verdict ofCaller(ClusterName name, ClusterEntry.Attached cluster, Bearer bearer) {
        return known(
                question(name, cluster, bearer),
                cluster,
                () -> review(cluster, bearer.token())
                        .thenApply(user -> user.<Verdict>map(found -> new Verdict.Accepted(new Identity.OfCluster(
                                        cluster.name(), cluster.base().voucher(), found)))
                                .orElse(NOT_KNOWN)),
                NOT_ANSWERED);
    }

    private Verdict ofNoUser(ClusterName name, ClusterEntry.Attached cluster, Bearer bearer) {
        return known(
                question(name, cluster, bearer),
                cluster,
                () -> review(cluster, RandomToken.like(bearer.token())).thenApply(_ -> NONE),
                NONE);
    }

    private Verdict known(
            Question question,
            ClusterEntry.Attached cluster,
            Supplier<CompletableFuture<Verdict>> review,
            Verdict unanswered) {
        Verdict before = known.getIfPresent(question);
        if (before != null) {
            return before;
        }
        take(cluster.name());
        try {
            return asked.ask(question, review).get();
        } catch (ExecutionException e) {
            tell(cluster.name(), e.getCause());
            return unanswered;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return unanswered;
        } finally {
            waiting.computeIfPresent(cluster.name(), (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Whether the cluster that is asked under a name is shown the token itself. */
    private boolean isShown(ClusterName name, ClusterName reviewer, Bearer bearer) {
        boolean isOfHostedCluster = isOfHostedCluster(bearer); // Looked at under every name: it can take time.
        return reviewer.equals(name) && directory.vouching(name).asksForTokens() && !isOfHostedCluster;
    }

    /** By the key that it names: hosted clusters share the name of their issuer with others. */
    private boolean isOfHostedCluster(Bearer bearer) {
        return SignedToken.read(bearer.token())
                .map(SignedToken::keyId)
                .filter(isHostedKey)
                .isPresent();
    }

    private Optional<ClusterEntry.Attached> attached(ClusterName name) {
        return directory.lookup(name) instanceof ClusterEntry.Attached attached
                ? Optional.of(attached)
                : Optional.empty();
    }

    private Question question(ClusterName name, ClusterEntry.Attached cluster, Bearer bearer) {
        return new Question(name, cluster.base().voucher(), cluster.base().endpoints(), digests.of(bearer.token()));
    }

    private CompletableFuture<Optional<UserInfo>> review(ClusterEntry.Attached cluster, String token) {
        return TokenReview.send(cluster, token, limits.tokenReviewTimeout());
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
