package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that speak plain HTTP to the port of TLS. */
class PlainHttpTest {
    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /api HTTP/1.1", "HEAD / HTTP/1.1", "DELETE /x HTTP/1.1", "OPTIONS * HTTP/1.1"})
    void request_isRefusedInPlainWords(String requestLine) throws Exception {
        try (Socket client = connect()) {
            send(client, requestLine + "\r\nHost: localhost\r\n\r\n");

            assertRefused(client);
        }
        assertThat(edge.metrics.scrape()).contains("fairlead_client_handshakes_failed_total 1.0");
    }

    @Test
    void requestInPieces_andALongBody_areRefused() throws Exception {
        try (Socket client = connect()) {
            client.setTcpNoDelay(true);
            send(client, "PO");
            send(client, "ST /api/v1/namespaces HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n");
            send(client, "x".repeat(200_000));

            assertRefused(client);
        }
    }

    @Test
    void whatIsNeitherHttpNorTls_isClosedWithoutAWord() throws Exception {
        for (String noise :
                new String[] {"SSH-2.0-client\r\n", "\u0000\u0001\u0002\u0003\u0004\u0005", "HELLO WORLD\r\n"}) {
            try (Socket client = connect()) {
                send(client, noise);

                assertThat(new String(client.getInputStream().readAllBytes(), ISO_8859_1))
                        .doesNotContain("HTTP");
            }
        }
    }

    private Socket connect() throws Exception {
        Socket client = new Socket(edge.address.getAddress(), edge.address.getPort());
        client.setSoTimeout(20_000);
        return client;
    }

    private static void send(Socket client, String text) throws Exception {
        client.getOutputStream().write(text.getBytes(ISO_8859_1));
        client.getOutputStream().flush();
    }

    private static void assertRefused(Socket client) throws Exception {
        assertThat(new String(client.getInputStream().readAllBytes(), ISO_8859_1))
                .startsWith("HTTP/1.0 400 Bad Request\r\n")
                .endsWith("\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
    }
}
