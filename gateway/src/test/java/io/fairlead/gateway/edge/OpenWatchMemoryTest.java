package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.LiveHeap;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an open watch of a hosted cluster keeps of its request: clients choose how large that is, and how many they open. */
class OpenWatchMemoryTest {
    private static final int WATCHES = 100;
    private static final int HEAD_BYTES = 40_000;

    @Test
    void head_isNotKept() throws Exception {
        try (TestEdge edge = new TestEdge();
                RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            edge.host("dev").answer(_ -> new HostedAnswerFixture.Gated().response());
            List<RawHttp2Client.Stream> open = new ArrayList<>();
            open.add(watch(client, 10));
            long before = LiveHeap.bytes();
            for (int i = 0; i < WATCHES; i++) {
                open.add(watch(client, HEAD_BYTES));
            }

            long kept = (LiveHeap.bytes() - before) / WATCHES;
            assertThat(kept).isLessThan(HEAD_BYTES / 2);
            assertThat(open).hasSize(WATCHES + 1);
        }
    }

    private static RawHttp2Client.Stream watch(RawHttp2Client client, int bytes) throws InterruptedException {
        RawHttp2Client.Stream stream = client.open(
                RawHttp2Client.head("GET", "/clusters/dev/api/v1/pods?watch=1")
                        .add("authorization", "Bearer jane-token")
                        .add("x-padding", "x".repeat(bytes)),
                true);
        assertThat(stream.next()).isEqualTo("head 200");
        return stream;
    }
}
