package io.fairlead.net;

import static io.fairlead.net.Recorder.eventually;
import static io.fairlead.net.Rig.chunked;
import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.text;
import static io.fairlead.net.Rig.unusedUrl;
import static io.fairlead.net.Rig.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests may be sent once more: those of which the server has seen nothing and the client no answer. */
final class SentOnceTest {
    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    /** As the one that was held until there was a connection, see {@link LivenessTest}. */
    @Test
    void bodyThatBeginsOnTheConnection_isNotSentTwice() {
        AtomicInteger requests = new AtomicInteger();
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                requests.incrementAndGet();
            } else if (piece instanceof HttpContent) {
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
            }
        });
        Recorder answer = new Recorder();
        Exchange exchange =
                rig.upstream(server).send(head(HttpMethod.POST, "/", -1), Upstream.Kind.SHORT, null, answer);
        eventually(() -> requests.get() == 1);

        exchange.write(utf8("begun"));

        assertThat(answer.failure()).isEqualTo(refused(server));
        assertThat(requests).hasValue(1);
    }

    @Test
    void bodyThatNeverLeft_isSentWholeOverTheNextEndpoint() throws IOException {
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                ctx.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
            }
            if (piece instanceof HttpContent content) {
                ctx.write(content.retainedDuplicate());
            }
            if (piece instanceof LastHttpContent) {
                ctx.flush();
            }
        });
        UpstreamSpec both = new UpstreamSpec(List.of(unusedUrl(), server.url()), Rig.PKI.caPem(), null, null, null);
        Recorder answer = new Recorder();
        Exchange exchange = rig.client(UpstreamLimits.defaults(), true)
                .open(both)
                .send(head(HttpMethod.POST, "/", 7), Upstream.Kind.SHORT, null, answer);

        exchange.write(utf8("one "));
        exchange.write(utf8("two"));
        exchange.end();

        assertThat(answer.body()).isEqualTo("one two");
    }

    /** It may have been acted upon, whatever became of its answer. */
    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void requestThatReachedTheServer_isNotSentAgain(String protocol) {
        AtomicInteger requests = new AtomicInteger();
        FakeServer server = rig.server(protocol, (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                if (requests.incrementAndGet() > 1) {
                    text(ctx, 200, "again");
                } else if (protocol.equals("h2")) {
                    ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
                } else {
                    ctx.close();
                }
            }
        });

        UpstreamFailure failure = get(rig.upstream(server), "/").failure();

        assertThat(failure.kind()).isEqualTo(Kind.RESET);
        assertThat(failure.requestReached()).isTrue();
        assertThat(requests).hasValue(1);
    }

    /** A second head could not be told apart from the first. */
    @Test
    void requestWhoseAnswerBegan_isNotSentAgain() {
        AtomicInteger requests = new AtomicInteger();
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof HttpRequest) {
                if (requests.incrementAndGet() > 1) {
                    text(ctx, 200, "again");
                    return;
                }
                ctx.write(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, chunked(ctx)));
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.REFUSED_STREAM));
            }
        });
        Recorder answer = get(rig.upstream(server), "/");

        assertThat(answer.failure()).isEqualTo(refused(server));
        assertThat(requests).hasValue(1);
    }

    @Test
    void requestThatCouldNotBeSent_isTriedOnceMoreAndNoOftener() throws IOException {
        AtomicInteger dials = new AtomicInteger();
        ConnectionMetrics counting = new ConnectionMetrics() {
            @Override
            public void failed(Kind why) {
                dials.incrementAndGet();
            }
        };
        UpstreamSpec dead =
                new UpstreamSpec(List.of(unusedUrl(), unusedUrl(), unusedUrl()), Rig.PKI.caPem(), null, null, null);

        Recorder answer = get(rig.client(UpstreamLimits.defaults(), true).open(dead, counting), "/");

        assertThat(answer.failure().kind()).isEqualTo(Kind.CONNECT);
        assertThat(dials).hasValue(2);
    }

    private static UpstreamFailure refused(FakeServer server) {
        return new UpstreamFailure(Kind.RESET, server.url() + " refused the stream", false);
    }
}
