package io.fairlead.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.net.Upstream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/*
 * The Secret is the only place where a token is kept. So the answer to a TokenRequest waits for the cluster's next
 * turn, which writes it into the Secret unless that holds another credential by then; the Secret's watch sees that as
 * any other change, and new requests use the new token. Until the write the old one is valid: a crash loses only the
 * answer. Attempts begin when a third of a token's time is left, at intervals of half a minute, doubled after each
 * failure up to five minutes, so that the shortest token (ten minutes) has five attempts. There is one attempt at a
 * time for a cluster.
 */
/**
 * Renews expiring tokens of clusters whose registration enables it.
 *
 * <p>Threads: only the fleet's controller, which never waits; an answer that arrives on an event loop requests a turn.
 * The counts are for any.
 */
public final class TokenRenewals {
    /** Annotation of a Secret: the time, in RFC 3339, from which its token is renewed before its time. */
    static final String RENEW_AFTER = "fairlead.io/renew-token-after";

    private static final Logger LOG = LoggerFactory.getLogger(TokenRenewals.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String KUBECONFIG = "kubeconfig";
    private static final String TOKEN = "token";

    private static final Duration PAUSE_FIRST = Duration.ofSeconds(30);
    private static final Duration PAUSE_MAX = Duration.ofMinutes(5);
    private static final int DOUBLINGS_MAX = 4;
    private static final String TOLD_AGAIN = "; tried again every " + PAUSE_MAX.toMinutes() + " min at least";

    private static final Finding NOT_OWNED = Finding.no(
            "NotRenewable",
            "its Secret does not belong to this Cluster (expected its uid in metadata.ownerReferences, as 'fairlead"
                    + " cluster attach' writes it, or no spec.attached.renewToken)");

    /**
     * The newest attempt for a cluster.
     *
     * @param at when it began
     * @param failures how many attempts failed in a row before it
     */
    private record Attempt(Instant at, int failures) {
        /** If the clock was set back, do not wait for the earlier time. */
        boolean isRecent(Instant now) {
            Duration passed = Duration.between(at, now);
            return !passed.isNegative() && passed.compareTo(pause()) < 0;
        }

        private Duration pause() {
            Duration pause = PAUSE_FIRST.multipliedBy(1L << Math.min(failures, DOUBLINGS_MAX));
            return pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX;
        }
    }

    /** The request to a cluster, and its answer. */
    private record Question(BoundToken token, String text, CompletableFuture<TokenRequest.Outcome> answer) {}

    private final RootApi api;
    private final InstantSource clock;
    private final Consumer<ClusterName> enqueue;
    private final Map<ClusterName, Question> questions = new HashMap<>();
    private final Map<ClusterName, Attempt> attempts = new HashMap<>();
    private final Map<ClusterName, Finding> failed = new HashMap<>();
    private final Repetitions failures = new Repetitions();
    private final LongAdder renewedCount = new LongAdder();
    private final LongAdder failedCount = new LongAdder();

    /** @param enqueue requests a turn of a cluster */
    TokenRenewals(RootApi api, InstantSource clock, Consumer<ClusterName> enqueue) {
        this.api = api;
        this.clock = clock;
        this.enqueue = enqueue;
    }

    /**
     * Takes a step, if one is due: asks for another token, or stores the one that came.
     *
     * @param uid of the Cluster, which must own the Secret: its API server is asked what is written there
     * @return the condition {@code TokenRenewed}; empty if the registration does not ask for it, or nothing can be said
     */
    Optional<Finding> look(ClusterName name, String uid, Member member) {
        if (member instanceof Member.Attached attached && attached.holdsWrites()) {
            suspend(name);
            return Optional.empty();
        }
        return member instanceof Member.Attached attached
                ? look(
                        name,
                        uid,
                        attached.spec(),
                        attached.credentials().token(),
                        attached.scope().upstream())
                : Optional.empty();
    }

    Optional<Finding> look(
            ClusterName name, String uid, ClusterSpec.Attached spec, @Nullable String token, Upstream upstream) {
        if (!spec.renewsToken()) {
            forget(name);
            return Optional.empty();
        }
        Optional<BoundToken> bound = token == null ? Optional.empty() : BoundToken.of(token);
        if (token == null || bound.isEmpty()) {
            forget(name);
            return Optional.of(told(
                    name,
                    Finding.no(
                            "NotRenewable",
                            "its credential is not a ServiceAccount token that expires (expected one, or no"
                                    + " spec.attached.renewToken)")));
        }
        return Optional.of(look(name, uid, spec, bound.get(), token, upstream));
    }

    /** A cluster is another one than before: its token would take the place of the one that is needed once it is back. */
    void suspend(ClusterName name) {
        questions.remove(name);
    }

    /** A cluster was removed, or its token is not renewable. */
    void forget(ClusterName name) {
        questions.remove(name);
        attempts.remove(name);
        failed.remove(name);
    }

    /** The number of stored tokens. Any thread. */
    public long renewed() {
        return renewedCount.sum();
    }

    /** The number of failed attempts. Any thread. */
    public long failed() {
        return failedCount.sum();
    }

    private Finding look(
            ClusterName name,
            String uid,
            ClusterSpec.Attached spec,
            BoundToken bound,
            String token,
            Upstream upstream) {
        Question question = questions.get(name);
        if (question != null && question.answer().isDone()) {
            questions.remove(name);
            hear(name, uid, spec, question);
        } else if (question == null) {
            begin(name, uid, spec, bound, token, upstream);
        }
        return failed.getOrDefault(name, scheduled(bound));
    }

    private void begin(
            ClusterName name,
            String uid,
            ClusterSpec.Attached spec,
            BoundToken bound,
            String token,
            Upstream upstream) {
        Instant now = clock.instant();
        Optional<ObjectNode> secret = secret(spec);
        if (now.isBefore(bound.renewedFrom())
                && secret.filter(found -> isAskedFor(found, now)).isEmpty()) {
            attempts.remove(name);
            failed.remove(name);
        } else if (secret.filter(found -> annotations(found).has(SourceFile.ANNOTATION))
                .isPresent()) {
            failed.put(name, told(name, declared(bound, now)));
        } else if (secret.filter(found -> isOwned(found, uid)).isEmpty()) {
            failed.put(name, told(name, NOT_OWNED));
        } else if (!attempts.containsKey(name) || !attempts.get(name).isRecent(now)) {
            int failuresBefore = attempts.containsKey(name) ? attempts.get(name).failures() : 0;
            attempts.put(name, new Attempt(now, failuresBefore));
            Question question = new Question(bound, token, TokenRequest.send(upstream, bound, token, TIMEOUT));
            questions.put(name, question);
            question.answer().thenRun(() -> enqueue.accept(name));
        }
    }

    private void hear(ClusterName name, String uid, ClusterSpec.Attached spec, Question question) {
        switch (question.answer().join()) {
            case TokenRequest.Issued issued -> store(name, uid, spec, question, issued.token());
            case TokenRequest.Refused refused -> failed(name, question.token(), refused.why());
        }
    }

    private void failed(ClusterName name, BoundToken token, String why) {
        failedCount.increment();
        Attempt attempt = attempts.get(name);
        if (attempt != null) {
            attempts.put(name, new Attempt(attempt.at(), attempt.failures() + 1));
        }
        failed.put(
                name,
                told(
                        name,
                        Finding.no(
                                "RenewalFailed",
                                validity(token, clock.instant()) + " and was not renewed: " + why + TOLD_AGAIN)));
    }

    private static Finding scheduled(BoundToken token) {
        return Finding.yes(
                "Scheduled",
                "the token of ServiceAccount " + token.namespace() + "/" + token.account() + " is good until "
                        + token.ends() + ", and is renewed from " + token.renewedFrom() + " on");
    }

    private static Finding declared(BoundToken token, Instant now) {
        return Finding.no(
                "DeclaredByFile",
                validity(token, now) + " and is not renewed: a file declares its Secret, and would put the old token"
                        + " back (expected a Secret that no file declares, or no spec.attached.renewToken)");
    }

    private static String agreeing(Instant now) {
        return ", and here it is " + now + " (expected clocks that agree)";
    }

    private static String validity(BoundToken token, Instant now) {
        return "the token " + (token.hasEnded(now) ? "ended at " : "is good until ") + token.ends();
    }

    private static boolean isAskedFor(ObjectNode secret, Instant now) {
        String time = annotations(secret).path(RENEW_AFTER).asString("");
        try {
            return !time.isEmpty() && now.isAfter(Instant.parse(time));
        } catch (DateTimeException unreadable) {
            return false;
        }
    }

    /** A Secret that holds another token by now, belongs to another Cluster or is gone stays unchanged. */
    private void store(ClusterName name, String uid, ClusterSpec.Attached spec, Question question, String token) {
        BoundToken renewed = BoundToken.of(token).orElseThrow();
        Instant now = clock.instant();
        if (renewed.hasEnded(now) && !question.token().hasEnded(now)) {
            failed(name, question.token(), "the cluster issued one that ended at " + renewed.ends() + agreeing(now));
            return;
        }
        Optional<ObjectNode> found = secret(spec).filter(secret -> isOwned(secret, uid));
        if (found.isEmpty() || !put(found.get(), question.text(), token)) {
            return;
        }
        ObjectNode secret = found.get();
        if (annotations(secret) instanceof ObjectNode annotations) {
            annotations.remove(RENEW_AFTER);
        }
        try {
            if (!api.updateUnlessChanged(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, secret, "")) {
                return;
            }
        } catch (RootApi.RootApiException refused) {
            failed(name, question.token(), "its Secret cannot be written: " + refused.getMessage());
            return;
        }
        if (now.isBefore(renewed.renewedFrom())) {
            failed.remove(name);
        } else {
            failed(name, renewed, "the cluster issued it at " + renewed.issued() + agreeing(now));
        }
        renewedCount.increment();
        LOG.atInfo()
                .addKeyValue("cluster", name)
                .addKeyValue("until", renewed.ends())
                .log("Renewed the token of a cluster");
    }

    /** Whether the Secret still held the old token, and holds the new one now. */
    private static boolean put(ObjectNode secret, String replaced, String token) {
        if (!(secret.path("data") instanceof ObjectNode data)) {
            return false;
        }
        if (!data.has(KUBECONFIG)) {
            boolean isSame = decoded(data.path(TOKEN)).strip().equals(replaced);
            if (isSame) {
                data.put(TOKEN, encoded(token));
            }
            return isSame;
        }
        try {
            Target target = Target.of(Kubeconfig.parse(decoded(data.path(KUBECONFIG)), KUBECONFIG), null, null);
            if (!replaced.equals(target.token())) {
                return false;
            }
            Kubeconfig renewed = Kubeconfig.empty();
            renewed.set(target.withToken(token), "target");
            data.put(KUBECONFIG, encoded(renewed.text()));
            return true;
        } catch (KubeconfigException changedMeanwhile) {
            return false;
        }
    }

    /** The right to register a cluster does not include writing every Secret that a registration can name. */
    private static boolean isOwned(ObjectNode secret, String uid) {
        return !uid.isEmpty()
                && secret.path("metadata")
                        .path("ownerReferences")
                        .valueStream()
                        .anyMatch(owner -> owner.path("uid").asString("").equals(uid));
    }

    private Optional<ObjectNode> secret(ClusterSpec.Attached spec) {
        String name = spec.kubeconfigSecret() == null ? spec.credentialSecret() : spec.kubeconfigSecret();
        return name == null ? Optional.empty() : api.get(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, name);
    }

    private static JsonNode annotations(ObjectNode secret) {
        return secret.path("metadata").path("annotations");
    }

    private static String decoded(JsonNode value) {
        return new String(Base64.getMimeDecoder().decode(value.asString("")), UTF_8);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    /** Logs it from time to time. */
    private Finding told(ClusterName name, Finding failure) {
        failures.next(name)
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("cluster", name)
                        .addKeyValue("reason", failure.message())
                        .addKeyValue("leftOut", leftOut)
                        .log("The token of a cluster was not renewed"));
        return failure;
    }
}
