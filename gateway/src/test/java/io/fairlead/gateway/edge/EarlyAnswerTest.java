package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers to requests whose body is still being sent: the client gets all of them. */
class EarlyAnswerTest {
    private static final int BODY_BYTES_MAX = 512 * 1024;
    private static final String PIECE = "x".repeat(1 << 14);
    private static final int PIECES = 64;
    private static final int SOME_PIECES = 16;

    private TestEdge edge;
    private RawHttp2Client client;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(
                Limited.by(Map.of("limits.hostedBodyBytesMax", BODY_BYTES_MAX, "limits.proxiedBodyBytesMax", 1 << 20)));
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
        assertThat(stream.next()).contains("\"kind\":\"Status\"", "impersonate-anything");
        assertThat(stream.next()).isEqualTo("end");

        stream.send("{}", true);
        assertThat(stream.next()).as("a second later it is reset").isIn("closed", "reset NO_ERROR");
    }

    /** RFC 9113 section 8.1: the complete answer, and then a reset with NO_ERROR. */
    @Test
    void refusal_overHttp2_isCompleteBeforeTheResetOfALargeBody() throws Exception {
        RawHttp2Client.Stream stream = impersonating();
        for (int i = 0; i < PIECES; i++) {
            stream.send(PIECE, false);
        }

        assertThat(stream.next()).isEqualTo("head 403");
        assertThat(stream.next()).contains("\"kind\":\"Status\"", "impersonate-anything");
        assertThat(stream.next()).isEqualTo("end");
        assertThat(stream.next()).isEqualTo("reset NO_ERROR");
    }

    /** RFC 9112 section 9.6: a connection that is closed at once would be reset, and the answer lost with it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        401 | Unauthorized          | Content-Length: 500000 | Authorization: Bearer unknown
        403 | Forbidden             | Content-Length: 500000 | Impersonate-Anything: x
        413 | RequestEntityTooLarge | Content-Length: 600000 | Accept: */*
        """)
    void refusal_overHttp1_isReadByAClientThatStillSends(int status, String reason, String length, String field)
            throws Exception {
        try (RawClient http1 = edge.client()) {
            sendBeside(http1, post(length, field) + PIECE.repeat(SOME_PIECES));

            RawAnswer answer = http1.answer(false);
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).contains("\"kind\":\"Status\"", "\"reason\":\"" + reason + "\"");
        }
    }

    @Test
    void refusal_overHttp1_ofAnUploadWithoutALength_isReadByAClientThatStillSends() throws Exception {
        String chunk = Integer.toHexString(PIECE.length()) + "\r\n" + PIECE + "\r\n";
        try (RawClient http1 = edge.client()) {
            sendBeside(http1, post("Transfer-Encoding: chunked", "Accept: */*") + chunk.repeat(PIECES));

            RawAnswer answer = http1.answer(false);
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.body()).contains("\"kind\":\"Status\"", "\"reason\":\"RequestEntityTooLarge\"");
        }
    }

    /** Sends as long as somebody takes it; meanwhile the answer can be read. */
    private static void sendBeside(RawClient http1, String request) {
        Thread.ofVirtual().start(() -> {
            try {
                http1.send(request);
            } catch (IOException ended) {
                // The server has ended the connection after its answer, which is what the test looks at.
            }
        });
    }

    private static String post(String length, String field) {
        String credential = field.startsWith("Authorization") ? "" : TestEdge.ADMIN + "\r\n";
        return "POST /clusters/dev/api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: localhost\r\n" + credential
                + length + "\r\n" + field + "\r\n\r\n";
    }

    private RawHttp2Client.Stream impersonating() {
        return client.open(
                RawHttp2Client.head("POST", "/clusters/dev/api/v1/namespaces/default/configmaps")
                        .add("authorization", "Bearer admin-token")
                        .add("impersonate-anything", "x"),
                false);
    }
}
