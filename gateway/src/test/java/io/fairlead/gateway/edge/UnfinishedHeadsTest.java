package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients without a credential that begin much and end nothing. */
class UnfinishedHeadsTest {
    private static final long BUDGET = 256 * 1024;
    private static final int CLIENTS = 24;
    private static final int HEAD_BYTES = 40 * 1024;
    private static final int FRAME_BYTES = 16 * 1024;

    private final List<AutoCloseable> clients = new ArrayList<>();
    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(Limited.by(Map.of("limits.unparsedBytesMax", BUDGET)));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable client : clients) {
            client.close();
        }
        edge.close();
    }

    @Test
    void headsOfHttp1_beyondTheBudget_areClosed_andOthersAreAnswered() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            RawClient client = keep(edge.client());
            client.send("GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Padding: " + "x".repeat(HEAD_BYTES));
            assertOthersAreAnswered();
        }
        assertClosedForTheBudget();
    }

    @Test
    void headerBlocksOfHttp2_beyondTheBudget_areClosed_andOthersAreAnswered() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            RawHttp2Client client = keep(new RawHttp2Client(edge.pki, edge.address));
            // The settings are exchanged.
            assertThat(client.open(RawHttp2Client.head("GET", "/livez"), true).last())
                    .isEqualTo("end");
            client.sendRaw(unfinishedBlock());
            assertOthersAreAnswered();
        }
        assertClosedForTheBudget();
    }

    @Test
    void records_beyondTheBudget_areClosed_andOthersAreAnswered() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            Socket client = keep(new Socket(edge.address.getAddress(), edge.address.getPort()));
            byte[] record = new byte[FRAME_BYTES];
            record[0] = 22; // A handshake record of TLS that lacks its last bytes.
            record[1] = 3;
            record[2] = 1;
            record[3] = 0x40;
            record[4] = 0x18;
            client.getOutputStream().write(record);
            assertOthersAreAnswered();
        }
        assertClosedForTheBudget();
    }

    @Test
    void slowHead_thatHoldsLittle_outlivesThoseThatHoldMuch() throws Exception {
        try (RawClient slow = edge.client()) {
            slow.send("GET /livez HTTP/1.1\r\n");
            Await.until(() -> unparsedBytes() > 0);
            for (int i = 0; i < CLIENTS; i++) {
                RawClient client = keep(edge.client());
                client.send("GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Padding: " + "x".repeat(HEAD_BYTES));
            }
            assertClosedForTheBudget();
            slow.send("Host: localhost\r\n\r\n");

            assertThat(slow.answer(false).status()).isEqualTo(200);
        }
    }

    private void assertOthersAreAnswered() throws IOException {
        try (RawClient healthy = edge.client()) {
            assertThat(healthy.get("/livez").status()).isEqualTo(200);
        }
    }

    private void assertClosedForTheBudget() throws Exception {
        Await.until(() -> edge.reached("limits.unparsedBytesMax") > 0);
        Await.until(() -> unparsedBytes() <= BUDGET); // what is closed gives its bytes back on its own event loop
        for (AutoCloseable client : clients) {
            try {
                client.close();
            } catch (SocketException | SSLException e) {
                // Closed by the server already.
            }
        }
        clients.clear();
    }

    private double unparsedBytes() {
        return edge.metrics.get("fairlead.client.unparsed.bytes").gauge().value();
    }

    private <T extends AutoCloseable> T keep(T client) {
        clients.add(client);
        return client;
    }

    /** A HEADERS frame and CONTINUATION frames, as large as they may be, and no end of them. */
    private static byte[] unfinishedBlock() {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        byte[] payload = new byte[FRAME_BYTES];
        frames.writeBytes(FloodTest.frame(0x01, 5, payload));
        frames.writeBytes(FloodTest.frame(0x09, 5, payload));
        return frames.toByteArray();
    }
}
