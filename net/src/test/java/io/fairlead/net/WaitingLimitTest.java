package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static io.fairlead.net.Rig.chunked;
import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.spec;
import static io.fairlead.net.Rig.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many calls wait for a connection, how many connections are made for them, and which calls are refused at once. */
final class WaitingLimitTest {
    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @Test
    void callsBeyondThoseThatMayWait_areRefusedAtOnce() {
        FakeServer server = mute();
        Upstream upstream = upstream(server, 128, 128, 3);
        List<Recorder> waiting = List.of(get(upstream, "/1"), get(upstream, "/2"), get(upstream, "/3"));

        assertThat(get(upstream, "/4").failure()).isEqualTo(tooMany(server));

        assertThat(waiting).noneMatch(Recorder::isOver);
    }

    @Test
    void callThatIsGivenUpWhileItWaits_leavesItsPlaceToTheNext() {
        FakeServer server = mute();
        Upstream upstream = upstream(server, 128, 128, 1);
        Recorder first = new Recorder();
        Exchange givenUp = upstream.send(head(HttpMethod.GET, "/1", 0), Upstream.Kind.SHORT, null, first);

        givenUp.cancel();
        Recorder second = get(upstream, "/2");

        assertThat(get(upstream, "/3").failure()).isEqualTo(tooMany(server));
        assertThat(second.isOver()).isFalse();
        assertThat(first.isOver()).isFalse();
    }

    @Test
    void callsThatFailWithTheirDial_leaveTheirPlacesToTheNext() {
        FakeServer server = mute();
        server.refuseConnections();
        Upstream upstream = upstream(server, 128, 128, 2);

        for (int round = 0; round < 3; round++) {
            List<Recorder> waiting = List.of(get(upstream, "/1"), get(upstream, "/2"));

            assertThat(waiting)
                    .allSatisfy(call -> assertThat(call.failure().kind()).isEqualTo(Kind.CONNECT));
        }
    }

    @Test
    void streamsOfHttp1_beyondTheConnectionsForThem_areRefusedUntilOneEnds() {
        FakeServer server = streaming();
        Upstream upstream = upstream(server, 128, 2, 1_000);
        Recorder first = new Recorder();
        Exchange ending = upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, first);
        assertThat(first.status()).isEqualTo(200);
        Recorder second = stream(upstream);
        assertThat(second.status()).isEqualTo(200);

        assertThat(stream(upstream).failure()).isEqualTo(tooMany(server));
        assertThat(server.accepted()).isEqualTo(2);

