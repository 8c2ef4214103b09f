package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static io.fairlead.net.Rig.chunked;
import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.spec;
import static io.fairlead.net.Rig.text;
import static io.fairlead.net.Rig.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls to a server that behaves: bodies both ways, held back by who takes them; cancelled and closed. */
final class UpstreamTest {
    private static final int STALLED = 3;

    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void get_isAnswered(String protocol) {
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                text(
                        ctx,
                        200,
                        request.method() + " " + request.uri() + " "
                                + request.headers().get("host"));
            }
        });

        Recorder answer = get(rig.upstream(server), "/api/v1/pods?watch=1&x=%2F");

        assertThat(answer.body())
                .isEqualTo("GET /api/v1/pods?watch=1&x=%2F 127.0.0.1:"
                        + server.address().getPort());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers().toString()).doesNotContain("x-http2", ":status");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void body_isStreamedBothWays(String protocol) {
        FakeServer server = rig.server(protocol, UpstreamTest::echo);
        Recorder answer = new Recorder();

        Exchange exchange =
                rig.upstream(server).send(head(HttpMethod.POST, "/", -1), Upstream.Kind.SHORT, null, answer);
        exchange.write(utf8("one "));
        exchange.write(utf8("two "));
        eventually(() -> answer.soFar().equals("one two "));
        assertThat(answer.isOver()).isFalse();
        exchange.write(utf8("three"));
        exchange.end();

        assertThat(answer.body()).isEqualTo("one two three");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void bodyOfKnownLength_isSentWithIt(String protocol) {
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                text(ctx, 200, String.valueOf(request.headers().get("content-length")));
            }
        });
        Recorder answer = new Recorder();

        Exchange exchange = rig.upstream(server).send(head(HttpMethod.PUT, "/", 4), Upstream.Kind.SHORT, null, answer);
        exchange.write(utf8("four"));
        exchange.end();

        assertThat(answer.body()).isEqualTo("4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void bodyBeyondItsLength_failsAndIsNotSent(String protocol) {
        ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpContent content) {
                seen.add(content.content().toString(StandardCharsets.UTF_8));
            }
        });
        Recorder answer = new Recorder();

        Exchange exchange = rig.upstream(server).send(head(HttpMethod.PUT, "/", 4), Upstream.Kind.SHORT, null, answer);
        exchange.write(utf8("GET /smuggled HTTP/1.1\r\n\r\n"));

        assertThat(answer.failure().kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(String.join("", seen)).doesNotContain("smuggled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void bodyShortOfItsLength_fails(String protocol) {
        FakeServer server = rig.server(protocol, (ctx, piece) -> {});
        Recorder answer = new Recorder();

        Exchange exchange = rig.upstream(server).send(head(HttpMethod.PUT, "/", 4), Upstream.Kind.SHORT, null, answer);
        exchange.write(utf8("one"));
        exchange.end();

        assertThat(answer.failure().kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(answer.failure().message()).isEqualTo("the request's body ended 1 bytes short of its declared 4");
    }

    /** Whoever sends a body hears when to stop, while there is no connection yet as well. */
    @Test
    void bodyWithoutAConnection_isHeldUpTo64KiB() {
        FakeServer server = rig.server("h2", FakeServer.WORDLESS);
        server.mute(true);
        Exchange exchange =
                rig.upstream(server).send(head(HttpMethod.POST, "/", -1), Upstream.Kind.SHORT, null, new Recorder());

        exchange.write(Unpooled.wrappedBuffer(new byte[65_535]));
        eventually(() -> server.accepted() == 1);
        assertThat(exchange.isWritable()).isTrue();
        exchange.write(Unpooled.wrappedBuffer(new byte[1]));

        eventually(() -> !exchange.isWritable());
        exchange.cancel();
    }

    /**
     * The streams of a connection share its window: those that are not read would take all of it. The transport itself makes it
     * larger than one stream's, but not than those of several.
     */
    @Test
    void stalledReaders_holdUpNoNeighbourOfTheirConnection() {
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest request && request.uri().equals("/large")) {
                ctx.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
                ctx.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[1 << 20])));
            } else if (piece instanceof HttpRequest) {
                text(ctx, 200, "answer");
            }
        });
        Upstream upstream = rig.client(withStreams(STALLED + 1), true).open(spec(server));
        List<Recorder> larges = new ArrayList<>();
        List<Exchange> stalled = new ArrayList<>();
        for (int i = 0; i < STALLED; i++) {
            Recorder large = new Recorder();
            Exchange exchange = upstream.send(head(HttpMethod.GET, "/large", 0), Upstream.Kind.SHORT, null, large);
            exchange.reading(false);
            larges.add(large);
            stalled.add(exchange);
        }
        // With the heads the server has sent of the bodies what it may.
        larges.forEach(large -> assertThat(large.status()).isEqualTo(200));

        assertThat(get(upstream, "/small").body()).isEqualTo("answer");
        assertThat(server.accepted()).isEqualTo(1);
        assertThat(larges).allSatisfy(large -> assertThat(large.bytes).hasValue(0));
        assertThat(larges).allSatisfy(large -> assertThat(large.waitingBytes).hasValue(256 * 1024));
        stalled.forEach(exchange -> exchange.reading(true));
        eventually(() -> larges.stream().allMatch(large -> large.bytes.get() == 1 << 20));
        assertThat(larges).allSatisfy(large -> assertThat(large.waitingBytes).hasValue(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void hopByHopHeaders_stayOnTheirHop(String protocol) {
        CompletableFuture<HttpRequest> received = new CompletableFuture<>();
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                received.complete(request);
                text(ctx, 200, "");
            }
        });
        MutableFields fields = new MutableFields()
                .add("Connection", "X-Mine, keep-alive")
                .add("X-Mine", "1")
                .add("X-Other", "2")
                .add("Expect", "100-continue");
        RequestHead head = new RequestHead(HttpMethod.GET, "/", fields.toFields(), 0);
        Recorder answer = new Recorder();
        rig.upstream(server).send(head, Upstream.Kind.SHORT, null, answer);

        answer.body();
        assertThat(received.join().headers().contains("x-mine")).isFalse();
        assertThat(received.join().headers().contains("expect")).isFalse();
        assertThat(received.join().headers().get("x-other")).isEqualTo("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void stalledReader_holdsTheServerUp(String protocol) {
        AtomicInteger written = new AtomicInteger();
        int pieces = 1_000; // 16 MB: more than the buffers of loopback sockets hold
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                ctx.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
                writeMany(ctx, pieces, written);
            }
        });
        Recorder answer = new Recorder();
        Exchange exchange = rig.upstream(server).send(head(HttpMethod.GET, "/", 0), Upstream.Kind.SHORT, null, answer);
        exchange.reading(false);
        answerStalls(answer, written, pieces);

        exchange.reading(true);

        answer.body();
        assertThat(answer.bytes.get()).isEqualTo(pieces * 16_384L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void slowServer_makesTheExchangeUnwritable(String protocol) {
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.channel().config().setAutoRead(false);
            }
        });
        Recorder answer = new Recorder();
        Exchange exchange =
                rig.upstream(server).send(head(HttpMethod.POST, "/", -1), Upstream.Kind.SHORT, null, answer);

        long written = 0;
        while (exchange.isWritable()) {
            exchange.write(Unpooled.wrappedBuffer(new byte[16_384]));
            written += 16_384;
            assertThat(written).isLessThan(64L << 20);
            LockSupport.parkNanos(1_000_000);
        }
        exchange.cancel();

        assertThat(written).isGreaterThan(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void cancel_isSeenByTheServer_andHeardByNobody(String protocol) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.channel().closeFuture().addListener(closed -> gone.complete(null));
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            }
        });
        Recorder watch = new Recorder();
        Exchange exchange =
                rig.upstream(server).send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, watch);
        assertThat(watch.status()).isEqualTo(200);

        exchange.cancel();

        gone.join();
        assertThat(watch.isOver()).isFalse();
    }

    @Test
    void close_failsWhatIsUnderWay() {
        FakeServer server = rig.server("h2", (ctx, piece) -> {});
        Upstream upstream = rig.upstream(server);
        Recorder answer = get(upstream, "/");
        eventually(() -> server.accepted() == 1);

        upstream.close();

        assertThat(answer.failure().kind()).isEqualTo(Kind.CLOSED);
        assertThat(get(upstream, "/").failure().kind()).isEqualTo(Kind.CLOSED);
    }

    private static UpstreamLimits withStreams(int streamsMax) {
        UpstreamLimits defaults = UpstreamLimits.defaults();
        return new UpstreamLimits(
                defaults.connectTimeout(),
                defaults.tlsTimeout(),
                defaults.firstByteTimeout(),
                defaults.idleTimeout(),
                defaults.pingInterval(),
                defaults.shortConnectionsMax(),
                defaults.longRunningConnectionsMax(),
                streamsMax,
                defaults.waitingMax(),
                defaults.connectionsMax(),
                defaults.connectionsPerUpstreamMax(),
                defaults.endpoints());
    }

    private static void echo(ChannelHandlerContext ctx, HttpObject piece) {
        if (piece instanceof HttpRequest) {
            ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
        }
        if (piece instanceof HttpContent content && content.content().isReadable()) {
            ctx.writeAndFlush(new DefaultHttpContent(content.content().retain()));
        }
        if (piece instanceof LastHttpContent) {
            ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
        }
    }

    /** Writes while there is room, goes on when there is room again. */
    private static void writeMany(ChannelHandlerContext ctx, int pieces, AtomicInteger written) {
        if (written.get() == pieces) {
            ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
            return;
        }
        ctx.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[16_384])))
                .addListener(sent -> {
                    if (sent.isSuccess()) {
                        written.incrementAndGet();
                        ctx.executor().execute(() -> writeMany(ctx, pieces, written));
                    }
                });
    }

    /** Without back-pressure everything would be written: so much fits into no socket buffer. */
    private static void answerStalls(Recorder answer, AtomicInteger written, int pieces) {
        eventually(() -> written.get() > 0);
        int before = -1;
        long quietSince = System.nanoTime();
        while (System.nanoTime() - quietSince < TimeUnit.MILLISECONDS.toNanos(300)) {
            if (written.get() != before) {
                before = written.get();
                quietSince = System.nanoTime();
            }
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(written.get()).isLessThan(pieces);
        assertThat(answer.isOver()).isFalse();
    }
}
