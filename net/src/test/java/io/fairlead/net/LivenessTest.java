package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static io.fairlead.net.Rig.chunked;
import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.text;
import static io.fairlead.net.Rig.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections end when their peer is gone or they serve nothing; what was begun is never begun twice. */
final class LivenessTest {
    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @Test
    void peerThatVanishedUnderAWatch_isNoticed() {
        FakeServer server = watched();
        Upstream upstream = upstream(server, UpstreamLimits.defaults().withPingInterval(Duration.ofSeconds(1)));
        Recorder watch = watch(upstream);
        assertThat(watch.status()).isEqualTo(200);

        server.fallSilent();

        assertThat(watch.failure())
                .isEqualTo(new UpstreamFailure(
                        Kind.RESET, server.url() + " gave no sign of life on its connection", true));
    }

    /** The answers to pings are signs of life: as many pass as would end it, were they not heard. */
    @Test
    void quietWatchOfALivingPeer_stays() {
        FakeServer server = watched();
        Upstream upstream = upstream(server, UpstreamLimits.defaults().withPingInterval(Duration.ofSeconds(2)));
        Recorder watch = watch(upstream);
        assertThat(watch.status()).isEqualTo(200);

        eventually(() -> server.pings() >= 2);

        assertThat(watch.isOver()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void connectionThatServesNothing_isClosed(String protocol) {
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                text(ctx, 200, "answer");
            }
        });
        Upstream upstream = upstream(server, UpstreamLimits.defaults().withIdleTimeout(Duration.ofMillis(200)));
        assertThat(get(upstream, "/").body()).isEqualTo("answer");

        eventually(() -> server.connections() == 0);