        ending.cancel();
        eventually(() -> server.connections() == 1);
        eventually(() -> isServed(stream(upstream)));
        assertThat(second.isOver()).isFalse();
    }

    /** No call waits for what may never be free: connections of other upstreams end when these want it. */
    @ParameterizedTest
    @EnumSource(Upstream.Kind.class)
    void callThatNoConnectionIsLeftFor_isRefusedAtOnce_untilOneIsClosed(Upstream.Kind kind) {
        FakeServer server = streaming();
        UpstreamClient client = rig.client(UpstreamLimits.defaults().withConnections(1, 1), true);
        Upstream holding = client.open(spec(server));
        Recorder stream = stream(holding);
        assertThat(stream.status()).isEqualTo(200);
        Upstream other = client.open(spec(server));
        Recorder refused = new Recorder();

        other.send(head(HttpMethod.GET, "/", 0), kind, null, refused);

        assertThat(refused.failure()).isEqualTo(tooMany(server));
        assertThat(server.accepted()).isEqualTo(1);
        holding.close();
        eventually(() -> isServed(stream(other)));
    }

    /** Before the first connection nothing is known of the protocol: over HTTP/2 all of them would have room on it. */
    @Test
    void streamsThatWaitedForTheProtocol_areServedAsFarAsThereAreConnections() {
        FakeServer server = streaming();
        Upstream upstream = upstream(server, 128, 2, 1_000);
        List<Recorder> streams = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            streams.add(stream(upstream));
        }

        eventually(() -> streams.stream().filter(Recorder::isOver).count() == 3);

        List<Recorder> refused = streams.stream().filter(Recorder::isOver).toList();
        assertThat(refused).extracting(Recorder::failure).containsOnly(tooMany(server));
        assertThat(streams)
                .filteredOn(stream -> !stream.isOver())
                .allSatisfy(stream -> assertThat(stream.status()).isEqualTo(200));
        assertThat(server.accepted()).isEqualTo(2);
    }

    @Test
    void shortCallsOfHttp1_beyondTheConnectionsForThem_haveTheirTurn() {
        Queue<ChannelHandlerContext> asked = new ConcurrentLinkedQueue<>();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger atOnceMost = new AtomicInteger();
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                atOnceMost.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                asked.add(ctx);
            }
        });
        Upstream upstream = upstream(server, 2, 2, 1_000);
        List<Recorder> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            calls.add(get(upstream, "/"));
        }

        for (int i = 0; i < 6; i++) {
            eventually(() -> !asked.isEmpty());
            ChannelHandlerContext next = asked.remove();
            next.executor().execute(() -> {
                atOnce.decrementAndGet();
                text(next, 200, "answer");
            });
        }

        assertThat(calls).allSatisfy(call -> assertThat(call.body()).isEqualTo("answer"));
        assertThat(atOnceMost).hasValueLessThanOrEqualTo(2);
        assertThat(server.accepted()).isLessThanOrEqualTo(2);
    }

    /** A dial that fails takes one call with it, and not those whose turn comes round. */
    @Test
    void shortCallsOfHttp1_beyondTheDials_waitForTheConnectionThatStands() throws Exception {
        Queue<ChannelHandlerContext> asked = new ConcurrentLinkedQueue<>();
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof HttpRequest request && request.uri().equals("/held")) {
                asked.add(ctx);
            } else if (piece instanceof HttpRequest) {
                text(ctx, 200, "answer");
            }
        });
        Upstream upstream = upstream(server, 2, 2, 1_000);
        Recorder held = get(upstream, "/held");
        eventually(() -> !asked.isEmpty());
        server.refuseConnections();
        // In one turn of the event loop: the dial cannot fail before all of them wait.
        List<Recorder> waiting = rig.loop()
                .submit(() -> Stream.of("/1", "/2", "/3", "/4")
                        .map(target -> get(upstream, target))
                        .toList())
                .get();
        eventually(() -> waiting.stream().anyMatch(Recorder::isOver));
        assertThat(waiting).filteredOn(Recorder::isOver).hasSize(1);

        ChannelHandlerContext first = asked.remove();
        first.executor().execute(() -> text(first, 200, "late"));

        assertThat(held.body()).isEqualTo("late");
        eventually(() -> waiting.stream().allMatch(Recorder::isOver));
        assertThat(waiting).filteredOn(Recorder::hasHead).isNotEmpty();
    }

    private static boolean isServed(Recorder stream) {
        eventually(() -> stream.isOver() || stream.hasHead());
        return stream.hasHead();
    }

    /** No connection to it is ever ready. */
    private FakeServer mute() {
        FakeServer server = rig.server("h2", FakeServer.WORDLESS);
        server.mute(true);
        return server;
    }

    /** Answers each request over HTTP/1.1 with a head whose body never ends. */
    private FakeServer streaming() {
        return rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            }
        });
    }

    private Upstream upstream(
            FakeServer server, int shortConnectionsMax, int longRunningConnectionsMax, int waitingMax) {
        UpstreamLimits defaults = UpstreamLimits.defaults();
        UpstreamLimits limits = new UpstreamLimits(
                defaults.connectTimeout(),
                // No dial ends while a test looks at who waits for it.
                Duration.ofMinutes(2),
                Duration.ofMinutes(2),
                defaults.idleTimeout(),
                defaults.pingInterval(),
                shortConnectionsMax,
                longRunningConnectionsMax,
                defaults.streamsMax(),
                waitingMax,
                defaults.connectionsMax(),
                defaults.connectionsPerUpstreamMax(),
                defaults.endpoints());
        return rig.client(limits, true).open(spec(server));
    }

    private static Recorder stream(Upstream upstream) {
        Recorder answer = new Recorder();
        upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, answer);
        return answer;
    }

    private static UpstreamFailure tooMany(FakeServer server) {
        return new UpstreamFailure(Kind.OVERLOADED, server.url() + ": too many requests wait for a connection", false);
    }
}
