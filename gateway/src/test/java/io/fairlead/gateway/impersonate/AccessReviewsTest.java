package io.fairlead.gateway.impersonate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.http.MutableFields;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.UpgradeReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamFailure;
import io.fairlead.net.UpstreamSpec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How attached clusters are asked: how often, how many at once, and what becomes of it when they do not say. */
class AccessReviewsTest {
    private static final UserInfo JANE = UserInfo.of("jane", List.of("dev"));
    private static final CallerName JANES = CallerName.ofGateway("jane");
    private static final RequestInfo BE_BOB =
            ImpersonationRights.of(UserInfo.of("bob", List.of())).getFirst();
    private static final int WAITING_MAX = Limited.BY_DEFAULT.limits().accessReviewsPerClusterMax();

    private final EventLoop loop = new DefaultEventLoop();
    private final AtomicLong nanos = new AtomicLong();
    private final List<Limit> reached = new CopyOnWriteArrayList<>();
    private final AccessReviews reviews = reviews(WAITING_MAX, Duration.ofMinutes(5));
    private final Asked prod = new Asked();
    private final ClusterEntry.Attached cluster = attached("prod", prod);
    private final Executor threads = task -> Thread.ofVirtual().start(task);

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @Test
    void answer_holdsAsLongAsIsSaid_yesAndNo() throws Exception {
        assertThat(ask(JANE, BE_BOB, true)).isEqualTo(new Decision.Allowed());
        nanos.addAndGet(Duration.ofMillis(9_900).toNanos());
        assertThat(decide(reviews, cluster, JANE, BE_BOB)).isEqualTo(new Decision.Allowed());
        nanos.addAndGet(Duration.ofMillis(200).toNanos());
        assertThat(ask(JANE, BE_BOB, false)).isEqualTo(new Decision.Denied("no rule"));
        assertThat(decide(reviews, cluster, JANE, BE_BOB)).isEqualTo(new Decision.Denied("no rule"));
        assertThat(prod.calls).isEmpty();
    }

    @Test
    void answer_isThatCallersAlone_inThatRegistrationAlone() throws Exception {
        assertThat(ask(JANE, BE_BOB, true)).isEqualTo(new Decision.Allowed());

        assertThat(ask(UserInfo.of("jane", List.of()), BE_BOB, false)).isInstanceOf(Decision.Denied.class);
        Asked other = new Asked();
        CompletableFuture<Decision> elsewhere = review(attached("prod", other), JANE, BE_BOB);
        other.next().answer(201, "{\"status\":{\"allowed\":false}}");
        assertThat(elsewhere.get()).isEqualTo(new Decision.Denied(""));
    }

    @Test
    void forgottenCluster_isAskedAgain() throws Exception {
        assertThat(ask(JANE, BE_BOB, true)).isEqualTo(new Decision.Allowed());
        reviews.forget(cluster.name());

        assertThat(ask(JANE, BE_BOB, false)).isInstanceOf(Decision.Denied.class);
    }

    @Test
    void answer_isKeptBeforeAnybodyHearsIt() throws Exception {
        for (int round = 0; round < 2_000; round++) {
            assertThat(ask(JANE, BE_BOB, true)).as("round %s", round).isEqualTo(new Decision.Allowed());
            reviews.forget(cluster.name());
        }
    }

    @Test
    void equalQuestionsAtOnce_areOne() throws Exception {
        CompletableFuture<Decision> first = review(cluster, JANE, BE_BOB);
        Asked.Call call = prod.next();
        CompletableFuture<Decision> second = review(cluster, JANE, BE_BOB);
        call.answer(200, "{\"status\":{\"allowed\":true}}");

        assertThat(first.get()).isEqualTo(second.get()).isEqualTo(new Decision.Allowed());
        assertThat(prod.calls).isEmpty();
    }

    @Test
    void questionsBeyondTheLimit_are429_andThereIsRoomAgainAfterwards() throws Exception {
        List<CompletableFuture<Decision>> asked = new ArrayList<>();
        List<Asked.Call> calls = new ArrayList<>();
        for (int i = 0; i < WAITING_MAX; i++) {
            asked.add(review(cluster, UserInfo.of("caller-" + i, List.of()), BE_BOB));
            calls.add(prod.next());
        }

        assertRefused(429, () -> reviews.require(cluster, JANES, JANE, BE_BOB));

        calls.forEach(call -> call.answer(201, "{\"status\":{\"allowed\":false}}"));
        for (CompletableFuture<Decision> one : asked) {
            assertThat(one.get()).isInstanceOf(Decision.Denied.class);
        }
        assertThat(ask(JANE, BE_BOB, true)).isEqualTo(new Decision.Allowed());
    }

