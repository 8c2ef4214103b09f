package io.fairlead.net;

import static io.fairlead.net.Rig.head;
import static io.fairlead.net.Rig.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When an HTTP/1.1 connection is lent again, and what becomes of its call when it is not; without a server. */
final class Http1ConnectionTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Rig rig = new Rig();
    private final List<String> told = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final EndpointPool lane = lane(UpstreamLimits.defaults().idleTimeout());

    @AfterEach
    void closeAll() throws Exception {
        channel.releaseInbound();
        channel.releaseOutbound();
        rig.close();
    }

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
    void connectionThatIsLost_failsItsCall() {
        Http1Connection connection = connected();
        Recorder answer = submit(HttpMethod.GET);
        channel.writeInbound(utf8("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no"));

        channel.close();

        assertThat(answer.failure().kind()).isEqualTo(Kind.RESET);
        assertThat(answer.failure().requestReached()).isTrue();
        assertThat(connection.hasRoom()).isFalse();
        assertThat(told).containsExactly("opened http/1.1", "closed http/1.1");
    }

    @Test
    void errorOnTheConnection_failsItsCall() {
        connected();
        Recorder answer = submit(HttpMethod.GET);

        channel.pipeline().fireExceptionCaught(new IOException("of a test"));

        assertThat(answer.failure())
                .isEqualTo(new UpstreamFailure(Kind.RESET, "https://one reset the connection", true));
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void callThatIsGivenUp_takesItsConnectionWithIt() {
        connected();
        Recorder answer = new Recorder();
        Call call = call(HttpMethod.GET, 0, answer);
        lane.submit(call);

        call.cancel();

        assertThat(channel.isOpen()).isFalse();
        assertThat(answer.isOver()).isFalse();
    }

    @Test
    void connectionThatRetires_closesAtOnce_orWithItsCall() {
        Http1Connection connection = connected();
        Recorder answer = submit(HttpMethod.GET);

        connection.retire();
        assertThat(channel.isOpen()).isTrue();
        channel.writeInbound(utf8(OK));
        assertThat(answer.body()).isEqualTo("ok");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void connectionThatServesNothing_retiresAtOnce() {
        Http1Connection connection = connected();

        connection.retire();

        assertThat(channel.isOpen()).isFalse();
        assertThat(connection.hasRoom()).isFalse();
    }

    @Test
    void close_tellsItsCallWhy() {
        Http1Connection connection = connected();
        Recorder answer = submit(HttpMethod.GET);
        UpstreamFailure reason = new UpstreamFailure(Kind.CLOSED, "of a test", true);

        connection.close(reason);

        assertThat(answer.failure()).isEqualTo(reason);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void connection_isUnused_whileItServesNothing() {
        Http1Connection connection = connected();
        assertThat(connection.isUnusedSince(0)).isTrue();
        assertThat(connection.isUnusedSince(HOUR_NANOS)).isFalse();

        submit(HttpMethod.GET);

        assertThat(connection.isUnusedSince(0)).isFalse();
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

    @Test
    void connectionThatServesNothing_isClosedAfterAWhile() {
        channel.freezeTime();
        EndpointPool brief = lane(Duration.ofNanos(2));
        connected(brief);

        channel.advanceTimeBy(1, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void connectionThatWasUsedLately_isLookedAtAgain() {
        channel.freezeTime();
        connected();
        long halfOfIt = UpstreamLimits.defaults().idleTimeout().toNanos() / 2;

        channel.advanceTimeBy(halfOfIt, TimeUnit.NANOSECONDS);

        assertThat(channel.runScheduledPendingTasks()).isEqualTo(halfOfIt);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void laneThatIsClosed_closesItsConnections_andLooksAtNoneAgain() {
        connected();
        Recorder answer = submit(HttpMethod.GET);
        UpstreamFailure reason = new UpstreamFailure(Kind.CLOSED, "of a test", true);

        lane.close(reason);

        assertThat(answer.failure()).isEqualTo(reason);
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(-1);
    }

    @Test
    void laneThatRetires_letsItsConnectionsEnd_andLooksAtNoneAgain() {
        connected();
        Recorder answer = submit(HttpMethod.GET);

        lane.retire();

        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(-1);
        channel.writeInbound(utf8(OK));
        assertThat(answer.body()).isEqualTo("ok");
        assertThat(channel.isOpen()).isFalse();
    }

    private Http1Connection connected() {
        return connected(lane);
    }

    private Http1Connection connected(EndpointPool to) {
        Http1Decoder decoder = new Http1Decoder();
        Http1Connection connection = new Http1Connection(channel, to.endpoint(), to, decoder);
        channel.pipeline().addLast(new HttpRequestEncoder(), decoder, connection);
        to.connected(dial(to), connection, Endpoint.Protocol.HTTP_1_1);
        return connection;
    }

    private Recorder submit(HttpMethod method) {
        Recorder answer = new Recorder();
        lane.submit(call(method, 0, answer));
        return answer;
    }

    private Call call(HttpMethod method, long length, Recorder answer) {
        Call call =
                new Call(channel.eventLoop(), head(method, "/", length), Upstream.Kind.SHORT, answer, (_, _) -> false);
        call.started(null);
        return call;
    }

    /** What went out since the last look. */
    private String sent() {
        StringBuilder text = new StringBuilder();
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            text.append(piece.toString(StandardCharsets.US_ASCII));
            piece.release();
        }
        return text.toString();
    }

    /** Of one connection, so that no other is ever dialled. */
    private EndpointPool lane(Duration idleTimeout) {
        UpstreamLimits defaults = UpstreamLimits.defaults();
        UpstreamLimits limits = new UpstreamLimits(
                defaults.connectTimeout(),
                defaults.tlsTimeout(),
                defaults.firstByteTimeout(),
                idleTimeout,
                defaults.pingInterval(),
                1,
                1,
                defaults.streamsMax(),
                defaults.waitingMax(),
                defaults.connectionsMax(),
                defaults.connectionsPerUpstreamMax());
        UpstreamSpec spec = spec();
        PooledUpstream upstream = (PooledUpstream) rig.client(limits, true).open(spec, new ConnectionMetrics() {
            @Override
            public void opened(String protocol) {
                told.add("opened " + protocol);
            }

            @Override
            public void closed(String protocol) {
                told.add("closed " + protocol);
            }
        });
        Generation generation = new Generation(upstream, spec);
        return generation.lane(channel.eventLoop(), generation.choose(), Upstream.Kind.SHORT);
    }

    private Dial<Connection> dial(EndpointPool to) {
        UpstreamClient client = rig.client(UpstreamLimits.defaults(), true);
        Generation generation = new Generation((PooledUpstream) client.open(spec()), spec());
        return new Dial<>(
                client, to.endpoint(), generation.tls(), generation, channel.eventLoop(), new ConnectionBudget(1), to);
    }

    private static UpstreamSpec spec() {
        return new UpstreamSpec(List.of(URI.create("https://one")), Rig.PKI.caPem(), null, null, null);
    }
}
