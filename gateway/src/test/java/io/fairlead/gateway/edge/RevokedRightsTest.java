package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.gateway.proxy.StandingRights;
import io.fairlead.model.ClusterName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rights that are withdrawn while the body of a request trickles in. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RevokedRightsTest {
    private static final int CHUNKED_BYTES = (Framing.CHUNKED.first + Framing.CHUNKED.second).length();

    /** How a body of four bytes is sent, and its two halves. */
    private enum Framing {
        SIZED("Content-Length: 4", "{ ", " }"),
        CHUNKED("Transfer-Encoding: chunked", "2\r\n{ \r\n", "2\r\n }\r\n0\r\n\r\n");

        private final String header;
        private final String first;
        private final String second;

        Framing(String header, String first, String second) {
            this.header = header;
            this.first = first;
            this.second = second;
        }
    }

    private final List<Slow> slow = new ArrayList<>();
    private final List<String> mayNotBeBob = new CopyOnWriteArrayList<>();

    /** The attached clusters that a whole body came to, once for each. */
    private final List<String> gotWhole = new CopyOnWriteArrayList<>();

    private TestEdge edge;

    /** A request of which half of the body was sent. */
    private record Slow(String cluster, RawClient client, Framing framing) {
        RawAnswer finish() throws IOException {
            client.send(framing.second);
            return client.answer(false);
        }
    }

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
    }

    @AfterEach
    void stop() throws Exception {
        for (Slow one : slow) {
            one.client().close();
        }
        edge.close();
    }

    @Test
    void rightsRevokedWhileTheBodyTrickles_areNotUsed_andOtherRequestsArriveWhole() throws Exception {
        List<FakeHosted> hosted = new ArrayList<>();
        for (String cluster : List.of("kept", "left", "strict")) {
            hosted.add(host("dev-" + cluster));
            attach("prod-" + cluster);
            for (Framing framing : Framing.values()) {
                begin("dev-" + cluster, framing);
                begin("prod-" + cluster, framing);
            }
        }

        edge.root.allow(
                (_, right) -> !right.verb().equals("access") || !right.name().endsWith("left"));
        mayNotBeBob.addAll(List.of("dev-strict", "prod-strict"));
        edge.server.forget(new ClusterName("prod-strict")); // whose answers hold for ten seconds
        awaitTheHold();

        for (Slow one : slow) {
            RawAnswer answer = one.finish();
            switch (one.cluster().substring(one.cluster().indexOf('-') + 1)) {
                case "kept" -> assertThat(answer.status()).isEqualTo(200);
                case "left" -> assertForbidden(answer, "cannot access the resource \\\"clusters\\\"");
                default -> assertForbidden(answer, "cannot impersonate resource \\\"users\\\"");
            }
        }
        assertThat(hosted.getFirst().requests()).hasSize(2).allMatch(request -> request.body().length == 4);
        assertThat(hosted.subList(1, 3)).allMatch(cluster -> cluster.requests().isEmpty());
        assertThat(gotWhole).containsExactly("prod-kept", "prod-kept");
    }

    private static void assertForbidden(RawAnswer answer, String words) {
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.body()).contains(words);
    }

    private FakeHosted host(String name) {
        FakeHosted cluster = edge.host(name);
        cluster.allow((_, right) -> !right.verb().equals("impersonate") || !mayNotBeBob.contains(name));
        return cluster;
    }

    private void attach(String name) {
        RawUpstream cluster = edge.attach(name);
        cluster.answer((head, in, out) -> {
            if (head.contains("subjectaccessreviews")) {
                in.readNBytes(length(head));
                RawUpstream.respond(out, 201, "{\"status\":{\"allowed\":" + !mayNotBeBob.contains(name) + "}}");
            } else {
                int bodyBytes = head.contains("content-length") ? 4 : CHUNKED_BYTES;
                if (in.readNBytes(bodyBytes).length == bodyBytes) {
                    gotWhole.add(name);
                }
                RawUpstream.respond(out, 200, "{}");
            }
        });
    }

    /** Returns when half of the body is on its way to the cluster, or held for it. */
    private void begin(String cluster, Framing framing) throws Exception {
        RawClient client = edge.client();
        slow.add(new Slow(cluster, client, framing));
        client.send("POST /clusters/" + cluster + "/api/v1/namespaces/a/configmaps HTTP/1.1\r\nHost: localhost\r\n"
                + TestEdge.JANE + "\r\nImpersonate-User: bob\r\n" + framing.header
                + "\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n\r\n");
        assertThat(client.head().status()).isEqualTo(100);
        client.send(framing.first);
    }

    /** Until rights must be asked for again, which is measured by the system's clock. */
    static void awaitTheHold() {
        long began = System.nanoTime();
        Await.until(() -> System.nanoTime() - began > StandingRights.HOLD_NANOS);
    }

    private static int length(String head) {
        return head.lines()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow();
    }
}
