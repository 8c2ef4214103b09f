package io.fairlead.net;

import static io.fairlead.net.Rig.get;
import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.raw;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.FieldName;
import io.fairlead.http.HttpMethod;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What counts as an answer, and what as one that broke off or is none. */
final class AnswerTest {
    private final Rig rig = new Rig();

    @AfterEach
    void closeAll() throws Exception {
        rig.close();
    }

    @Test
    void answerThatEndsEarly_isAFailure() {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf").addListener(sent -> ctx.close());
            }
        });

        Recorder answer = get(rig.upstream(server), "/");

        assertThat(answer.failure().kind()).isEqualTo(Kind.RESET);
        assertThat(answer.failure().requestReached()).isTrue();
        assertThat(answer.soFar()).isEqualTo("half");
    }

    @Test
    void chunkedAnswerThatEndsEarly_isAFailure() {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
                        .addListener(sent -> ctx.close());
            }
        });

        assertThat(get(rig.upstream(server), "/").failure().kind()).isEqualTo(Kind.RESET);
    }

    @Test
    void answerEndedByClosing_isComplete() {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 200 OK\r\n\r\nall").addListener(sent -> ctx.close());
            }
        });

        assertThat(get(rig.upstream(server), "/").body()).isEqualTo("all");
    }

    @Test
    void resetStream_isAFailure() {
        FakeServer server = rig.server("h2", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                ctx.writeAndFlush(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
            }
        });

        Recorder answer = get(rig.upstream(server), "/");

        assertThat(answer.failure().kind()).isEqualTo(Kind.RESET);
        assertThat(answer.failure().message()).contains("INTERNAL_ERROR");
    }

    @Test
    void answerThatIsNotHttp_isAFailure() {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "220 mail.example.com ESMTP\r\n");
            }
        });

        assertThat(get(rig.upstream(server), "/").failure().kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void answerWithTwoFramings_isAFailure() {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
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

        assertThat(get(rig.upstream(server), "/").failure().kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void interimAnswers_areWaitedThrough() {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
            }
        });

        assertThat(get(rig.upstream(server), "/").body()).isEqualTo("x");
    }

    @Test
    void endlessInterimAnswers_areAFailure() {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 102 Processing\r\n\r\n".repeat(9));
            }
        });

        assertThat(get(rig.upstream(server), "/").failure().kind()).isEqualTo(Kind.PROTOCOL);
    }

    @Test
    void answerToHead_hasNoBody() {
        FakeServer server = rig.server("http/1.1", (ctx, piece) -> {
            if (piece instanceof LastHttpContent) {
                raw(ctx, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
            }
        });
        Upstream upstream = rig.upstream(server);

        for (int i = 0; i < 2; i++) {
            Recorder answer = new Recorder();
            upstream.send(head(HttpMethod.HEAD, "/", 0), Upstream.Kind.SHORT, null, answer);
            assertThat(answer.body()).isEmpty();
            assertThat(answer.headers().get(FieldName.CONTENT_LENGTH)).isEqualTo("1000");
        }
        assertThat(server.accepted()).isEqualTo(1);
    }
}
