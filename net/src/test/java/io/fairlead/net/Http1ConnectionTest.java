package io.fairlead.net;

import static io.fairlead.net.Rig.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection sends, takes for an answer, and is lent again after. */
final class Http1ConnectionTest extends Http1ConnectionFixture {
    @Test
    void connection_servesOneCallAfterTheOther() {
        Http1Connection connection = connected();
        assertThat(connection.hasRoom()).isTrue();

        Recorder first = submit(HttpMethod.GET);
        assertThat(sent()).startsWith("GET / HTTP/1.1\r\n").contains("host: one\r\n");
        assertThat(connection.hasRoom()).isFalse();
        channel.writeInbound(utf8(OK));
        assertThat(first.body()).isEqualTo("ok");

        assertThat(connection.hasRoom()).isTrue();
        Recorder second = submit(HttpMethod.GET);
        channel.writeInbound(utf8(OK));
        assertThat(second.body()).isEqualTo("ok");
        assertThat(channel.isOpen()).isTrue();
        assertThat(told).containsExactly("opened http/1.1");
    }

    @Test
    void callThatWaits_hasTheConnection_onceTheAnswerBeforeIsComplete() {
        connected();
        submit(HttpMethod.GET);
        Recorder waiting = submit(HttpMethod.GET);
        sent();

        channel.writeInbound(utf8("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no"));
        assertThat(sent()).isEmpty();
        channel.writeInbound(utf8("k"));

        assertThat(sent()).startsWith("GET /");
        channel.writeInbound(utf8(OK));
        assertThat(waiting.body()).isEqualTo("ok");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok",
                "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
                OK + "HTTP/1.1 200 OK\r\n",
                OK + "x"
            })
    void connectionWithAnOddAnswer_isClosed_afterTheAnswer(String odd) {
        Http1Connection connection = connected();
        Recorder answer = submit(HttpMethod.GET);

        channel.writeInbound(utf8(odd));

        assertThat(answer.body()).isEqualTo("ok");
        assertThat(channel.isOpen()).isFalse();
        assertThat(connection.hasRoom()).isFalse();
        assertThat(told).containsExactly("opened http/1.1", "closed http/1.1");
    }

    @Test
    void answerBeforeTheRequestHasEnded_isTheLastOfItsConnection() {
        connected();
        Recorder answer = new Recorder();
        Call call = call(HttpMethod.POST, -1, answer);
        lane.submit(call);
        call.write(utf8("half"));

        channel.writeInbound(utf8(OK));

        assertThat(answer.body()).isEqualTo("ok");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void body_isFramed_andEndsOnce() {
        connected();
        Recorder answer = new Recorder();
        Call call = call(HttpMethod.POST, -1, answer);
        lane.submit(call);
        call.write(utf8("half"));
        call.end();

        assertThat(sent()).endsWith("\r\n\r\n4\r\nhalf\r\n0\r\n\r\n");
        channel.writeInbound(utf8(OK));
        assertThat(answer.body()).isEqualTo("ok");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void bytesThatNobodyAskedFor_closeTheConnection() {
        Http1Connection connection = connected();

        channel.writeInbound(utf8(OK));

        assertThat(channel.isOpen()).isFalse();
        assertThat(connection.hasRoom()).isFalse();
    }

    @Test
    void answerThatIsNotHttp_isAFailure() {
        connected();
        Recorder answer = submit(HttpMethod.GET);

        channel.writeInbound(utf8("SSH-2.0-OpenSSH\r\n\r\n"));

        assertThat(answer.failure().kind()).isEqualTo(Kind.PROTOCOL);
        assertThat(answer.failure().message()).isEqualTo("https://one sent what is not valid HTTP");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void answerThatEndsWithItsConnection_isComplete_onlyIfTlsSaysSo() {
        connected();
        Recorder answer = submit(HttpMethod.GET);
        channel.writeInbound(utf8("HTTP/1.1 200 OK\r\n\r\nall of it"));
        assertThat(answer.isOver()).isFalse();

        channel.pipeline().fireUserEventTriggered(SslCloseCompletionEvent.SUCCESS);
        channel.close();

        assertThat(answer.body()).isEqualTo("all of it");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void answerThatEndsWithItsConnection_isCut_ifTlsDoesNotSaySo(boolean failing) {
        connected();
        Recorder answer = submit(HttpMethod.GET);
        channel.writeInbound(utf8("HTTP/1.1 200 OK\r\n\r\nhalf"));

        if (failing) {
            channel.pipeline().fireUserEventTriggered(new SslCloseCompletionEvent(new ClosedChannelException()));
        }
        channel.close();

        assertThat(answer.failure())
                .isEqualTo(new UpstreamFailure(
                        Kind.RESET, "https://one cut the connection in the middle of its answer", true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"204 No Content", "304 Not Modified"})
    void answerWithoutABody_leavesTheConnectionAsItIs(String status) {
        connected();
        Recorder answer = submit(HttpMethod.GET);

        channel.writeInbound(utf8("HTTP/1.1 " + status + "\r\n\r\n"));

        assertThat(answer.body()).isEmpty();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void answerToHead_leavesTheConnectionAsItIs() {
        connected();
        Recorder answer = submit(HttpMethod.HEAD);

        channel.writeInbound(utf8("HTTP/1.1 200 OK\r\n\r\n"));

        assertThat(answer.body()).isEmpty();
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void interimAnswer_saysNothingOfTheFraming() {
        connected();
        Recorder answer = submit(HttpMethod.GET);

        channel.writeInbound(utf8("HTTP/1.1 103 Early Hints\r\nConnection: close\r\n\r\n" + OK));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("ok");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void readerThatStalls_holdsUpItsOwnAnswer_andNotTheNext() {
        connected();
        Recorder answer = new Recorder();
        Call call = call(HttpMethod.GET, 0, answer);
        lane.submit(call);
        call.reading(false);
        assertThat(channel.config().isAutoRead()).isFalse();

        channel.writeInbound(utf8(OK));

        assertThat(answer.body()).isEqualTo("ok");
        assertThat(channel.config().isAutoRead()).isTrue();
    }
}
