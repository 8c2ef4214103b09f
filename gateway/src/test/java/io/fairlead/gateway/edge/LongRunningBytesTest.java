package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Watches and streams count by what they keep, which their clients choose. */
class LongRunningBytesTest {
    private final FakeUpstream fake = new FakeUpstream();

    @Test
    void requestsWithLongHeads_areCountedByThem_whileTheyAreOpen() throws Exception {
        String padding = "X-Padding: " + "x".repeat(30_000) + "\r\n";
        try (TestEdge edge = edge(Map.of("limits.longRunningBytesMax", "256Ki"));
                RawClient first = edge.client();
                RawClient second = edge.client();
                RawClient third = edge.client()) {
            String log = "GET /clusters/fake/api/v1/namespaces/x/pods/y/log HTTP/1.1\r\nHost: localhost\r\n" + padding
                    + TestEdge.JANE + "\r\n\r\n";
            first.send(log);
            fake.next();
            second.send(log);

            assertThat(second.answer(false).body()).contains("limits.longRunningBytes");
            ask(third, "/clusters/fake/api/v1/pods?watch=1");
            fake.next();
        }
    }

    /** Of one byte no part is left for a cluster. */
    @Test
    void sizeWithoutRoomForAnything_is429() throws Exception {
        try (TestEdge edge = edge(Map.of("limits.longRunningBytesMax", "1"));
                RawClient client = edge.client()) {
            RawAnswer refused = client.get("/clusters/fake/api/v1/pods?watch=1", TestEdge.JANE);
            assertThat(refused.status()).as(refused.body()).isEqualTo(429);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "longRunningBytesMax, the gateway has the bytes",
        "longRunningBytesPerClusterMax, cluster \\\"fake\\\" has the bytes",
        "longRunningBytesPerCallerMax, user \\\"jane\\\" has the bytes"
    })
    void watches_areCountedByWhatTheyKeep(String key, String full) throws Exception {
        // Room for one plain watch and for one with a selector of a kilobyte, but not for both.
        Map<String, Object> limits = new HashMap<>(
                Map.of("limits.longRunningBytesPerClusterMax", "1Mi", "limits.longRunningBytesPerCallerMax", "1Mi"));
        limits.put("limits." + key, "52Ki");
        String selective = "/clusters/fake/api/v1/pods?watch=1&labelSelector=" + "a,".repeat(500) + "a";
        try (TestEdge edge = edge(limits);
                RawClient watching = edge.client();
                RawClient more = edge.client()) {
            ask(watching, "/clusters/fake/api/v1/pods?watch=1");
            FakeUpstream.Call watch = fake.next();

            RawAnswer refused = more.get(selective, TestEdge.JANE);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.body()).contains(full, "limits." + key);
            assertThat(edge.reached("limits." + key)).isEqualTo(1);

            watch.finish();
            watching.answer(false);
            ask(more, selective);
            fake.next();
        }
    }

    private TestEdge edge(Map<String, Object> limits) throws Exception {
        TestEdge edge = new TestEdge(Limited.by(limits));
        edge.attach("fake", fake);
        return edge;
    }

    private static void ask(RawClient client, String target) throws IOException {
        client.send("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n\r\n");
    }
}
