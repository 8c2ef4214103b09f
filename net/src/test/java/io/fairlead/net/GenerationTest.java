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
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of connections and calls when an upstream is reconfigured or closed, and that each connection is counted. */
final class GenerationTest {
    private final Rig rig = new Rig();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @ParameterizedTest
    @EnumSource(Upstream.Kind.class)
    void callThatWaitsForAConnection_goesOverTheNewConfiguration(Upstream.Kind kind) {
        FakeServer old = mute();
        FakeServer young = serving("h2");
        Upstream upstream = counted(old);
        Recorder waiting = send(upstream, kind, "/");
        eventually(() -> old.accepted() == 1);

        upstream.reconfigure(spec(young));

        assertThat(waiting.body()).isEqualTo("answer");
        eventually(() -> endingCount(upstream) == 0);
        eventually(() -> old.connections() == 0);
    }

    @Test
    void callThatWaitsForAConnection_hearsThatItsUpstreamIsClosed() {
        FakeServer server = mute();
        Upstream upstream = counted(server);
        Recorder waiting = get(upstream, "/");
        eventually(() -> server.accepted() == 1);

        upstream.close();

        assertThat(waiting.failure())
                .isEqualTo(new UpstreamFailure(Kind.CLOSED, "the cluster is no longer registered", false));
        eventually(() -> server.connections() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void connectionOfAnOldConfiguration_endsWithItsCallsAndServesNoOther(String protocol) {
        FakeServer old = serving(protocol);
        FakeServer young = serving(protocol);
        Upstream upstream = counted(old);
        Recorder watch = new Recorder();
        Exchange exchange = upstream.send(head(HttpMethod.GET, "/held", 0), Upstream.Kind.LONG_RUNNING, null, watch);
        assertThat(watch.status()).isEqualTo(200);
        assertThat(get(upstream, "/").body()).isEqualTo("answer");

        upstream.reconfigure(spec(young));

        // The one that serves nothing goes at once, the other with what it serves.
        eventually(() -> old.connections() == 1);
        assertThat(endingCount(upstream)).isEqualTo(1);
        assertThat(send(upstream, Upstream.Kind.LONG_RUNNING, "/").body()).isEqualTo("answer");
        assertThat(old.accepted()).isEqualTo(2);
        assertThat(watch.isOver()).isFalse();

        exchange.cancel();
        eventually(() -> old.connections() == 0);
        eventually(() -> endingCount(upstream) == 0);
    }

    /** A call may have chosen the old configuration in the moment in which that was retired. */
    @Test
    void poolThatIsMadeTooLateToBeRetired_handsItsCallOn_andDoesNotKeepItsConfiguration() throws Exception {
        FakeServer young = serving("h2");
        PooledUpstream upstream = (PooledUpstream) counted(young);
        Generation old = new Generation(upstream, spec(mute()), null);
        EventLoop loop = rig.loop();
        EndpointPool known = old.lane(loop, Rig.chosen(old), Upstream.Kind.LONG_RUNNING);
        Recorder waiting = new Recorder();
        Recorder late = new Recorder();
        loop.submit(() -> {
                    submit(loop, known, waiting, Upstream.Kind.LONG_RUNNING);
                    old.retire();
                    submit(loop, old.lane(loop, Rig.chosen(old), Upstream.Kind.SHORT), late, Upstream.Kind.SHORT);
                })
                .get(20, TimeUnit.SECONDS);

        assertThat(late.body()).isEqualTo("answer");
        assertThat(waiting.body()).isEqualTo("answer");
        AtomicInteger pools = new AtomicInteger();
        old.onEachLane(_ -> pools.incrementAndGet());
        loop.submit(() -> {}).get(20, TimeUnit.SECONDS);
        assertThat(pools).as("pools that the old configuration keeps").hasValue(0);
    }

    private static void submit(EventLoop loop, EndpointPool pool, Recorder answer, Upstream.Kind kind) {
        Call call = new Call(loop, head(HttpMethod.GET, "/", 0), kind, answer, (_, _) -> false);
        pool.submit(call);
        call.started(null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void connections_areCountedByTheirProtocol(String protocol) {
        FakeServer server = serving(protocol);
        Upstream upstream = counted(server);
        assertThat(get(upstream, "/").body()).isEqualTo("answer");
        assertThat(told).containsExactly("opened " + protocol);

        upstream.close();

        eventually(() -> told.size() == 2);
        assertThat(told).containsExactly("opened " + protocol, "closed " + protocol);
    }

    private Upstream counted(FakeServer server) {
        return rig.client(UpstreamLimits.defaults(), true).open(spec(server), new ConnectionMetrics() {
            @Override
            public void opened(String protocol) {
                told.add("opened " + protocol);
            }

            @Override
            public void closed(String protocol) {
                told.add("closed " + protocol);
            }
        });
    }

    /** No connection to it is ever ready. */
    private FakeServer mute() {
        FakeServer server = rig.server("h2", FakeServer.WORDLESS);
        server.mute(true);
        return server;
    }

    /** Answers all but {@code /held}, of which it sends the head alone. */
    private FakeServer serving(String protocol) {
        return rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request && request.uri().equals("/held")) {
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            } else if (piece instanceof HttpRequest) {
                text(ctx, 200, "answer");
            }
        });
    }

    private static int endingCount(Upstream upstream) {
        return ((PooledUpstream) upstream).endingCount();
    }

    private static Recorder send(Upstream upstream, Upstream.Kind kind, String target) {
        Recorder answer = new Recorder();
        upstream.send(head(HttpMethod.GET, target, 0), kind, null, answer);
        return answer;
    }
}
