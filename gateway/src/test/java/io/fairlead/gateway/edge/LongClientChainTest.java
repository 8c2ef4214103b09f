package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Certificates of clients are kept while their connections are open, before it is known who sent them. */
class LongClientChainTest {
    @Test
    void chainOfTooManyBytes_endsTheHandshake() throws Exception {
        try (TestEdge edge = new TestEdge()) {
            assertThat(isAnswered(edge, 8_000)).isTrue();
            assertThat(isAnswered(edge, 20_000)).isFalse();
        }
    }

    private static boolean isAnswered(TestEdge edge, int nameLength) {
        X509Bundle certificate = edge.pki.client("CN=" + "x".repeat(nameLength));
        try (RawClient client = new RawClient(edge.pki.tls(certificate), edge.address, null)) {
            return client.get("/version", "Accept: */*").status() > 0;
        } catch (IOException ended) {
            return false;
        }
    }
}