    @Test
    void whoeverJoinsAQuestion_waitsToo_andCounts() throws Exception {
        CountDownLatch refused = new CountDownLatch(50);
        AtomicInteger allowed = new AtomicInteger();
        List<CompletableFuture<Void>> asked = new ArrayList<>();
        for (int i = 0; i < WAITING_MAX + 50; i++) {
            asked.add(review(cluster, JANE, BE_BOB).handle((decision, failure) -> {
                if (failure != null) {
                    refused.countDown();
                } else {
                    allowed.incrementAndGet();
                }
                return null;
            }));
        }
        assertThat(refused.await(20, TimeUnit.SECONDS)).isTrue();

        prod.next().answer(201, "{\"status\":{\"allowed\":true}}");
        CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
        assertThat(allowed).hasValue(WAITING_MAX);
        assertThat(prod.calls).isEmpty();
    }

    @Test
    void callerWhoFillsItsPart_is429_andOthersStillGetTheirs() throws Exception {
        AccessReviews fair = reviews(WAITING_MAX / 4, Duration.ofMinutes(5));
        List<CompletableFuture<Decision>> asked = new ArrayList<>();
        for (int i = 0; i < WAITING_MAX / 4; i++) {
            RequestInfo beSomebody =
                    ImpersonationRights.of(UserInfo.of("bob-" + i, List.of())).getFirst();
            asked.add(review(fair, cluster, JANE, beSomebody));
            prod.next();
        }

        assertThatThrownBy(() -> fair.require(cluster, JANES, JANE, BE_BOB))
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().code()).isEqualTo(429);
                    assertThat(e.status().message())
                            .contains("\"prod\": " + WAITING_MAX / 4 + " requests of user \"jane\"", "PerCallerMax");
                });
        assertThat(reached).containsExactly(Limit.ACCESS_REVIEWS_PER_CALLER);

        CompletableFuture<Decision> ofAnother = review(fair, cluster, UserInfo.of("ann", List.of()), BE_BOB);
        prod.next().answer(201, "{\"status\":{\"allowed\":true}}");
        assertThat(ofAnother.get()).isEqualTo(new Decision.Allowed());
        Asked test = new Asked();
        CompletableFuture<Decision> elsewhere = review(fair, attached("test", test), JANE, BE_BOB);
        test.next().answer(201, "{\"status\":{\"allowed\":true}}");
        assertThat(elsewhere.get()).isEqualTo(new Decision.Allowed());
        assertThat(asked).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void callerOfTheSameName_whomAnotherRealmVouchesFor_isAnotherOne() throws Exception {
        AccessReviews fair = reviews(1, Duration.ofMinutes(5));
        review(fair, cluster, JANE, BE_BOB);
        prod.next();
        CallerName namesake = new CallerName(cluster.name(), "jane");
        RequestInfo beAlice =
                ImpersonationRights.of(UserInfo.of("alice", List.of())).getFirst();

        CompletableFuture<Void> ofNamesake =
                CompletableFuture.runAsync(() -> fair.require(cluster, namesake, JANE, beAlice), threads);
        prod.next().answer(201, "{\"status\":{\"allowed\":true}}");

        ofNamesake.get(20, TimeUnit.SECONDS);
        assertRefused(429, () -> fair.requireOne(cluster, JANES, JANE, List.of(List.of(beAlice, BE_BOB))));
    }

    @Test
    void otherCluster_isAskedWhileOneHangs() throws Exception {
        for (int i = 0; i < WAITING_MAX; i++) {
            review(cluster, UserInfo.of("caller-" + i, List.of()), BE_BOB);
            prod.next();
        }
        Asked test = new Asked();
        CompletableFuture<Decision> answer = review(attached("test", test), JANE, BE_BOB);
        test.next().answer(201, "{\"status\":{\"allowed\":true}}");

        assertThat(answer.get()).isEqualTo(new Decision.Allowed());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        401 | {}          | 502
        403 | {}          | 403
        404 | {}          | 503
        500 | {}          | 503
        201 | {"status":  | 502
        201 | secret      | 502
        201 | {"status": {"allowed": "true"}} | 502
        201 | {"status": {"allowed": 1}}      | 502
        """)
    void otherAnswers_areNoYes_andAreNotKept(int status, String body, int code) throws Exception {
        CompletableFuture<Decision> answer = review(cluster, JANE, BE_BOB);
        prod.next().answer(status, body);

        assertThatThrownBy(answer::join).cause().isInstanceOfSatisfying(StatusException.class, e -> {
            assertThat(e.status().code()).isEqualTo(code);
            assertThat(e.status().message()).contains("prod").doesNotContain("secret");
        });
        assertThat(ask(JANE, BE_BOB, true)).isEqualTo(new Decision.Allowed());
    }

    @Test
    void clusterThatIsNotReached_isToldAsForAnyRequest() throws Exception {
        CompletableFuture<Decision> answer = review(cluster, JANE, BE_BOB);
        prod.next().fail(new UpstreamFailure(UpstreamFailure.Kind.CONNECT, "refused", false));

        assertThatThrownBy(answer::join)
                .cause()
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(503));
    }

    @Test
    void silence_is504_andTheExchangeIsGivenUp() throws Exception {
        AccessReviews impatient = reviews(WAITING_MAX, Duration.ofMillis(20));

        assertRefused(504, () -> impatient.require(cluster, JANES, JANE, BE_BOB));
        assertThat(prod.next().cancelled.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void answerThatIsTooLarge_isNotRead() throws Exception {
        CompletableFuture<Decision> answer = review(cluster, JANE, BE_BOB);
        prod.next().answer(201, "{\"status\":{\"allowed\":true}}" + " ".repeat(70_000) + "x");

        assertRefused(502, () -> {
            throw answer.handle((_, thrown) -> thrown.getCause()).get();
        });
    }

    private Decision ask(UserInfo caller, RequestInfo right, boolean allowed) throws Exception {
        CompletableFuture<Decision> answer = review(cluster, caller, right);
        prod.next().answer(201, "{\"status\":{\"allowed\":" + allowed + ",\"reason\":\"no rule\"}}");
        return answer.get();
    }

    private AccessReviews reviews(int perCallerMax, Duration timeout) {
        var given = Map.of("limits.accessReviewsPerCallerMax", perCallerMax, "limits.accessReviewTimeout", timeout);
        return new AccessReviews(Limited.by(given).limits(), reached::add, nanos::get);
    }

    private CompletableFuture<Decision> review(ClusterEntry.Attached asked, UserInfo caller, RequestInfo right) {
        return review(reviews, asked, caller, right);
    }

    private CompletableFuture<Decision> review(
            AccessReviews asking, ClusterEntry.Attached asked, UserInfo caller, RequestInfo right) {
        return CompletableFuture.supplyAsync(() -> decide(asking, asked, caller, right), threads);
    }

    private static Decision decide(
            AccessReviews asking, ClusterEntry.Attached asked, UserInfo caller, RequestInfo right) {
        try {
            asking.require(asked, CallerName.ofGateway(caller.name()), caller, right);
            return new Decision.Allowed();
        } catch (StatusException e) {
            String message = e.status().message();
            int reason = message.indexOf("at the cluster scope");
            if (reason < 0) {
                throw e;
            }
            return new Decision.Denied(message.substring(reason).replaceFirst("at the cluster scope(: )?", ""));
        }
    }

    private static void assertRefused(int code, ThrowingCallable step) {
        assertThatThrownBy(step)
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(code));
    }

    private static ClusterEntry.Attached attached(String name, Upstream upstream) {
        var identity = new UpstreamIdentity.Impersonate(true, Set.of());
        var base = new ClusterEntry.Backend(upstream, List.of(), identity);
        return new ClusterEntry.Attached(new ClusterName(name), base, null, type -> {}, HistoryModes.UNSET);
    }

    /** An API server that answers what the test says. */
    private final class Asked implements Upstream {
        private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();

        Call next() throws InterruptedException {
            Call call = calls.poll(10, TimeUnit.SECONDS);
            if (call == null) {
                throw new AssertionError("nothing was asked");
            }
            return call;
        }

        @Override
        public Exchange send(
                RequestHead head, Kind kind, @Nullable EventLoop preferredLoop, ResponseReceiver receiver) {
            Call call = new Call(receiver);
            calls.add(call);
            return call;
        }

        @Override
        public Exchange upgrade(RequestHead head, String protocols, EventLoop on, UpgradeReceiver receiver) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void reconfigure(UpstreamSpec spec) {}

        @Override
        public void close() {}

        private final class Call implements Exchange {
            private final ResponseReceiver receiver;
            private final CompletableFuture<Boolean> cancelled = new CompletableFuture<>();

            Call(ResponseReceiver receiver) {
                this.receiver = receiver;
            }

            void answer(int status, String body) {
                loop.execute(() -> {
                    receiver.onHead(status, new MutableFields());
                    receiver.onData(Unpooled.copiedBuffer(body, UTF_8));
                    receiver.onEnd();
                });
            }

            void fail(UpstreamFailure failure) {
                loop.execute(() -> receiver.onFailure(failure));
            }

            @Override
            public EventLoop eventLoop() {
                return loop;
            }

            @Override
            public void write(ByteBuf data) {
                data.release();
            }

            @Override
            public void end() {}

            @Override
            public boolean isWritable() {
                return true;
            }

            @Override
            public void reading(boolean on) {}

            @Override
            public void cancel() {
                cancelled.complete(true);
            }
        }
    }
}
