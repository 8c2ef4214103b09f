package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Short calls that wait for their turn: they are whole when it comes, and gone when their client is. */
class QueuedCallsTest {
    private static final String PODS = "/clusters/fake/api/v1/pods";
    private static final String MAPS = "/clusters/fake/api/v1/namespaces/x/configmaps";

    private TestEdge edge;
    private final FakeUpstream fake = new FakeUpstream();

    @BeforeEach
    void start() throws Exception {
        start("20s");
    }

    private void start(String wait) throws Exception {
        edge = new TestEdge(Limited.by(Map.of("limits.shortCallsPerClusterMax", 1, "limits.queueWait", wait)));
        edge.attach("fake", fake);
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void callBeyondTheLimit_waits_andIsAnsweredWhenAnotherEnds() throws Exception {
        try (RawClient first = edge.client();
                RawClient second = edge.client()) {
            FakeUpstream.Call underWay = underWay(first);
            second.send(get(TestEdge.JANE));
            awaitWaiting(1);
            assertThat(fake.isAsked()).isFalse();

            underWay.finish();
            fake.next().finish();
            assertThat(second.answer(false).status()).isEqualTo(200);
            awaitWaiting(0);
        }
    }

    @Test
    void bodyOfACallThatWaits_isForwardedWhole() throws Exception {
        try (RawClient first = edge.client();
                RawClient second = edge.client()) {
            FakeUpstream.Call underWay = underWay(first);
            second.send("POST " + MAPS + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE
                    + "\r\nContent-Length: 6\r\n\r\n{\"a\"");
            awaitWaiting(1);
            second.send(":1");

            underWay.finish();
            FakeUpstream.Call call = fake.next();
            second.send("}"); // More than the length: it is the next request, which is refused.
            assertThat(call.event()).isEqualTo("end");
            assertThat(call.bodyBytes.get()).isEqualTo(6);
            call.finish();
            assertThat(second.answer(false).status()).isEqualTo(200);
        }
    }

    /** Over HTTP/2 a body, or its end alone, can come while the request waits. */
    @Test
    void bodyOverHttp2_thatComesWhileItsCallWaits_isForwardedWhole() throws Exception {
        try (RawClient first = edge.client();
                RawHttp2Client second = new RawHttp2Client(edge.pki, edge.address)) {
            FakeUpstream.Call underWay = underWay(first);
            RawHttp2Client.Stream empty = second.open(head("POST", MAPS), false);
            awaitWaiting(1);
            RawHttp2Client.Stream body = second.open(head("POST", MAPS), false);
            awaitWaiting(2);
            RawHttp2Client.Stream get = second.open(head("GET", PODS), true);
            awaitWaiting(3);
            empty.send("", true);
            body.send("{}", true);

            underWay.finish();
            for (int length : new int[] {0, 2, 0}) {
                FakeUpstream.Call call = fake.next();
                if (!call.head.method().toString().equals("GET")) {
                    assertThat(call.event()).as("end of %d", length).isEqualTo("end");
                }
                assertThat(call.bodyBytes.get()).isEqualTo(length);
                call.finish();
            }
            assertThat(empty.next()).isEqualTo("head 200");
            assertThat(body.next()).isEqualTo("head 200");
            assertThat(get.next()).isEqualTo("head 200");
        }
    }

    @Test
    void clientThatLeaves_takesItsCallOutOfTheQueue() throws Exception {
        try (RawClient first = edge.client();
                RawHttp2Client second = new RawHttp2Client(edge.pki, edge.address)) {
            FakeUpstream.Call underWay = underWay(first);
            RawHttp2Client.Stream stays = second.open(head("GET", PODS), true);
            awaitWaiting(1);
            RawHttp2Client.Stream leaves = second.open(head("GET", PODS), true);
            awaitWaiting(2);
            try (RawClient third = edge.client()) {
                third.send(get(TestEdge.JANE));
                awaitWaiting(3);
                leaves.reset();
                awaitWaiting(2);
                third.leave();
                awaitWaiting(1);
            }

            underWay.finish();
            fake.next().finish();
            assertThat(stays.next()).isEqualTo("head 200");
            assertThat(first.get("/clusters/root/api/v1/pods", TestEdge.JANE).status())
                    .isEqualTo(200);
            assertThat(fake.isAsked()).as("what was left is not sent").isFalse();
        }
    }

    @Test
    void callThatWaitsTooLong_is429_andSaysWhy() throws Exception {
        edge.close();
        start("100ms");
        try (RawClient first = edge.client();
                RawClient second = edge.client()) {
            FakeUpstream.Call underWay = underWay(first);
            second.send(get(TestEdge.JANE));
            RawAnswer refused = second.answer(false);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body())
                    .contains("cluster \\\"fake\\\" has 1 short calls already", "limits.shortCallsPerClusterMax");
            underWay.finish();
            second.send(get(TestEdge.JANE));
            fake.next().finish();
            assertThat(second.answer(false).status())
                    .as("the connection is good")
                    .isEqualTo(200);
        }
    }

    @Test
    void rightsRevokedWhileACallWaits_areNotUsed() throws Exception {
        try (RawClient first = edge.client();
                RawClient second = edge.client()) {
            FakeUpstream.Call underWay = underWay(first);
            second.send(get(TestEdge.JANE));
            awaitWaiting(1);
            edge.root.allow((_, right) -> !right.verb().equals("access"));
            RevokedRightsTest.awaitTheHold();

            underWay.finish();
            assertThat(second.answer(false).status()).isEqualTo(403);
            assertThat(fake.isAsked()).isFalse();
            edge.root.allow((_, _) -> true);
            underWay(second).finish(); // The share was given back.
        }
    }

    @Test
    void callerWithoutACallUnderWay_isNext() throws Exception {
        edge.close();
        edge = new TestEdge(Limited.by(Map.of("limits.shortCallsPerClusterMax", 2, "limits.queueWait", "20s")));
        edge.attach("fake", fake);
        try (RawHttp2Client noisy = new RawHttp2Client(edge.pki, edge.address);
                RawClient quiet = edge.client()) {
            for (int i = 0; i < 50; i++) {
                noisy.open(head("GET", PODS), true);
            }
            FakeUpstream.Call first = fake.next();
            fake.next();
            awaitWaiting(48);
            quiet.send("GET " + MAPS + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.ADMIN + "\r\n\r\n");
            awaitWaiting(49);

            first.finish();
            FakeUpstream.Call next = fake.next();
            assertThat(next.head.target()).isEqualTo("/api/v1/namespaces/x/configmaps");
            next.finish();
            assertThat(quiet.answer(false).status()).isEqualTo(200);
        }
    }

    /** A call by Jane that has the only seat. */
    private FakeUpstream.Call underWay(RawClient client) throws Exception {
        client.send(get(TestEdge.JANE));
        return fake.next();
    }

    private void awaitWaiting(int calls) {
        Await.until(() -> edge.metrics.scrape().contains("\nfairlead_queued_calls " + calls + ".0\n"));
    }

    private static String get(String credential) {
        return "GET " + PODS + " HTTP/1.1\r\nHost: localhost\r\n" + credential + "\r\n\r\n";
    }

    private static Http2Headers head(String method, String path) {
        return RawHttp2Client.head(method, path)
                .add("authorization", TestEdge.JANE.substring("Authorization: ".length()));
    }
}
