package io.fairlead.net;

import static io.fairlead.net.Rig.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.http.HttpMethod;
import io.fairlead.net.UpstreamFailure.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How a connection ends, retires and is looked at while it serves nothing. */
final class Http1ConnectionEndTest extends Http1ConnectionFixture {
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
}
