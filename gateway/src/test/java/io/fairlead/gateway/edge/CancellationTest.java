package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.netty.handler.codec.http2.Http2Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers that give up one request after the other, on one connection or on many. */
class CancellationTest {
    private static final int BUDGET = 20;
    private static final String WATCH = "/clusters/fake/api/v1/pods?watch=1";

    private final List<RawHttp2Client> clients = new ArrayList<>();
    private final FakeUpstream fake = new FakeUpstream();
    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        // No window ends within the test, but for one in a million.
        edge = new TestEdge(
                Limited.by(Map.of("limits.floodWindow", Duration.ofDays(365), "limits.streamResetsMax", BUDGET)));
        edge.attach("fake", fake);
    }

    @AfterEach
    void stop() throws Exception {
        clients.forEach(RawHttp2Client::close);
        edge.close();
    }

    @Test
    void requestsGivenUpOnManyConnections_countTogether_andOthersAreServed() throws Exception {
        RawHttp2Client last = client();
        for (int i = 0; i < BUDGET; i++) {
            giveUp(client());
        }
        giveUp(last);
        assertThat(last.end()).isEqualTo("ENHANCE_YOUR_CALM");

        RawHttp2Client next = client();
        RawHttp2Client.Stream refused = next.open(head("jane-token"), true);
        assertThat(refused.next()).isEqualTo("head 429");
        assertThat(refused.next()).contains("\"reason\":\"TooManyRequests\"", "limits.streamResetsMax");
        try (RawClient http1 = edge.client()) {
            RawAnswer alsoRefused = http1.get(WATCH, TestEdge.JANE);
            assertThat(alsoRefused.status()).isEqualTo(429);
            assertThat(alsoRefused.header("Retry-After")).isNotEmpty();
        }
        next.open(head("admin-token"), true);
        assertThat(fake.next().head.target()).as("another caller's request").startsWith("/api/v1/pods");
    }

    @Test
    void requestsLostWithTheirConnection_countToo() throws Exception {
        RawHttp2Client leaving = client();
        for (int i = 0; i <= BUDGET; i++) {
            leaving.open(head("jane-token"), true);
            fake.next();
        }
        leaving.close();

        Await.until(() -> status("jane-token").equals("head 429"));
    }

    @Test
    void requestsOfHttp1_thatAreLeft_countToo() throws Exception {
        for (int i = 0; i <= BUDGET; i++) {
            try (RawClient leaving = edge.client()) {
                leaving.send("GET " + WATCH + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
                assertThat(fake.next().head.target()).startsWith("/api/v1/pods");
            }
        }

        Await.until(() -> status("jane-token").equals("head 429"));
    }

    @Test
    void watchesOfHttp1_thatWereServed_countATenth() throws Exception {
        for (int i = 0; i < 5 * BUDGET; i++) {
            try (RawClient leaving = edge.client()) {
                leaving.send("GET " + WATCH + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
                FakeUpstream.Call watch = fake.next();
                watch.answer(200, "Content-Type: application/json");
                leaving.head();
            }
        }

        client().open(head("jane-token"), true);
        assertThat(fake.next().head.target()).startsWith("/api/v1/pods");
    }

    @Test
    void watchesThatWereServed_mayEndAllAtOnce() throws Exception {
        RawHttp2Client controller = client();
        List<RawHttp2Client.Stream> watches = new ArrayList<>();
        for (int i = 0; i < 5 * BUDGET; i++) {
            RawHttp2Client.Stream watch = controller.open(head("jane-token"), true);
            watches.add(watch);
            fake.next().answer(200, "Content-Type: application/json");
            assertThat(watch.next()).isEqualTo("head 200");
        }
        watches.forEach(RawHttp2Client.Stream::reset);

        assertThat(controller.open(RawHttp2Client.head("GET", "/livez"), true).next())
                .isEqualTo("head 200");
        controller.open(head("jane-token"), true);
        fake.next();
    }

    @Test
    void requestsWithoutACredential_endTheirConnection_andNoOtherOfTheAddress() throws Exception {
        RawHttp2Client anonymous = client();
        for (int i = 0; i <= 10 * BUDGET; i++) {
            RawHttp2Client.Stream begun = anonymous.open(RawHttp2Client.head("POST", "/livez"), false);
            assertThat(begun.next()).isEqualTo("head 405"); // An answer that has begun counts a tenth.
            begun.reset();
        }
        assertThat(anonymous.end()).isEqualTo("ENHANCE_YOUR_CALM");

        assertThat(client().open(RawHttp2Client.head("GET", "/livez"), true).next())
                .as("another connection of this address")
                .isEqualTo("head 200");
    }

    /** A request that has reached the cluster. */
    private void giveUp(RawHttp2Client client) throws InterruptedException {
        RawHttp2Client.Stream watch = client.open(head("jane-token"), true);
        FakeUpstream.Call call = fake.next();
        watch.reset();
        assertThat(call.event()).isEqualTo("cancel");
    }

    private String status(String token) {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            return client.open(head(token), true).next();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private RawHttp2Client client() throws Exception {
        RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address);
        clients.add(client);
        return client;
    }

    private static Http2Headers head(String token) {
        return RawHttp2Client.head("GET", WATCH).add("authorization", "Bearer " + token);
    }
}
