package io.fairlead.net;

import static io.fairlead.net.Rig.chunked;
import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.raw;
import static io.fairlead.net.Rig.spec;
import static io.fairlead.net.Rig.text;
import static io.fairlead.net.Rig.unusedUrl;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which connection a call goes over, and which one no call goes over again. */
final class ReuseTest {
    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @Test
    void refusedStream_isSentOnceMore() {
        AtomicInteger requests = new AtomicInteger();
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                if (requests.incrementAndGet() == 1) {
                    ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
                } else {
                    text(ctx, 200, "second");
                }
            }
        });

        assertThat(get(rig.upstream(server), "/").body()).isEqualTo("second");
    }

    @Test
    void streamRefusedTwice_fails() {
        AtomicInteger requests = new AtomicInteger();
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                requests.incrementAndGet();
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
            }
        });

        assertThat(get(rig.upstream(server), "/").failure().requestReached()).isFalse();
        assertThat(requests).hasValue(2);
    }

    @Test
    void goAway_movesNewCallsToANewConnection() {
        AtomicInteger requests = new AtomicInteger();
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                if (requests.incrementAndGet() == 1) {
                    ctx.channel().parent().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
                }
                text(ctx, 200, "answer");
            }
        });
        Upstream upstream = rig.upstream(server);

        assertThat(get(upstream, "/").body()).isEqualTo("answer");
        assertThat(get(upstream, "/").body()).isEqualTo("answer");
        assertThat(server.accepted()).isEqualTo(2);
    }

    @Test
    void peersStreamLimit_opensAnotherConnection() {
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(2);
        FakeServer server = rig.opened(new FakeServer(Rig.PKI.forLoopback(), "h2", settings, "", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            }
        }));
        Upstream upstream = rig.upstream(server);

        for (int i = 0; i < 5; i++) {
            Recorder watch = new Recorder();
            upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, watch);
            assertThat(watch.status()).isEqualTo(200);
        }

        assertThat(server.accepted()).isEqualTo(3);
    }

    @Test
    void shortCallsAndWatches_useSeparateConnections() {
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "");
            }
        });
        Upstream upstream = rig.upstream(server);

        get(upstream, "/").body();
        Recorder watch = new Recorder();
        upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, watch);
        watch.body();
        get(upstream, "/").body();

        assertThat(server.accepted()).isEqualTo(2);
    }

    @Test
    void listsAndShortCalls_useSeparateConnections_overHttp2Alone() {
        FakeServer h2 = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "");
            }
        });
        FakeServer h1 = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                text(ctx, 200, "");
            }
        });

        for (FakeServer server : List.of(h2, h1)) {
            Upstream upstream = rig.upstream(server);
            get(upstream, "/").body();
            Recorder list = new Recorder();
            upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LIST, null, list);
            list.body();
            get(upstream, "/").body();
        }

        assertThat(h2.accepted()).isEqualTo(2);
        assertThat(h1.accepted()).isEqualTo(1);
    }

    @Test
    void lists_shareTheConnectionsOfShortCalls_whereThereMayBeNoOther() {
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "answer");
            }
        });
        Upstream upstream = rig.client(UpstreamLimits.defaults().withConnections(1, 1), true)
                .open(spec(server));

        assertThat(get(upstream, "/").body()).isEqualTo("answer");
        Recorder list = new Recorder();
        upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LIST, null, list);

        assertThat(list.body()).isEqualTo("answer");
        assertThat(server.accepted()).isEqualTo(1);
    }

    @Test
    void lastConnections_areNotDialledAhead() {
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(8);
        FakeServer server = rig.opened(new FakeServer(Rig.PKI.forLoopback(), "h2", settings, "", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            }
        }));
        Upstream upstream = rig.client(UpstreamLimits.defaults().withConnections(1, 1), true)
                .open(spec(server));

        for (int i = 0; i < 8; i++) {
            watch(upstream);
        }

        assertThat(server.accepted()).isEqualTo(1);
    }

    @Test
    void nextConnection_isThereBeforeTheLastOneIsFull() {
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(8);
        FakeServer server = rig.opened(new FakeServer(Rig.PKI.forLoopback(), "h2", settings, "", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            }
        }));
        Upstream upstream = rig.upstream(server);

        for (int i = 0; i < 6; i++) {
            watch(upstream);
        }
        assertThat(server.accepted()).isEqualTo(1);
        watch(upstream);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (server.accepted() < 2 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        watch(upstream);
        watch(upstream);

        assertThat(server.accepted()).isEqualTo(2);
    }

    private static void watch(Upstream upstream) {
        Recorder watch = new Recorder();
        upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, watch);
        assertThat(watch.status()).isEqualTo(200);
    }

    @Test
    void connection_isUsedAgain() {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                text(ctx, 200, "x");
            }
        });
        Upstream upstream = rig.upstream(server);

        for (int i = 0; i < 5; i++) {
            assertThat(get(upstream, "/").body()).isEqualTo("x");
        }

        assertThat(server.accepted()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxEXTRA",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx",
                "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx"
            })
    void connectionWithAnOddAnswer_isNotUsedAgain(String oddAnswer) {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, oddAnswer);
            }
        });
        Upstream upstream = rig.upstream(server);

        assertThat(get(upstream, "/").body()).isEqualTo("x");
        assertThat(get(upstream, "/").body()).isEqualTo("x");
        assertThat(server.accepted()).isEqualTo(2);
    }

    @Test
    void connectionWithAnEarlyAnswer_isNotUsedAgain() {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 413, "");
            }
        });
        Upstream upstream = rig.upstream(server);
        Recorder early = new Recorder();
        upstream.send(head(HttpMethod.POST, "/", 100), Upstream.Kind.SHORT, null, early);

        early.body();
        get(upstream, "/").body();

        assertThat(early.status()).isEqualTo(413);
        assertThat(server.accepted()).isEqualTo(2);
    }

    @Test
    void reconfigure_keepsOpenWatches_andUsesTheNewEndpoint() {
        FakeServer old = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            }
        });
        FakeServer young = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "young");
            }
        });
        Upstream upstream = rig.upstream(old);
        Recorder watch = new Recorder();
        upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, watch);
        assertThat(watch.status()).isEqualTo(200);

        upstream.reconfigure(spec(young));

        assertThat(get(upstream, "/").body()).isEqualTo("young");
        assertThat(watch.isOver()).isFalse();
        upstream.close();
        assertThat(watch.failure().kind()).isEqualTo(Kind.CLOSED);
    }

    @Test
    void deadEndpoint_isWalkedRoundOnce() throws IOException {
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "alive");
            }
        });
        UpstreamSpec both = new UpstreamSpec(List.of(unusedUrl(), server.url()), Rig.PKI.caPem(), null, null, null);
        Upstream upstream = rig.client(UpstreamLimits.defaults(), true).open(both);

        for (int i = 0; i < 4; i++) {
            assertThat(get(upstream, "/").body()).isEqualTo("alive");
        }
    }
}
