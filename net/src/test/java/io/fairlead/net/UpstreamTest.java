package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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

/** The client against servers that behave, and that do not. */
final class UpstreamTest {
    private static final Pki PKI = new Pki();

    private final EventLoopGroup loops = Transport.preferred().newGroup(1, "test");
    private final List<AutoCloseable> closing = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : closing.reversed()) {
            one.close();
        }
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void get_isAnswered(String protocol) {
        FakeServer server = server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                text(
                        ctx,
                        200,
                        request.method() + " " + request.uri() + " "
                                + request.headers().get("host"));
            }
        });

        Recorder answer = get(upstream(server), "/api/v1/pods?watch=1&x=%2F");

        assertThat(answer.body())
                .isEqualTo("GET /api/v1/pods?watch=1&x=%2F 127.0.0.1:"
                        + server.address().getPort());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.headers().names()).noneMatch(name -> name.startsWith("x-http2"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void body_isStreamedBothWays(String protocol) {
        FakeServer server = server(protocol, UpstreamTest::echo);
        Recorder answer = new Recorder();

        Exchange exchange = upstream(server).send(head(HttpMethod.POST, "/", -1), Upstream.Kind.SHORT, null, answer);
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
        FakeServer server = server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                text(ctx, 200, String.valueOf(request.headers().get("content-length")));
            }
        });
        Recorder answer = new Recorder();

        Exchange exchange = upstream(server).send(head(HttpMethod.PUT, "/", 4), Upstream.Kind.SHORT, null, answer);
        exchange.write(utf8("four"));
        exchange.end();

        assertThat(answer.body()).isEqualTo("4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void bodyBeyondItsLength_failsAndIsNotSent(String protocol) {
        ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
        FakeServer server = server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpContent content) {
                seen.add(content.content().toString(StandardCharsets.UTF_8));
            }
        });
        Recorder answer = new Recorder();

        Exchange exchange = upstream(server).send(head(HttpMethod.PUT, "/", 4), Upstream.Kind.SHORT, null, answer);
        exchange.write(utf8("GET /smuggled HTTP/1.1\r\n\r\n"));

        assertThat(answer.failure().kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(String.join("", seen)).doesNotContain("smuggled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void hopByHopHeaders_stayOnTheirHop(String protocol) {
        CompletableFuture<HttpRequest> received = new CompletableFuture<>();
        FakeServer server = server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request) {
                received.complete(request);
                text(ctx, 200, "");
            }
        });
        RequestHead head = head(HttpMethod.GET, "/", 0);
        head.headers()
                .add("Connection", "X-Mine, keep-alive")
                .add("X-Mine", "1")
                .add("X-Other", "2")
                .add("Expect", "100-continue");
        Recorder answer = new Recorder();
        upstream(server).send(head, Upstream.Kind.SHORT, null, answer);

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
        FakeServer server = server(protocol, (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                ctx.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
                writeMany(ctx, pieces, written);
            }
        });
        Recorder answer = new Recorder();
        Exchange exchange = upstream(server).send(head(HttpMethod.GET, "/", 0), Upstream.Kind.SHORT, null, answer);
        exchange.reading(false);
        answerStalls(answer, written, pieces);

        exchange.reading(true);

        answer.body();
        assertThat(answer.bytes.get()).isEqualTo(pieces * 16_384L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void slowServer_makesTheExchangeUnwritable(String protocol) {
        FakeServer server = server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.channel().config().setAutoRead(false);
            }
        });
        Recorder answer = new Recorder();
        Exchange exchange = upstream(server).send(head(HttpMethod.POST, "/", -1), Upstream.Kind.SHORT, null, answer);

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

    @Test
    void answerThatEndsEarly_isAFailure() {
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").addListener(sent -> ctx.close());
            }
        });

        Recorder answer = get(upstream(server), "/");

        assertThat(answer.failure().kind()).isEqualTo(Kind.RESET);
        assertThat(answer.failure().requestReached()).isTrue();
        assertThat(answer.soFar()).isEqualTo("half");
    }

    @Test
    void chunkedAnswerThatEndsEarly_isAFailure() {
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
                        .addListener(sent -> ctx.close());
            }
        });

        assertThat(get(upstream(server), "/").failure().kind()).isEqualTo(Kind.RESET);
    }

    @Test
    void answerEndedByClosing_isComplete() {
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 200 OK\r\n\r\nall").addListener(sent -> ctx.close());
            }
        });

        assertThat(get(upstream(server), "/").body()).isEqualTo("all");
    }

    @Test
    void resetStream_isAFailure() {
        FakeServer server = server("h2", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
            }
        });

        Recorder answer = get(upstream(server), "/");

        assertThat(answer.failure().kind()).isEqualTo(Kind.RESET);
        assertThat(answer.failure().message()).contains("INTERNAL_ERROR");
    }

    @Test
    void refusedStream_isSentOnceMore() {
        AtomicInteger requests = new AtomicInteger();
        FakeServer server = server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                if (requests.incrementAndGet() == 1) {
                    ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
                } else {
                    text(ctx, 200, "second");
                }
            }
        });

        assertThat(get(upstream(server), "/").body()).isEqualTo("second");
    }

    @Test
    void streamRefusedTwice_fails() {
        AtomicInteger requests = new AtomicInteger();
        FakeServer server = server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                requests.incrementAndGet();
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
            }
        });

        assertThat(get(upstream(server), "/").failure().requestReached()).isFalse();
        assertThat(requests).hasValue(2);
    }

    @Test
    void goAway_movesNewCallsToANewConnection() {
        AtomicInteger requests = new AtomicInteger();
        FakeServer server = server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                if (requests.incrementAndGet() == 1) {
                    ctx.channel().parent().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
                }
                text(ctx, 200, "answer");
            }
        });
        Upstream upstream = upstream(server);

        assertThat(get(upstream, "/").body()).isEqualTo("answer");
        assertThat(get(upstream, "/").body()).isEqualTo("answer");
        assertThat(server.accepted()).isEqualTo(2);
    }

    @Test
    void peersStreamLimit_opensAnotherConnection() {
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(2);
        FakeServer server = opened(new FakeServer(PKI.forLoopback(), "h2", settings, "", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            }
        }));
        Upstream upstream = upstream(server);

        for (int i = 0; i < 5; i++) {
            Recorder watch = new Recorder();
            upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, watch);
            assertThat(watch.status()).isEqualTo(200);
        }

        assertThat(server.accepted()).isEqualTo(3);
    }

    @Test
    void shortCallsAndWatches_useSeparateConnections() {
        FakeServer server = server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "");
            }
        });
        Upstream upstream = upstream(server);

        get(upstream, "/").body();
        Recorder watch = new Recorder();
        upstream.send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, watch);
        watch.body();
        get(upstream, "/").body();

        assertThat(server.accepted()).isEqualTo(2);
    }

    @Test
    void connection_isUsedAgain() {
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                text(ctx, 200, "x");
            }
        });
        Upstream upstream = upstream(server);

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
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, oddAnswer);
            }
        });
        Upstream upstream = upstream(server);

        assertThat(get(upstream, "/").body()).isEqualTo("x");
        assertThat(get(upstream, "/").body()).isEqualTo("x");
        assertThat(server.accepted()).isEqualTo(2);
    }

    @Test
    void connectionWithAnEarlyAnswer_isNotUsedAgain() {
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 413, "");
            }
        });
        Upstream upstream = upstream(server);
        Recorder early = new Recorder();
        upstream.send(head(HttpMethod.POST, "/", 100), Upstream.Kind.SHORT, null, early);

        early.body();
        get(upstream, "/").body();

        assertThat(early.status()).isEqualTo(413);
        assertThat(server.accepted()).isEqualTo(2);
    }

    @Test
    void answerThatIsNotHttp_isAFailure() {
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "220 mail.example.com ESMTP\r\n");
            }
        });

        assertThat(get(upstream(server), "/").failure().kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void answerWithTwoFramings_isAFailure() {
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, """
                    HTTP/1.1 200 OK\r
                    Content-Length: 9\r
                    Transfer-Encoding: chunked\r
                    \r
                    1\r
                    x\r
                    0\r
                    \r
                    """);
            }
        });

        assertThat(get(upstream(server), "/").failure().kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void interimAnswers_areWaitedThrough() {
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
            }
        });

        assertThat(get(upstream(server), "/").body()).isEqualTo("x");
    }

    @Test
    void endlessInterimAnswers_areAFailure() {
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 102 Processing\r\n\r\n".repeat(9));
            }
        });

        assertThat(get(upstream(server), "/").failure().kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void answerToHead_hasNoBody() {
        FakeServer server = server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
            }
        });
        Upstream upstream = upstream(server);

        for (int i = 0; i < 2; i++) {
            Recorder answer = new Recorder();
            upstream.send(head(HttpMethod.HEAD, "/", 0), Upstream.Kind.SHORT, null, answer);
            assertThat(answer.body()).isEmpty();
            assertThat(answer.headers().get("content-length")).isEqualTo("1000");
        }
        assertThat(server.accepted()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void silentServer_timesAShortCallOut(String protocol) {
        FakeServer server = server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest request && request.uri().equals("/connect")) {
                text(ctx, 200, "connected");
            }
        });
        UpstreamLimits limits = UpstreamLimits.defaults().withFirstByteTimeout(Duration.ofSeconds(2));
        Upstream upstream = client(limits, true).open(spec(server));
        assertThat(get(upstream, "/connect").status()).isEqualTo(200);

        UpstreamFailure failure = get(upstream, "/").failure();

        assertThat(failure.kind()).isEqualTo(Kind.TIMEOUT);
        assertThat(failure.requestReached()).isTrue();
        assertThat(failure.message()).contains("2 s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void cancel_isSeenByTheServer_andHeardByNobody(String protocol) {
        CompletableFuture<Void> gone = new CompletableFuture<>();
        FakeServer server = server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.channel().closeFuture().addListener(closed -> gone.complete(null));
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            }
        });
        Recorder watch = new Recorder();
        Exchange exchange =
                upstream(server).send(head(HttpMethod.GET, "/", 0), Upstream.Kind.LONG_RUNNING, null, watch);
        assertThat(watch.status()).isEqualTo(200);

        exchange.cancel();

        gone.join();
        assertThat(watch.isOver()).isFalse();
    }

    @Test
    void close_failsWhatIsUnderWay() {
        FakeServer server = server("h2", (ctx, piece) -> {});
        Upstream upstream = upstream(server);
        Recorder answer = get(upstream, "/");
        eventually(() -> server.accepted() == 1);

        upstream.close();

        assertThat(answer.failure().kind()).isEqualTo(Kind.CLOSED);
        assertThat(get(upstream, "/").failure().kind()).isEqualTo(Kind.CLOSED);
    }

    @Test
    void reconfigure_keepsOpenWatches_andUsesTheNewEndpoint() {
        FakeServer old = server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            }
        });
        FakeServer young = server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "young");
            }
        });
        Upstream upstream = upstream(old);
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
        FakeServer server = server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "alive");
            }
        });
        UpstreamSpec both = new UpstreamSpec(List.of(unusedUrl(), server.url()), PKI.caPem(), null, null, null);
        Upstream upstream = client(UpstreamLimits.defaults(), true).open(both);

        for (int i = 0; i < 4; i++) {
            assertThat(get(upstream, "/").body()).isEqualTo("alive");
        }
    }

    @Test
    void refusedConnection_isTold() throws IOException {
        URI url = unusedUrl();
        Upstream upstream = client(UpstreamLimits.defaults(), true)
                .open(new UpstreamSpec(List.of(url), PKI.caPem(), null, null, null));

        assertThat(get(upstream, "/").failure())
                .isEqualTo(new UpstreamFailure(Kind.CONNECT, url + " refuses connections", false));
    }

    @Test
    void certificateForAnotherName_isTold() {
        FakeServer server = opened(new FakeServer(PKI.forName("kube.internal"), "h2", (ctx, piece) -> {}));

        UpstreamFailure failure = get(upstream(server), "/").failure();

        assertThat(failure)
                .isEqualTo(new UpstreamFailure(
                        Kind.CERTIFICATE,
                        server.url() + " presents a certificate for \"kube.internal\", which is not the host asked for",
                        false));
    }

    @Test
    void tlsServerName_isTheNameTheCertificateMustBeFor() {
        FakeServer server = opened(new FakeServer(PKI.forName("kube.internal"), "h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                text(ctx, 200, "ok");
            }
        }));
        UpstreamSpec named = new UpstreamSpec(List.of(server.url()), PKI.caPem(), "kube.internal", null, null);

        assertThat(get(client(UpstreamLimits.defaults(), true).open(named), "/").body())
                .isEqualTo("ok");
    }

    @Test
    void certificateOfAnotherCa_isTold() {
        FakeServer server = opened(new FakeServer(new Pki().forLoopback(), "h2", (ctx, piece) -> {}));

        UpstreamFailure failure = get(upstream(server), "/").failure();

        assertThat(failure.kind()).isEqualTo(Kind.CERTIFICATE);
        assertThat(failure.message()).contains("not signed by the given CA bundle");
    }

    @Test
    void certificateThatNoSystemCaSigned_isTold() {
        FakeServer server = server("h2", (ctx, piece) -> {});
        Upstream upstream = client(UpstreamLimits.defaults(), true)
                .open(new UpstreamSpec(List.of(server.url()), null, null, null, null));

        assertThat(get(upstream, "/").failure().message()).contains("not signed by a CA of the system's trust store");
    }

    @Test
    void expiredCertificate_isTold() {
        FakeServer server = opened(new FakeServer(PKI.expired(), "h2", (ctx, piece) -> {}));

        assertThat(get(upstream(server), "/").failure().message()).contains("a certificate that expired on ");
    }

    @Test
    void serverWithoutTls_isTold() throws IOException {
        try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread server = Thread.ofVirtual().start(() -> {
                try (var accepted = plain.accept()) {
                    accepted.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    accepted.getOutputStream().flush();
                    accepted.getInputStream().readAllBytes();
                } catch (IOException e) {
                    // The client leaves.
                }
            });
            URI url = URI.create("https://127.0.0.1:" + plain.getLocalPort());
            Upstream upstream = client(UpstreamLimits.defaults(), true)
                    .open(new UpstreamSpec(List.of(url), PKI.caPem(), null, null, null));

            UpstreamFailure failure = get(upstream, "/").failure();

            assertThat(failure).isEqualTo(new UpstreamFailure(Kind.TLS, url + " does not speak TLS", false));
            server.interrupt();
        }
    }

    @Test
    void clientCertificate_isPresented() {
        X509Bundle identity = PKI.forClient("fairlead");
        FakeServer server = opened(new FakeServer(
                PKI.forLoopback(), "h2", Http2Settings.defaultSettings(), PKI.caPem(), (ctx, piece) -> {
                    if (piece instanceof HttpRequest) {
                        text(ctx, 200, "welcome");
                    }
                }));
        UpstreamSpec spec = new UpstreamSpec(
                List.of(server.url()),
                PKI.caPem(),
                null,
                identity.getCertificatePathPEM(),
                identity.getPrivateKeyPEM());

        assertThat(get(client(UpstreamLimits.defaults(), true).open(spec), "/").body())
                .isEqualTo("welcome");
        assertThat(get(upstream(server), "/").failure().kind()).isIn(Kind.TLS, Kind.RESET);
    }

    @Test
    void loopback_isRefusedUnlessAllowed() {
        FakeServer server = server("h2", (ctx, piece) -> {});
        Upstream upstream = client(UpstreamLimits.defaults(), false).open(spec(server));

        UpstreamFailure failure = get(upstream, "/").failure();

        assertThat(failure.kind()).isEqualTo(Kind.ADDRESS_DENIED);
        assertThat(failure.message()).contains("127.0.0.1").contains("upstream.allowLoopback");
        assertThat(server.accepted()).isZero();
    }

    @Test
    void unusableSpecification_isRefusedAtOnce() {
        UpstreamClient client = client(UpstreamLimits.defaults(), true);

        assertThatThrownBy(() ->
                        client.open(new UpstreamSpec(List.of(URI.create("https://h")), "no pem", null, null, null)))
                .hasMessageContaining("caBundle");
        assertThatThrownBy(() -> client.open(new UpstreamSpec(List.of(URI.create("http://h")), null, null, null, null)))
                .hasMessageContaining("http://h");
    }

    private FakeServer server(String protocol, FakeServer.Script script) {
        return opened(new FakeServer(PKI.forLoopback(), protocol, script));
    }

    private Upstream upstream(FakeServer server) {
        return client(UpstreamLimits.defaults(), true).open(spec(server));
    }

    private UpstreamClient client(UpstreamLimits limits, boolean allowLoopback) {
        AddressPolicy policy = new AddressPolicy(List.of(), List.of(), allowLoopback, List::of);
        return opened(new UpstreamClient(loops, Transport.preferred(), policy, limits));
    }

    private <T extends AutoCloseable> T opened(T one) {
        closing.add(one);
        return one;
    }

    private static UpstreamSpec spec(FakeServer server) {
        return new UpstreamSpec(List.of(server.url()), PKI.caPem(), null, null, null);
    }

    private static Recorder get(Upstream upstream, String target) {
        Recorder answer = new Recorder();
        upstream.send(head(HttpMethod.GET, target, 0), Upstream.Kind.SHORT, null, answer);
        return answer;
    }

    private static RequestHead head(HttpMethod method, String target, long length) {
        return new RequestHead(method, target, new DefaultHttpHeaders(), length);
    }

    private static ByteBuf utf8(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    private static URI unusedUrl() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("https://127.0.0.1:" + socket.getLocalPort());
        }
    }

    static void text(ChannelHandlerContext ctx, int status, String body) {
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), utf8(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
        ctx.writeAndFlush(response);
    }

    private static io.netty.channel.ChannelFuture raw(ChannelHandlerContext ctx, String bytes) {
        return FakeServer.raw(ctx).writeAndFlush(utf8(bytes));
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

    private static DefaultHttpHeaders chunked(ChannelHandlerContext ctx) {
        DefaultHttpHeaders headers = new DefaultHttpHeaders();
        if (ctx.channel().parent() == null || ctx.channel().parent() instanceof io.netty.channel.ServerChannel) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        return headers;
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

    /** Without back-pressure everything would be written: 64 MB fit into no socket buffer. */
    private static void answerStalls(Recorder answer, AtomicInteger written, int pieces) {
        int before = -1;
        long quietSince = System.nanoTime();
        while (System.nanoTime() - quietSince < TimeUnit.MILLISECONDS.toNanos(300)) {
            if (written.get() != before) {
                before = written.get();
                quietSince = System.nanoTime();
            }
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(written.get()).isGreaterThan(0).isLessThan(pieces);
        assertThat(answer.isOver()).isFalse();
    }
}
