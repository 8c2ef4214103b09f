package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.usage.Counts;
import io.fairlead.gateway.usage.Usage.OfCaller;
import io.fairlead.model.ClusterName;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests as they are counted by their callers, from their beginning to their end. */
class UsedClustersTest {
    private static final String PODS = "/clusters/fake/api/v1/pods";
    private static final Counts NOTHING = new Counts(0, 0, 0, 0, 0, 0);

    private final FakeUpstream fake = new FakeUpstream();
    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(Limited.by(Map.of(
                "limits.shortCallsPerClusterMax", 1, "limits.watchesPerClusterMax", 1, "limits.queueWait", "20s")));
        edge.attach("fake", fake);
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @Test
    void callsWatchesAndStreams_areThere_asLongAsTheyLast() throws Exception {
        try (RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient watching = edge.client();
                RawClient logs = edge.client()) {
            first.send(get(PODS));
            FakeUpstream.Call underWay = fake.next();
            second.send(get(PODS));
            await(jane -> jane.shortCalls() == 1 && jane.waiting() == 1);
            watching.send(get(PODS + "?watch=1"));
            FakeUpstream.Call watch = fake.next();
            logs.send(get("/clusters/fake/api/v1/namespaces/a/pods/b/log?follow=1"));
            FakeUpstream.Call log = fake.next();
            await(jane -> jane.watches() == 1 && jane.streams() == 1 && jane.requests() == 4 && jane.bytes() > 4_000);

            try (RawClient refused = edge.client()) {
                assertThat(refused.get(PODS + "?watch=1", TestEdge.JANE).status())
                        .isEqualTo(429);
            }
            await(jane -> jane.watches() == 1 && jane.requests() == 5);

            underWay.finish();
            fake.next().finish();
            watch.finish();
            log.finish();
            await(jane -> jane.equals(new Counts(5, 0, 0, 0, 0, 0)));
        }
    }

    @Test
    void clientsThatLeave_leaveNothingBehind() throws Exception {
        try (RawClient first = edge.client();
                RawClient second = edge.client()) {
            first.send(get(PODS));
            fake.next();
            second.send(get(PODS));
            await(jane -> jane.waiting() == 1);
            second.leave();
            await(jane -> jane.waiting() == 0);
            first.leave();
            await(jane -> jane.equals(new Counts(2, 0, 0, 0, 0, 0)));
        }
    }

    /** The end of the first gives its seat to the second, which has it when it ends, before the task that uses it. */
    @Test
    void callThatEndsBetweenItsSeatAndItsUse_leavesNothingBehind() throws Exception {
        try (RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            RawHttp2Client.Stream first = client.open(head(), true);
            fake.next();
            RawHttp2Client.Stream second = client.open(head(), true);
            await(jane -> jane.waiting() == 1);

            client.resetTogether(first, second);
            await(jane -> jane.shortCalls() <= 0 && jane.waiting() <= 0);
            client.open(head(), true);
            fake.next().finish();

            await(jane -> jane.equals(new Counts(3, 0, 0, 0, 0, 0)));
        }
    }

    @Test
    void bodyForAHostedCluster_isAmongTheBytesOfItsCaller() throws Exception {
        edge.host("fake");
        try (RawClient client = edge.client()) {
            client.send("POST " + "/clusters/fake/api/v1/namespaces/a/configmaps HTTP/1.1\r\nHost: localhost\r\n"
                    + TestEdge.JANE + "\r\nContent-Type: application/json\r\nContent-Length: 10001\r\n\r\n"
                    + "x".repeat(10_000));
            await(jane -> jane.bytes() > 11_000);
            client.send("}");
            assertThat(client.answer(false).status()).isEqualTo(200);
            await(jane -> jane.equals(new Counts(1, 0, 0, 0, 0, 0)));
        }
    }

    @Test
    void callerWhoMayNotEnter_isNotCounted() throws Exception {
        edge.root.allow((_, _) -> false);
        try (RawClient client = edge.client()) {
            assertThat(client.get(PODS, TestEdge.JANE).status()).isEqualTo(403);
        }

        assertThat(edge.usage.report(_ -> true).clusters()).isEmpty();
    }

    private void await(Predicate<Counts> state) {
        Await.until(() -> state.test(jane()));
    }

    private Counts jane() {
        return edge.usage.report(_ -> true).callers().stream()
                .filter(one -> one.cluster().equals(new ClusterName("fake"))
                        && one.caller().name().equals("jane"))
                .map(OfCaller::counts)
                .findFirst()
                .orElse(NOTHING);
    }

    private static Http2Headers head() {
        return RawHttp2Client.head("GET", PODS)
                .add("authorization", TestEdge.JANE.substring("Authorization: ".length()));
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n";
    }
}
