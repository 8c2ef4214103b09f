package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers to requests whose body is still being sent: the client gets all of them. */
class EarlyAnswerTest {
    private static final String PIECE = "x".repeat(1 << 14);
    private static final int PIECES = 64;

    private TestEdge edge;
    private RawHttp2Client client;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        edge.host("dev");
        client = new RawHttp2Client(edge.pki, edge.address);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        edge.close();
    }

    @Test
    void refusal_overHttp2_isCompleteBeforeTheRestOfASmallBody() throws Exception {
        RawHttp2Client.Stream stream = impersonating();

        assertThat(stream.next()).isEqualTo("head 403");
        assertThat(stream.next()).contains("\"kind\":\"Status\"", "impersonation");
        assertThat(stream.next()).isEqualTo("end");

        stream.send("{}", true);
        assertThat(stream.next()).isEqualTo("closed");
    }

    /** RFC 9113 section 8.1: the complete answer, and then a reset with NO_ERROR. */
    @Test
    void refusal_overHttp2_isCompleteBeforeTheResetOfALargeBody() throws Exception {
        RawHttp2Client.Stream stream = impersonating();
        for (int i = 0; i < PIECES; i++) {
            stream.send(PIECE, false);
        }

        assertThat(stream.next()).isEqualTo("head 403");
        assertThat(stream.next()).contains("\"kind\":\"Status\"", "impersonation");
        assertThat(stream.next()).isEqualTo("end");
        assertThat(stream.next()).isEqualTo("reset NO_ERROR");
    }

    private RawHttp2Client.Stream impersonating() {
        return client.open(
                RawHttp2Client.head("POST", "/clusters/dev/api/v1/namespaces/default/configmaps")
                        .add("authorization", "Bearer admin-token")
                        .add("impersonate-user", "somebody"),
                false);
    }
}
