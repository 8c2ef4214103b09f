package io.fairlead.net;

import static io.fairlead.net.Rig.head;

import io.fairlead.http.HttpMethod;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** A connection of HTTP/1.1 whose server is a test. */
abstract class Http1ConnectionFixture {
    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    final Rig rig = new Rig();
    final List<String> told = new ArrayList<>();
    final EmbeddedChannel channel = new EmbeddedChannel();
    final EndpointPool lane = lane(UpstreamLimits.defaults().idleTimeout());

    @AfterEach
    void closeAll() throws Exception {
        channel.finishAndReleaseAll();
        rig.close();
    }

    Http1Connection connected() {
        return connected(lane);
    }

    Http1Connection connected(EndpointPool to) {
        Http1Connection connection = new Http1Connection(channel, to.endpoint(), to);
        channel.pipeline().addLast(connection);
        to.connected(dial(to), connection, Endpoint.Protocol.HTTP_1_1);
        return connection;
    }

    Recorder submit(HttpMethod method) {
        Recorder answer = new Recorder();
        lane.submit(call(method, 0, answer));
        return answer;
    }

    Call call(HttpMethod method, long length, Recorder answer) {
        Call call =
                new Call(channel.eventLoop(), head(method, "/", length), Upstream.Kind.SHORT, answer, (_, _) -> false);
        call.started(null);
        return call;
    }

    /** What went out since the last look. */
    String sent() {
        channel.runPendingTasks();
        StringBuilder text = new StringBuilder();
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            text.append(piece.toString(StandardCharsets.US_ASCII));
            piece.release();
        }
        return text.toString();
    }

    /** Of one connection, so that no other is ever dialled. */
    EndpointPool lane(Duration idleTimeout) {
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
                defaults.connectionsPerUpstreamMax(),
                defaults.endpoints());
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
        Generation generation = new Generation(upstream, spec, null);
        return generation.lane(channel.eventLoop(), Rig.chosen(generation), Upstream.Kind.SHORT);
    }

    Dial<Connection> dial(EndpointPool to) {
        UpstreamClient client = rig.client(UpstreamLimits.defaults(), true);
        Generation generation = new Generation((PooledUpstream) client.open(spec()), spec(), null);
        return new Dial<>(
                client, to.endpoint(), generation.tls(), generation, channel.eventLoop(), new ConnectionBudget(1), to);
    }

    static UpstreamSpec spec() {
        return new UpstreamSpec(List.of(URI.create("https://one")), Rig.PKI.caPem(), null, null, null);
    }
}
