package io.fairlead.gateway.authn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.credentials.jwt.SigningKey;
import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.fleet.Vouching;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.select.Target;
import io.fairlead.model.ClusterName;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.testkit.LogLines;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewedTokensTest {
    private static final ClusterName PROD = new ClusterName("prod");
    private static final long WAKE_UP_MICROS = 500;
    private static final long REFUSAL_MILLIS = 30;
    private static final SigningKey OF_HOSTED_CLUSTER = SigningKey.generate();
    private static final String ROBOT = """
        {"status": {"authenticated": true, "user": {"username": "system:serviceaccount:a:robot", "uid": "u1",
          "groups": ["system:serviceaccounts", "system:masters"], "extra": {"Example.com/Pod": ["p"]}}}}\
        """;

    private final EventLoop loop = new DefaultEventLoop();
    private final AtomicLong nanos = new AtomicLong();
    private final List<Limit> reached = new CopyOnWriteArrayList<>();
    private final ReviewingServer server = new ReviewingServer(loop);
    private final ClusterEntry.Attached prod = new ClusterEntry.Attached(
            PROD,
            new ClusterEntry.Backend(
                    server,
                    List.of(URI.create("https://prod.test")),
                    new UpstreamIdentity.Impersonate(false, Set.of())),
            null,
            _ -> {},
            HistoryModes.UNSET);
    private volatile Vouching vouching = new Vouching(true, true, false);
    private final ClusterDirectory directory = new ClusterDirectory() {
        @Override
        public ClusterEntry lookup(ClusterName name) {
            return name.equals(PROD) ? prod : new ClusterEntry.NotRegistered(name);
        }

        @Override
        public Vouching vouching(ClusterName name) {
            return name.equals(PROD) ? vouching : new Vouching(false, false, false);
        }
    };
    private final ReviewedTokens tokens = tokens("2m");

    private ReviewedTokens tokens(String timeout) {
        return new ReviewedTokens(
                directory,
                _ -> vouching.asksForTokens() ? Optional.of(PROD) : Optional.empty(),
                OF_HOSTED_CLUSTER.keyId()::equals,
                Limited.by(Map.of("limits.tokenReviewTimeout", timeout, "limits.tokenReviewsPerClusterMax", "3"))
                        .limits(),
                reached::add,
                nanos::get,
                Duration.ofMillis(REFUSAL_MILLIS));
    }

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void user_isAnIdentityOfThatCluster_forTenSeconds() throws Exception {
        assertThat(tokens.atOnce(bearer("t"))).isEqualTo(new Verdict.NotYet());
        Verdict robot = new Verdict.Accepted(new Identity.OfCluster(
                PROD,
                server,
                new UserInfo(
                        "system:serviceaccount:a:robot",
                        "u1",
                        List.of("system:serviceaccounts", "system:masters"),
                        Map.of("example.com/pod", List.of("p")))));

        assertThat(judge("t", 201, ROBOT)).isEqualTo(robot);

        assertThat(tokens.atOnce(bearer("t"))).isEqualTo(robot);
        assertThat(tokens.atOnce(bearer("other"))).isEqualTo(new Verdict.NotYet());
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
        assertThat(tokens.atOnce(bearer("t"))).isEqualTo(new Verdict.NotYet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"status\": {\"authenticated\": false, \"user\": {\"username\": \"a\"}}}",
                "{\"status\": {\"authenticated\": \"true\", \"user\": {\"username\": \"a\"}}}",
                "{\"status\": {\"authenticated\": true, \"user\": {\"username\": \"\"}}}",
                "{\"status\": {\"authenticated\": true}}"
            })
    void tokenOfNoUser_isRefused_andThatIsKnownForFiveSeconds(String answer) throws Exception {
        assertThat(judge("t", 201, answer)).isEqualTo(new Verdict.NotMine("NoTokenOfCluster"));
        assertThat(tokens.judge(bearer("t"))).isEqualTo(new Verdict.NotMine("NoTokenOfCluster"));
        assertThat(server.calls).isEmpty();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(6));
        assertThat(judge("t", 201, answer)).isEqualTo(new Verdict.NotMine("NoTokenOfCluster"));
    }

    @Test
    void clusterThatDoesNotSay_isAskedAgain() throws Exception {
        assertThat(judge("t", 403, "{}")).isEqualTo(new Verdict.NotMine("TokenNotReviewed"));
        assertThat(judge("t", 201, "<html>")).isEqualTo(new Verdict.NotMine("TokenNotReviewed"));
        assertThat(judge("t", 201, "x".repeat(70_000))).isEqualTo(new Verdict.NotMine("TokenNotReviewed"));
        assertThat(judge("t", 201, ROBOT)).isInstanceOf(Verdict.Accepted.class);
        assertThat(tokens("50ms").judge(bearer("t"))).isEqualTo(new Verdict.NotMine("TokenNotReviewed"));
    }

    /** A server that answers with what it was sent, or with a page about it, must not bring a token into the log. */
    @Test
    void answerWithTheToken_isLoggedWithoutIt() throws Exception {
        try (LogLines log = new LogLines(ReviewedTokens.class)) {
            assertThat(judge("opaque0secret0token", 201, "opaque0secret0token"))
                    .isEqualTo(new Verdict.NotMine("TokenNotReviewed"));

            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .contains("A cluster does not say whose a token is", "its answer is not JSON")
                    .doesNotContain("secret");
        }
    }

    @Test
    void clusterIsAsked_onlyWhereItsRegistrationWantsThat_andOnlyItself() {
        Verdict none = new Verdict.NotMine("");
        assertThat(tokens.judge(new Bearer("t", new Target.Gateway("/version", ""))))
                .isEqualTo(none);
        for (Vouching no : List.of(new Vouching(true, false, false), new Vouching(false, true, false))) {
            vouching = no;
            assertThat(tokens.atOnce(bearer("t"))).isEqualTo(none);
            assertThat(tokens.judge(bearer("t"))).isEqualTo(none);
        }
        assertThat(server.calls).isEmpty();
    }

    @Test
    void tokenOfAHostedCluster_isShownToNoOther() throws Exception {
        String own = OF_HOSTED_CLUSTER.sign("{}".getBytes(UTF_8));
        String foreign = SigningKey.generate().sign("{}".getBytes(UTF_8));

        assertThat(tokens.atOnce(bearer(own))).isEqualTo(new Verdict.NotYet());
        assertThat(refusedUnlessShown(bearer(own))).isEqualTo(new Verdict.NotMine(""));
        assertThat(judge(foreign, 201, ROBOT)).isInstanceOf(Verdict.Accepted.class);
    }

    /** A cluster that accepts every token accepts none that was sent elsewhere. */
    @Test
    void tokenThatWasSentElsewhere_isShownToNone_andRefusedWhateverIsSaidOfAnother() throws Exception {
        assertThat(refusedUnlessShown(toNone("opaque0secret0token"))).isEqualTo(new Verdict.NotMine(""));
        assertThat(refusedUnlessShown(toNone("head.claims.signature"))).isEqualTo(new Verdict.NotMine(""));
        assertThat(tokens.atOnce(toNone("opaque0secret0token"))).isEqualTo(new Verdict.NotYet());
        assertThat(tokens.judge(toNone("opaque0secret0token"))).isEqualTo(new Verdict.NotMine(""));
        assertThat(server.calls).isEmpty();
    }

    /** The verdict after the cluster has accepted what it was shown, which is as long as the token, and is another one. */
    private Verdict refusedUnlessShown(Bearer bearer) throws Exception {
        CompletableFuture<Verdict> verdict = asked(bearer);
        ReviewingServer.Call call = server.next();
        String shown = Json.read(call.body().getBytes(UTF_8)).at("/spec/token").asString();
        assertThat(shown).hasSameSizeAs(bearer.token()).isNotEqualTo(bearer.token());
        assertThat(shown.replaceAll("[^.]", "")).isEqualTo(bearer.token().replaceAll("[^.]", ""));
        assertThat(bearer.token().split("\\."))
                .allSatisfy(part -> assertThat(shown).doesNotContain(part));
        call.answer(201, ROBOT);
        return verdict.get(10, TimeUnit.SECONDS);
    }

    /** Whether the cluster is asked, has been asked before, or does not exist: it takes as long. */
    @ParameterizedTest
    @ValueSource(longs = {0, 3 * REFUSAL_MILLIS})
    void refusals_comeAtTheSameTime_whetherAClusterIsAsked(long answeredAfterMillis) throws Exception {
        List<Long> ofAsked = new ArrayList<>();
        List<Long> ofKnown = new ArrayList<>();
        List<Long> ofNone = new ArrayList<>();
        List<Long> ofKnownNone = new ArrayList<>();
        List<Long> ofHosted = new ArrayList<>();
        server.answered = Duration.ofMillis(answeredAfterMillis);
        for (int i = 0; i < 20; i++) {
            String token = "t" + i;
            String hosted = OF_HOSTED_CLUSTER.sign(("{\"n\":" + i + "}").getBytes(UTF_8));
            List<Measured> fresh = new ArrayList<>(List.of(
                    new Measured(ofAsked, bearer(token)),
                    new Measured(ofNone, toNone(token)),
                    new Measured(ofHosted, bearer(hosted))));
            List<Measured> known = new ArrayList<>(
                    List.of(new Measured(ofKnown, bearer(token)), new Measured(ofKnownNone, toNone(token))));
            Collections.rotate(fresh, i); // so that none is always the first
            Collections.rotate(known, i);
            fresh.addAll(known);
            for (Measured next : fresh) {
                next.micros().add(micros(() -> tokens.judge(next.bearer())));
            }
        }

        assertThat(tokens.atOnce(toNone("t"))).isEqualTo(new Verdict.NotYet());
        assertThat(tokens.atOnce(bearer("t0"))).isEqualTo(new Verdict.NotYet());
        long soonest = Math.max(REFUSAL_MILLIS, answeredAfterMillis) * 1000;
        assertThat(List.of(ofAsked, ofNone, ofHosted))
                .allSatisfy(times -> assertThat(times)
                        .allSatisfy(micros -> assertThat(micros).isGreaterThanOrEqualTo(soonest)));
        assertThat(List.of(ofKnown, ofKnownNone))
                .allSatisfy(times -> assertThat(times)
                        .allSatisfy(micros -> assertThat(micros).isGreaterThanOrEqualTo(REFUSAL_MILLIS * 1000)));
        assertAlike(ofNone, ofAsked);
        assertAlike(ofKnownNone, ofKnown);
        assertAlike(ofHosted, ofNone);
    }

    /** Whichever of the two names the requests were sent to of which it has too many, both are refused at once. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clusterOfWhichTooManyWait_cannotBeToldFromOneThatIsNotThere(boolean areSentToIt) throws Exception {
        List<CompletableFuture<Verdict>> waiting = new ArrayList<>();
        List<ReviewingServer.Call> calls = new ArrayList<>();
        for (String token : List.of("a", "b", "c")) {
            waiting.add(asked(areSentToIt ? bearer(token) : toNone(token)));
            calls.add(server.next());
        }
        List<Long> ofAsked = new ArrayList<>();
        List<Long> ofNone = new ArrayList<>();

        for (int i = 0; i < 20; i++) {
            String token = "t" + i;
            if (i % 2 == 0) {
                ofAsked.add(microsTo429(bearer(token)));
                ofNone.add(microsTo429(toNone(token)));
            } else {
                ofNone.add(microsTo429(toNone(token)));
                ofAsked.add(microsTo429(bearer(token)));
            }
        }

        assertAlike(ofNone, ofAsked);
        for (ReviewingServer.Call call : calls) {
            call.answer(201, "{}");
        }
        for (CompletableFuture<Verdict> one : waiting) {
            assertThat(one.get()).isInstanceOf(Verdict.NotMine.class);
        }
    }

    private long microsTo429(Bearer bearer) {
        long began = System.nanoTime();
        assertThatThrownBy(() -> tokens.judge(bearer))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(429));
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began);
    }

    private static long micros(Callable<Verdict> judgement) throws Exception {
        long began = System.nanoTime();
        assertThat(judgement.call()).isInstanceOf(Verdict.NotMine.class);
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - began);
    }

    private record Measured(List<Long> micros, Bearer bearer) {}

    /** Neither is mostly the quicker, or it is by less than half a millisecond, which a thread may take to wake up. */
    private static void assertAlike(List<Long> ones, List<Long> others) {
        if (Math.abs(median(ones) - median(others)) >= WAKE_UP_MICROS) {
            assertThat(quicker(ones, others)).isBetween(0.1, 0.9);
        }
    }

    private static long median(List<Long> micros) {
        return micros.stream().sorted().toList().get(micros.size() / 2);
    }

    /** How often one is less than the other. */
    private static double quicker(List<Long> ones, List<Long> others) {
        long pairs = ones.stream()
                .mapToLong(one -> others.stream().filter(other -> one < other).count())
                .sum();
        return (double) pairs / ones.size() / others.size();
    }

    private static Bearer toNone(String token) {
        return new Bearer(token, new Target.Cluster(new ClusterName("none"), "", "/api", ""));
    }

    @Test
    void equalTokensAtOnce_areOneQuestion() throws Exception {
        CompletableFuture<Verdict> first = asked("t");
        ReviewingServer.Call call = server.next();
        CompletableFuture<Verdict> second = asked("t");

        call.answer(201, ROBOT);

        assertThat(first.get()).isEqualTo(second.get()).isInstanceOf(Verdict.Accepted.class);
        assertThat(server.calls).isEmpty();
    }

    @Test
    void requestsThatWait_areBounded_andThereIsRoomAgainAfterwards() throws Exception {
        List<CompletableFuture<Verdict>> waiting = new ArrayList<>();
        List<ReviewingServer.Call> calls = new ArrayList<>();
        for (String token : List.of("a", "b", "c")) {
            waiting.add(asked(token));
            calls.add(server.next());
        }

        assertThatThrownBy(() -> tokens.judge(bearer("d")))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refused -> assertThat(refused.status().code()).isEqualTo(429));

        assertThat(reached).containsExactly(Limit.TOKEN_REVIEWS_PER_CLUSTER);
        for (ReviewingServer.Call call : calls) {
            call.answer(201, ROBOT);
        }
        for (CompletableFuture<Verdict> one : waiting) {
            assertThat(one.get()).isInstanceOf(Verdict.Accepted.class);
        }
        assertThat(judge("d", 201, ROBOT)).isInstanceOf(Verdict.Accepted.class);
    }

    private Verdict judge(String token, int status, String answer) throws Exception {
        CompletableFuture<Verdict> verdict = asked(token);
        ReviewingServer.Call call = server.next();
        assertThat(call.body()).contains("\"token\":\"" + token + "\"");
        call.answer(status, answer);
        return verdict.get(10, TimeUnit.SECONDS);
    }

    private CompletableFuture<Verdict> asked(String token) {
        return asked(bearer(token));
    }

    private CompletableFuture<Verdict> asked(Bearer bearer) {
        return CompletableFuture.supplyAsync(
                () -> tokens.judge(bearer), task -> Thread.ofVirtual().start(task));
    }

    private static Bearer bearer(String token) {
        return new Bearer(token, new Target.Cluster(PROD, "/clusters/prod", "/api", ""));
    }
}
