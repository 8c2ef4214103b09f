package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static io.fairlead.net.Rig.chunked;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.spec;
import static io.fairlead.net.Rig.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of the calls that wait when no further connection comes about while another one stands. */
final class FailedDialTest {
    private static final int WATCHES = 240;
    private static final int SHORT_CALLS = 50;

    /** Why the connection that stands takes no further call. */
    enum Standing {
        FULL,
        LEAVING
    }

    /** What meets who asks for another connection. */
    enum Door {
        REFUSES,
        IS_MUTE
    }

    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @ParameterizedTest
    @CsvSource({"FULL,REFUSES", "FULL,IS_MUTE", "LEAVING,REFUSES", "LEAVING,IS_MUTE"})
    void everyCallThatWaits_isAnswered(Standing standing, Door door) {
        FakeServer server = server(standing);
        Upstream upstream = upstream(server);
        Recorder oldWatch = held(upstream, Upstream.Kind.LONG_RUNNING);
        Recorder oldCall = held(upstream, Upstream.Kind.SHORT);
        shut(server, door);

        List<Recorder> waiting = new ArrayList<>();
        for (int i = 0; i < WATCHES; i++) {
            waiting.add(send(upstream, Upstream.Kind.LONG_RUNNING));
        }
        for (int i = 0; i < SHORT_CALLS; i++) {
            waiting.add(send(upstream, Upstream.Kind.SHORT));
        }

        eventually(() -> waiting.stream().allMatch(Recorder::isOver));
        assertThat(waiting)
                .allSatisfy(call -> assertThat(call.failure().requestReached()).isFalse());
        assertThat(oldWatch.isOver()).isFalse();
        assertThat(oldCall.isOver()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Standing.class)
    void watchesThatWaitedForADial_hearWhyItFailed(Standing standing) {
        FakeServer server = server(standing);
        Upstream upstream = upstream(server);
        held(upstream, Upstream.Kind.LONG_RUNNING);
        server.refuseConnections();

        List<Recorder> waiting = List.of(
                send(upstream, Upstream.Kind.LONG_RUNNING),
                send(upstream, Upstream.Kind.LONG_RUNNING),
                send(upstream, Upstream.Kind.LONG_RUNNING));

        eventually(() -> waiting.stream().allMatch(Recorder::isOver));
        assertThat(waiting)
                .extracting(Recorder::failure)
                .containsOnly(new UpstreamFailure(Kind.CONNECT, server.url() + " refuses connections", false));
    }

    @Test
    void serverThatTakesConnectionsAgain_isReached() {
        FakeServer server = server(Standing.FULL);
        Upstream upstream = upstream(server);
        held(upstream, Upstream.Kind.LONG_RUNNING);
        server.mute(true);
        assertThat(send(upstream, Upstream.Kind.LONG_RUNNING).failure().kind()).isEqualTo(Kind.TIMEOUT);

        server.mute(false);

        assertThat(send(upstream, Upstream.Kind.LONG_RUNNING).status()).isEqualTo(200);
    }

    /** Else each connection would be followed by the next, without end. */
    @ParameterizedTest
    @EnumSource(Upstream.Kind.class)
    void serverThatAllowsNoStreams_isConnectedToOnce(Upstream.Kind kind) {
        FakeServer server = rig.opened(new FakeServer(
                Rig.PKI.forLoopback(),
                "h2",
                Http2Settings.defaultSettings().maxConcurrentStreams(0),
                "",
                (ctx, piece) -> {}));
        Recorder answer = send(upstream(server), kind);

        assertThat(answer.failure())
                .isEqualTo(new UpstreamFailure(
                        Kind.OVERLOADED, server.url() + " allows no streams on a new HTTP/2 connection", false));
        eventually(() -> server.connections() == 0);
        assertThat(server.accepted()).isEqualTo(1);
    }

    /** Short calls over HTTP/1.1 have their turn on a connection that comes free. */
    @Test
    void shortCallsOfHttp1_waitForTheConnectionThatStands() {
        List<ChannelHandlerContext> asked = new CopyOnWriteArrayList<>();
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                if (request.uri().equals("/held")) {
                    asked.add(ctx);
                } else {
                    text(ctx, 200, "answer");
                }
            }
        });
        Upstream upstream = upstream(server);
        Recorder first = new Recorder();
        upstream.send(head(HttpMethod.GET, "/held", 0), Upstream.Kind.SHORT, null, first);
        eventually(() -> asked.size() == 1);
        server.refuseConnections();
        List<Recorder> waiting = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            waiting.add(send(upstream, Upstream.Kind.SHORT));
        }

        asked.getFirst().executor().execute(() -> text(asked.getFirst(), 200, "late"));

        assertThat(first.body()).isEqualTo("late");
        eventually(() -> waiting.stream().allMatch(Recorder::isOver));
    }

    /** A server whose first stream on a connection is answered with a head alone, and then nothing more is taken. */
    private FakeServer server(Standing standing) {
        Http2Settings settings = Http2Settings.defaultSettings();
        if (standing == Standing.FULL) {
            settings.maxConcurrentStreams(1);
        }
        return rig.opened(
                new FakeServer(Rig.PKI.forLoopback(), "h2", settings, "", (ctx, piece) -> hold(ctx, piece, standing)));
    }

    private static void hold(ChannelHandlerContext ctx, HttpObject piece, Standing standing) {
        if (!(piece instanceof HttpRequest)) {
            return;
        }
        if (standing == Standing.LEAVING) {
            // Ahead of the head: who has the head knows that the connection leaves.
            ctx.channel().parent().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
        }
        ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
    }

    private Upstream upstream(FakeServer server) {
        // One that is mute is given up soon; one that answers has time enough on any machine.
        UpstreamLimits limits = UpstreamLimits.defaults().withTlsTimeout(Duration.ofSeconds(2));
        return rig.client(limits, true).open(spec(server));
    }

    private static Recorder held(Upstream upstream, Upstream.Kind kind) {
        Recorder held = send(upstream, kind);
        assertThat(held.status()).isEqualTo(200);
        return held;
    }

    private static Recorder send(Upstream upstream, Upstream.Kind kind) {
        Recorder answer = new Recorder();
        upstream.send(head(HttpMethod.GET, "/", 0), kind, null, answer);
        return answer;
    }

    private static void shut(FakeServer server, Door door) {
        switch (door) {
            case REFUSES -> server.refuseConnections();
            case IS_MUTE -> server.mute(true);
        }
    }
}
