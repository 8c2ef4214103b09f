package io.fairlead.net;

import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2Settings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an API server does wrong on a connection over TLS, as {@link FaultScript} writes it: what the caller hears, whether
 * the connection is used again, and that a watch on another one goes on.
 */
final class FaultyAnswersTest {
    private static final Duration FIRST_BYTE_TIMEOUT = Duration.ofMillis(500);

    /** Two each. */
    private static final String INTERIM = "HTTP/1.1 103 A||HTTP/1.1 103 B||";

    private static final String INTERIM2 = "1.4.S.:status=103 1.4.S.:status=103 ";

    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                // closed and cut at every stage
                "<close> ~ reset ~ new",
                "<cut> ~ reset ~ new",
                "HTTP/1.1 20<close> ~ reset ~ new",
                "HTTP/1.1 200 OK|X: y<cut> ~ reset ~ new",
                "HTTP/1.1 100 Continue||<close> ~ reset ~ new",
                "HTTP/1.1 200 OK|Content-Length: 5||<close> ~ 200 then reset ~ new",
                "HTTP/1.1 200 OK|Content-Length: 5||ok<close> ~ 200 ok then reset ~ new",
                "HTTP/1.1 200 OK|Content-Length: 5||ok<cut> ~ 200 ok then reset ~ new",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|<close> ~ 200 ok then reset ~ new",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|0|<close> ~ 200 ok then reset ~ new",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|ok<cut> ~ 200 ok then reset ~ new",
                "HTTP/1.1 200 OK||ok<close> ~ 200 ok ~ new",
                "HTTP/1.1 200 OK||ok<cut> ~ 200 ok then reset ~ new",
                // silence
                "'' ~ timeout ~ new",
                "HTTP/1.1 200 ~ timeout ~ new",
                "HTTP/1.1 103 Hints|Link: x|| ~ timeout ~ new",
                // no end of interim answers
                INTERIM + INTERIM + INTERIM + INTERIM + "HTTP/1.1 204 N|| ~ 204 ~ same",
                INTERIM + INTERIM + INTERIM + INTERIM + "HTTP/1.1 103 A||HTTP/1.1 204 N|| ~ protocol ~ new",
                // no answer, or an ambiguous one
                "220 mail.example.com ESMTP| ~ protocol ~ new",
                "HTTP/2 200 OK|| ~ protocol ~ new",
                "HTTP/1.1 999 No|| ~ protocol ~ new",
                "HTTP/1.1 101 Switching Protocols|Upgrade: x|| ~ protocol ~ new",
                "HTTP/1.1 200 OK<LF>X: y|| ~ protocol ~ new",
                "HTTP/1.1 200 OK|X : y|| ~ protocol ~ new",
                "HTTP/1.1 200 OK|X: y| z|| ~ protocol ~ new",
                "HTTP/1.1 200 OK|X: <NUL>|| ~ protocol ~ new",
                "HTTP/1.1 200 OK|Content-Length: 2|Content-Length: 2||ok ~ protocol ~ new",
                "HTTP/1.1 200 OK|Content-Length: 2|Transfer-Encoding: chunked||0|| ~ protocol ~ new",
                "HTTP/1.1 200 OK|Content-Length: -2|| ~ protocol ~ new",
                "HTTP/1.1 200 OK|Transfer-Encoding: gzip, chunked||0|| ~ protocol ~ new",
                "HTTP/1.1 204 No Content|Content-Length: 2||ok ~ protocol ~ new",
                // bad chunks
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||x| ~ 200 then protocol ~ new",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|okk|0|| ~ 200 ok then protocol ~ new",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2<LF>ok|0|| ~ 200 then protocol ~ new",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||fffffffffffffffff| ~ 200 then protocol ~ new",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|0|HTTP/1.1 200 OK|| ~ 200 ok then protocol ~ new",
                // bytes behind an answer, and answers that are the last
                "HTTP/1.1 200 OK|Content-Length: 2||okMORE ~ 200 ok ~ new",
                "HTTP/1.1 200 OK|Content-Length: 2||okHTTP/1.1 200 OK|Content-Length: 4||evil ~ 200 ok ~ new",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||2|ok|0||MORE ~ 200 ok ~ new",
                "HTTP/1.1 204 No Content||MORE ~ 204 ~ new",
                "HTTP/1.1 200 OK|Connection: close|Content-Length: 2||ok ~ 200 ok ~ new",
                "HTTP/1.0 200 OK|Content-Length: 2||ok ~ 200 ok ~ new",
                "HTTP/1.1 200 OK|Content-Length: 2||ok<close> ~ 200 ok ~ new",
                // what is right
                "HTTP/1.1 103 A||HTTP/1.1 102 B||HTTP/1.1 200 OK|Content-Length: 2||ok ~ 200 ok ~ same",
                "HTTP/1.1 200 OK|Transfer-Encoding: chunked||1|o|1|k|0|X: y|| ~ 200 ok ~ same",
            })
    void answerOfHttp1_isHeardAsWhatItIs(String fault, String heard, String nextConnection) {
        assertHeard("http/1.1", fault, heard, nextConnection);
    }

    private void assertHeard(String protocol, String fault, String heard, String nextConnection) {
        FakeServer server = rig.server(protocol, new FaultScript(fault));
        boolean isSilent = heard.equals("timeout");
        AtomicInteger closed = new AtomicInteger();
        Upstream upstream = rig.client(
                        isSilent
                                ? UpstreamLimits.defaults().withFirstByteTimeout(FIRST_BYTE_TIMEOUT)
                                : UpstreamLimits.defaults(),
                        true)
                .open(Rig.spec(server), new ConnectionMetrics() {
                    @Override
                    public void closed(String ofProtocol) {
                        closed.incrementAndGet();
                    }
                });
        Recorder watch = new Recorder();
        upstream.send(head(HttpMethod.GET, "/watch", 0), Upstream.Kind.LONG_RUNNING, null, watch);
        assertThat(watch.status()).isEqualTo(200);
        assertThat(get(upstream, "/ok").body()).isEqualTo("ok");
        int connections = server.accepted();

        assertThat(FaultScript.heard(get(upstream, "/fault"))).isEqualTo(heard);
        if (fault.endsWith("<close>")) {
            awaitOne(closed); // Behind a complete answer the next call could be sent before the close is seen.
        }

        assertThat(get(upstream, "/ok").body()).isEqualTo("ok");
        assertThat(server.accepted() == connections ? "same" : "new").isEqualTo(nextConnection);
        assertThat(watch.isOver()).isFalse();
        assertThat(watch.soFar()).isEqualTo("begun");
    }

    private static void awaitOne(AtomicInteger count) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (count.get() == 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                // resets, with each code of RFC 9113 section 7
                "3.0.S.00000000 ~ reset ~ same",
                "3.0.S.00000001 ~ reset ~ same",
                "3.0.S.00000002 ~ reset ~ same",
                "3.0.S.00000003 ~ reset ~ same",
                "3.0.S.00000004 ~ reset ~ same",
                "3.0.S.00000005 ~ reset ~ same",
                "3.0.S.00000006 ~ reset ~ same",
                "3.0.S.00000007 ~ reset unreached ~ same",
                "3.0.S.00000008 ~ reset ~ same",
                "3.0.S.00000009 ~ reset ~ same",
                "3.0.S.0000000a ~ reset ~ same",
                "3.0.S.0000000b ~ reset ~ same",
                "3.0.S.0000000c ~ reset ~ same",
                "3.0.S.0000000d ~ reset ~ same",
                "3.0.S.ffffffff ~ reset ~ same",
                "1.4.S.:status=200 3.0.S.00000008 ~ 200 then reset ~ same",
                "1.4.S.:status=200 0.0.S.6f6b 3.0.S.00000000 ~ 200 ok then reset ~ same",
                // GOAWAY before, amid and behind an answer, and without one
                "7.0.0.7fffffff00000000 1.4.S.:status=200 0.1.S.6f6b ~ 200 ok ~ new",
                "1.4.S.:status=200 7.0.0.7fffffff00000000 0.1.S.6f6b ~ 200 ok ~ new",
                "1.4.S.:status=200 0.1.S.6f6b 7.0.0.7fffffff00000000 ~ 200 ok ~ new",
                "1.4.S.:status=200 7.0.0.7fffffff00000002 0.0.S.6f6b<close> ~ 200 ok then reset ~ new",
                "7.0.0.0000000000000000 ~ reset unreached ~ new",
                "7.0.0.7fffffff0000000b<close> ~ reset ~ new",
                // closed and cut at every stage, and silence
                "<close> ~ reset ~ new",
                "<cut> ~ reset ~ new",
                "1.4.S.:status=200<close> ~ 200 then reset ~ new",
                "1.4.S.:status=200 0.0.S.6f6b<cut> ~ 200 ok then reset ~ new",
                "1.0.S.:status=200<close> ~ reset ~ new",
                "'' ~ timeout ~ same",
                "1.4.S.:status=103 ~ timeout ~ same",
                // lies about lengths
                "1.4.S.:status=200;content-length=5 0.1.S.6f6b ~ 200 then protocol ~ same",
                "1.4.S.:status=200;content-length=1 0.1.S.6f6b ~ 200 then protocol ~ same",
                "1.5.S.:status=200;content-length=2 ~ protocol ~ same",
                "1.4.S.:status=204 0.1.S.6f6b ~ 204 then protocol ~ same",
                "1.4.S.:status=200;content-length=2;content-length=2 0.1.S.6f6b ~ protocol ~ same",
                // heads, and their order
                "0.1.S.6f6b ~ protocol ~ same",
                "1.5.S.x=y ~ protocol ~ same",
                "1.5.S.:status=20 ~ protocol ~ same",
                "1.5.S.:status=200;X=y ~ protocol ~ same",
                "1.5.S.:status=200;x=%00 ~ protocol ~ same",
                "1.5.S.:status=200;connection=close ~ protocol ~ same",
                "1.5.S.:status=101 ~ protocol ~ same",
                "1.4.S.:status=200 1.5.S.:status=200 ~ 200 then protocol ~ same",
                "1.4.S.:status=200 0.0.S.6f6b 1.4.S.x=y ~ 200 ok then protocol ~ same",
                // no end of interim answers
                INTERIM2 + INTERIM2 + INTERIM2 + INTERIM2 + "1.5.S.:status=204 ~ 204 ~ same",
                INTERIM2 + INTERIM2 + INTERIM2 + INTERIM2 + "1.4.S.:status=103 1.5.S.:status=204 ~ protocol ~ same",
                // rules of the connection
                "8.0.S.00000000 ~ protocol ~ same",
                "8.0.0.00000000 ~ protocol ~ new",
                "8.0.0.7fffffff ~ protocol ~ new",
                "4.0.0.000480000000 ~ protocol ~ new",
                "4.0.0.000500000000 ~ protocol ~ new",
                "4.0.0.000200000001 ~ protocol ~ new",
                "6.0.0.00 ~ protocol ~ new",
                "1.5.S.be ~ protocol ~ new",
                "5.4.S.00000002 ~ protocol ~ new",
                "1.0.S.:status=200 6.0.0.0000000000000000 ~ protocol ~ new",
                "0.0.2.00 ~ protocol ~ new",
                "0.0.99.00 ~ protocol ~ new",
                // what is right: settings amid an answer, unknown frames, trailers
                "1.4.S.:status=200 4.0.0.000400000000 0.1.S.6f6b ~ 200 ok ~ same",
                "4.0.0.000300000000 1.4.S.:status=200 0.1.S.6f6b ~ 200 ok ~ new",
                "77.0.0.00 1.4.S.:status=103 1.4.S.:status=200 0.0.S.6f6b 1.5.S.x=y ~ 200 ok ~ same",
            })
    void answerOfHttp2_isHeardAsWhatItIs(String fault, String heard, String nextConnection) {
        assertHeard("h2", fault, heard, nextConnection);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http/1.1", "h2"})
    void headBeyondTheLimit_isNoAnswer(String protocol) {
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                DefaultFullHttpResponse answer =
                        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT);
                answer.headers().set("x", "y".repeat(70_000));
                ctx.writeAndFlush(answer);
            }
        });

        assertThat(FaultScript.heard(get(rig.upstream(server), "/"))).isEqualTo("protocol");
    }

    /** The body of a request waits for a window that never opens, and with it the call for its answer. */
    @Test
    void windowThatNeverOpens_holdsItsCallAlone() {
        AtomicInteger bodyBytes = new AtomicInteger();
        FakeServer server = rig.opened(new FakeServer(
                Rig.PKI.forLoopback(), "h2", Http2Settings.defaultSettings().initialWindowSize(0), "", (ctx, piece) -> {
                    if (piece instanceof HttpContent content) {
                        bodyBytes.addAndGet(content.content().readableBytes());
                    }
                    if (piece instanceof HttpRequest request
                            && request.method().name().equals("GET")) {
                        ctx.writeAndFlush(
                                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT));
                    }
                }));
        Upstream upstream = rig.client(UpstreamLimits.defaults().withFirstByteTimeout(FIRST_BYTE_TIMEOUT), true)
                .open(Rig.spec(server));
        Recorder held = new Recorder();
        Exchange exchange = upstream.send(head(HttpMethod.POST, "/", 4), Upstream.Kind.SHORT, null, held);
        exchange.write(Rig.utf8("body"));
        exchange.end();

        assertThat(get(upstream, "/").status()).isEqualTo(204);
        assertThat(FaultScript.heard(held)).isEqualTo("timeout");
        assertThat(get(upstream, "/").status()).isEqualTo(204);
        assertThat(bodyBytes).hasValue(0);
        assertThat(server.accepted()).isEqualTo(1);
    }
}