        assertThat(get(upstream, "/").body()).isEqualTo("answer");
        assertThat(server.accepted()).isEqualTo(2);
    }

    @Test
    void connectionWithAQuietWatch_isNotIdle() {
        FakeServer server = watched();
        Upstream upstream = upstream(server, UpstreamLimits.defaults().withIdleTimeout(Duration.ofMillis(200)));
        Recorder watch = watch(upstream);
        assertThat(watch.status()).isEqualTo(200);
        assertThat(get(upstream, "/short").body()).isEqualTo("answer");

        // The idle connection of the short call is closed: the time is over for that of the watch as well.
        eventually(() -> server.connections() == 1);

        assertThat(watch.isOver()).isFalse();
    }

    @Test
    void settingsThatNeverCome_closeTheConnection() {
        FakeServer server = rig.server("h2", FakeServer.WORDLESS);
        Upstream upstream = upstream(server, UpstreamLimits.defaults().withTlsTimeout(Duration.ofSeconds(1)));

        assertThat(watch(upstream).failure().kind()).isEqualTo(Kind.TIMEOUT);

        assertThat(server.accepted()).isEqualTo(1);
        eventually(() -> server.connections() == 0);
    }

    @Test
    void endpointThatFailed_isAvoidedForLongerEachTime() {
        Endpoint endpoint = Rig.endpoint(URI.create("https://127.0.0.1:6443"));
        long before = 0;
        for (int failures = 0; failures < 6; failures++) {
            endpoint.health().notConnected(REFUSED);
            // What has gone by since the failure is less than the doubling.
            assertThat(endpoint.health().avoidedForNanos()).isGreaterThan(before);
            before = endpoint.health().avoidedForNanos();
        }
        endpoint.health().notConnected(REFUSED);
        assertThat(endpoint.health().avoidedForNanos())
                .isLessThanOrEqualTo(Duration.ofSeconds(16).toNanos());

        endpoint.connected(Endpoint.Protocol.HTTP_2);

        assertThat(endpoint.health().avoidedForNanos()).isLessThanOrEqualTo(0);
    }

    @Test
    void endpointThatFailed_isAskedAfterTheOthers() {
        UpstreamSpec spec = new UpstreamSpec(
                List.of(URI.create("https://127.0.0.1:1"), URI.create("https://127.0.0.1:2")), null, null, null, null);
        PooledUpstream upstream =
                (PooledUpstream) rig.client(UpstreamLimits.defaults(), true).open(spec);
        Generation generation = new Generation(upstream, spec, null);
        Endpoint failing = Rig.chosen(generation);
        Endpoint other = Rig.chosen(generation);
        assertThat(other).isNotSameAs(failing);

        fail(failing, 4);
        assertThat(List.of(Rig.chosen(generation), Rig.chosen(generation), Rig.chosen(generation)))
                .containsOnly(other);

        failOften(other);
        // Both are avoided now: the one that is so for longer comes last.
        assertThat(List.of(Rig.chosen(generation), Rig.chosen(generation))).containsOnly(failing);
    }

    @Test
    void dialThatFails_isHeldAgainstItsEndpoint() throws IOException {
        URI url = Rig.unusedUrl();
        PooledUpstream upstream = open(url);
        Generation generation = new Generation(upstream, spec(url), null);
        Endpoint endpoint = Rig.chosen(generation);
        // The fifth time is for eight seconds, the next for sixteen.
        fail(endpoint, 5);

        assertThat(call(upstream, generation, endpoint).failure().kind()).isEqualTo(Kind.CONNECT);

        assertThat(endpoint.health().avoidedForNanos())
                .isGreaterThan(Duration.ofSeconds(8).toNanos());
    }

    @Test
    void connectionThatComesAbout_endsWhatIsHeldAgainstItsEndpoint() {
        FakeServer server = watched();
        PooledUpstream upstream = open(server.url());
        Generation generation = new Generation(upstream, spec(server.url()), null);
        Endpoint endpoint = Rig.chosen(generation);
        failOften(endpoint);

        assertThat(call(upstream, generation, endpoint).body()).isEqualTo("answer");

        assertThat(endpoint.health().avoidedForNanos()).isLessThanOrEqualTo(0);
        generation.close(Failures.unreached(Kind.CLOSED, "the test is over"));
    }

    private PooledUpstream open(URI url) {
        return (PooledUpstream) rig.client(UpstreamLimits.defaults(), true).open(spec(url));
    }

    private static UpstreamSpec spec(URI url) {
        return new UpstreamSpec(List.of(url), Rig.PKI.caPem(), null, null, null);
    }

    /** A call over one endpoint, whichever would be chosen. */
    private static Recorder call(PooledUpstream upstream, Generation generation, Endpoint endpoint) {
        EventLoop loop = upstream.client().loops().next();
        Recorder answer = new Recorder();
        Call call = new Call(loop, head(HttpMethod.GET, "/short", 0), Upstream.Kind.SHORT, answer, (_, _) -> false);
        loop.execute(() -> {
            generation.lane(loop, endpoint, Upstream.Kind.SHORT).submit(call);
            call.started(null);
        });
        return answer;
    }

    /** Far beyond the time that a test takes. */
    private static final UpstreamFailure REFUSED = Failures.unreached(Kind.CONNECT, "of a test");

    private static void failOften(Endpoint endpoint) {
        fail(endpoint, 6);
    }

    private static void fail(Endpoint endpoint, int times) {
        for (int i = 0; i < times; i++) {
            endpoint.health().notConnected(REFUSED);
        }
    }

    /** The server says that it took nothing, but what of the body is gone cannot be told again. */
    @Test
    void bodyThatWasBegun_isNotSentTwice() {
        AtomicInteger requests = new AtomicInteger();
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                requests.incrementAndGet();
            } else if (piece instanceof HttpContent) {
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
            }
        });
        Recorder answer = new Recorder();
        Exchange exchange = upstream(server, UpstreamLimits.defaults())
                .send(head(HttpMethod.POST, "/", -1), Upstream.Kind.SHORT, null, answer);
        exchange.write(utf8("begun"));

        assertThat(answer.failure())
                .isEqualTo(new UpstreamFailure(Kind.RESET, server.url() + " refused the stream", false));
        assertThat(requests).hasValue(1);
    }

    /** Takes watches and says something at once, so that they are known to stand. */
    private FakeServer watched() {
        return rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                if (request.uri().equals("/short")) {
                    text(ctx, 200, "answer");
                    return;
                }
                ctx.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
                ctx.writeAndFlush(new DefaultHttpContent(utf8("event")));
            }
        });
    }

    private Upstream upstream(FakeServer server, UpstreamLimits limits) {
        return rig.client(limits, true).open(spec(server.url()));
    }

    private static Recorder watch(Upstream upstream) {
        Recorder answer = new Recorder();
        upstream.send(head(HttpMethod.GET, "/watch", 0), Upstream.Kind.LONG_RUNNING, null, answer);
        return answer;
    }
}
