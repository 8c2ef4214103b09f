package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.raw;
import static io.fairlead.net.Rig.spec;
import static io.fairlead.net.Rig.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.http.HttpMethod;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server is sent nothing but one question until it was made sure of, on each connection anew. */
final class IntroductionTest {
    private static final String WHO = "/who";
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Rig rig = new Rig();
    private final List<String> judged = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void requests_goOutOnceTheServerIsApproved_andNotBefore(String protocol) {
        Named server = new Named(protocol, "itself");
        CompletableFuture<Optional<String>> verdict = new CompletableFuture<>();
        Upstream upstream = upstream(LONG, verdict, server);
        List<Recorder> waiting = List.of(get(upstream, "/a"), get(upstream, "/b"));
        eventually(() -> !judged.isEmpty());

        assertThat(server.asked).allMatch(WHO::equals);
        verdict.complete(Optional.empty());

        assertThat(waiting).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        assertThat(get(upstream, "/c").status()).isEqualTo(200);
        assertThat(judged).allMatch("200 itself"::equals);
        eventually(() -> server.asked.stream().filter(WHO::equals).count() == server.server.accepted());
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void serverThatIsRefused_isSentNoRequest_andAskedAnewByTheNext(String protocol) {
        Named server = new Named(protocol, "another");
        Upstream upstream = upstream(LONG, "itself", server);

        UpstreamFailure first = get(upstream, "/a").failure();
        UpstreamFailure second = get(upstream, "/b").failure();

        assertThat(first)
                .isEqualTo(new UpstreamFailure(Kind.IDENTITY, server.url() + ": it is another", false))
                .isEqualTo(second);
        assertThat(first.withoutAddress()).isEqualTo("its API server: it is another");
        assertThat(server.asked).hasSizeGreaterThanOrEqualTo(2).allMatch(WHO::equals);
        eventually(() -> server.server.connections() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void ofSeveralServers_onlyThoseThatAreApprovedGetRequests(String protocol) {
        Named right = new Named(protocol, "itself");
        Named wrong = new Named(protocol, "another");
        Upstream upstream = upstream(LONG, "itself", wrong, right);

        assertThat(IntStream.range(0, 20).mapToObj(i -> get(upstream, "/" + i).status()))
                .containsOnly(200);

        assertThat(wrong.asked).isNotEmpty().allMatch(WHO::equals);
    }

    /** Whatever stands at the address now must say who it is, since its connections are new. */
    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void connectionMadeAnew_beginsWithTheQuestion(String protocol) {
        Named server = new Named(protocol, "itself");
        Upstream upstream = upstream(LONG, "itself", server);
        assertThat(get(upstream, "/a").status()).isEqualTo(200);
        server.name = "another";
        assertThat(get(upstream, "/b").status())
                .as("on the connection that stands")
                .isEqualTo(200);

        upstream.reconfigure(spec(server.server));

        assertThat(get(upstream, "/c").failure().kind()).isEqualTo(Kind.IDENTITY);
        assertThat(server.asked).doesNotContain("/c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void serverThatDoesNotSay_isGivenUpInTime_withAllThatWait(String protocol) {
        Named server = new Named(protocol, "");
        Upstream upstream = upstream(Duration.ofMillis(300), "itself", server);

        List<Recorder> waiting = new ArrayList<>();
        IntStream.range(0, 20).forEach(i -> waiting.add(get(upstream, "/" + i)));

        assertThat(waiting)
                .allSatisfy(answer -> assertThat(answer.failure())
                        .isEqualTo(new UpstreamFailure(
                                Kind.TIMEOUT, server.url() + " did not say who it is within 300 ms", false)));
        assertThat(server.asked).allMatch(WHO::equals);
        eventually(() -> server.server.connections() == 0);
    }

    @Test
    void judgementThatTakesTooLong_isGivenUpAsWell() {
        Named server = new Named("h2", "itself");
        Upstream upstream = upstream(Duration.ofMillis(300), new CompletableFuture<>(), server);

        assertThat(get(upstream, "/a").failure().kind()).isEqualTo(Kind.TIMEOUT);

        assertThat(server.asked).containsExactly(WHO);
        eventually(() -> server.server.connections() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void answerThatIsTooLong_isReadNoFurther(String protocol) {
        Named server = new Named(protocol, "x".repeat(600 * 1024));

        UpstreamFailure failure = get(upstream(LONG, "itself", server), "/a").failure();

        assertThat(failure.kind()).isEqualTo(Kind.IDENTITY);
        assertThat(failure.message()).contains("more than 65536 bytes");
        assertThat(judged).isEmpty();
    }

    @Test
    void serverThatEndsTheConnectionWithItsAnswer_isSentNothing() {
        Named server = new Named("http/1.1", "itself");
        server.closes = true;

        UpstreamFailure failure = get(upstream(LONG, "itself", server), "/a").failure();

        assertThat(failure.kind()).isEqualTo(Kind.RESET);
        assertThat(failure.requestReached()).isFalse();
        assertThat(server.asked).allMatch(WHO::equals);
    }

    @Test
    void upstreamThatIsClosedMeanwhile_leavesNothing() {
        Named server = new Named("h2", "itself");
        CompletableFuture<Optional<String>> verdict = new CompletableFuture<>();
        Upstream upstream = upstream(LONG, verdict, server);
        Recorder waiting = get(upstream, "/a");
        eventually(() -> !judged.isEmpty());

        upstream.close();
        verdict.complete(Optional.empty());

        assertThat(waiting.failure().kind()).isEqualTo(Kind.CLOSED);
        eventually(() -> server.server.connections() == 0);
        assertThat(server.asked).containsExactly(WHO);
    }

    @Test
    void requestThatWaits_goesToTheServersOfANewerConfiguration() {
        Named old = new Named("h2", "");
        Named young = new Named("h2", "itself");
        Upstream upstream = upstream(LONG, "itself", old);
        Recorder waiting = get(upstream, "/a");
        eventually(() -> !old.asked.isEmpty());

        upstream.reconfigure(spec(young.server));

        assertThat(waiting.status()).isEqualTo(200);
        assertThat(young.asked).containsExactly(WHO, "/a");
        eventually(() -> old.server.connections() == 0);
    }

    /** What each says until it is judged is kept. */
    @Test
    void serversThatAreMadeSureOfAtOnce_areBounded() {
        Named server = new Named("http/1.1", "itself");
        CompletableFuture<Optional<String>> verdict = new CompletableFuture<>();
        Upstream upstream =
                upstream(LONG, (_, _) -> judged.size() == 1 ? verdict("itself", "itself") : verdict, server);
        assertThat(get(upstream, "/first").status()).isEqualTo(200);

        List<Recorder> waiting = new CopyOnWriteArrayList<>();
        rig.loop().execute(() -> IntStream.range(0, 60).forEach(i -> waiting.add(get(upstream, "/" + i))));

        eventually(() -> judged.size() == 1 + 16);
        eventually(() -> waiting.size() == 60);
        assertThat(waiting).allSatisfy(answer -> assertThat(answer.status()).isEqualTo(200));
        assertThat(server.asked.stream().filter(WHO::equals)).hasSize(1 + 16);
        assertThat(server.server.accepted()).isEqualTo(1 + 16);
        verdict.complete(Optional.empty());
    }

    @Test
    void question_goesWithTheCredential() {
        Named server = new Named("h2", "itself");
        UpstreamSpec spec = new UpstreamSpec(List.of(server.url()), Rig.PKI.caPem(), null, null, null, "t0ken");
        Upstream upstream = rig.opened(rig.client(UpstreamLimits.defaults(), true)
                .open(spec, ConnectionMetrics.NONE, introduction(LONG, (_, name) -> verdict("itself", name))));

        assertThat(get(upstream, "/a").status()).isEqualTo(200);

        assertThat(server.tokens).containsExactly("Bearer t0ken", "Bearer t0ken");
    }

    /** An upgrade has a connection of its own, on which nothing else can be asked. */
    @Test
    void upgrade_isNotOffered() {
        Upstream upstream = upstream(LONG, "itself", new Named("h2", "itself"));

        assertThatThrownBy(() -> upstream.upgrade(head(HttpMethod.GET, "/", 0), "x", rig.loop(), new FailureReceiver()))
                .isInstanceOf(IllegalStateException.class);
    }

    private Upstream upstream(Duration timeout, String expected, Named... servers) {
        return upstream(timeout, (_, name) -> verdict(expected, name), servers);
    }

    private Upstream upstream(Duration timeout, CompletableFuture<Optional<String>> verdict, Named... servers) {
        return upstream(timeout, (_, _) -> verdict, servers);
    }

    private Upstream upstream(
            Duration timeout, BiFunction<Integer, String, CompletionStage<Optional<String>>> judge, Named... servers) {
        UpstreamSpec spec =
                new UpstreamSpec(Stream.of(servers).map(Named::url).toList(), Rig.PKI.caPem(), null, null, null);
        return rig.opened(rig.client(UpstreamLimits.defaults(), true)
                .open(spec, ConnectionMetrics.NONE, introduction(timeout, judge)));
    }

    private static CompletionStage<Optional<String>> verdict(String expected, String name) {
        return CompletableFuture.completedFuture(
                name.equals(expected) ? Optional.empty() : Optional.of("it is " + name));
    }

    private Introduction introduction(
            Duration timeout, BiFunction<Integer, String, CompletionStage<Optional<String>>> judge) {
        return new Introduction() {
            @Override
            public RequestHead question() {
                return head(HttpMethod.GET, WHO, 0);
            }

            @Override
            public Duration timeout() {
                return timeout;
            }

            @Override
            public CompletionStage<Optional<String>> judge(int status, byte[] body) {
                String name = new String(body, UTF_8);
                judged.add(status + " " + name);
                return judge.apply(status, name);
            }
        };
    }

    /** A server that says its name; none if it is empty. */
    private final class Named {
        private final FakeServer server;
        private final List<String> asked = new CopyOnWriteArrayList<>();
        private final List<String> tokens = new CopyOnWriteArrayList<>();
        private volatile String name;
        private volatile boolean closes;

        Named(String protocol, String name) {
            this.name = name;
            this.server = rig.server(protocol, (ctx, piece) -> {
                if (piece instanceof HttpRequest request) {
                    answer(ctx, request);
                }
            });
        }

        URI url() {
            return server.url();
        }

        private void answer(ChannelHandlerContext ctx, HttpRequest request) {
            asked.add(request.uri());
            tokens.add(String.valueOf(request.headers().get(HttpHeaderNames.AUTHORIZATION)));
            if (!request.uri().equals(WHO)) {
                text(ctx, 200, "answer");
            } else if (closes) {
                raw(ctx, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n" + name);
            } else if (!name.isEmpty()) {
                text(ctx, 200, name);
            }
        }
    }
}
