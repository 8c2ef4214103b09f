package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.listen.EdgeLimits;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As many connections as there may be, most of them of clients that say nothing. */
class CrowdedConnectionsTest {
    private static final int CONNECTIONS_MAX = 4;

    private final List<AutoCloseable> clients = new ArrayList<>();
    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(Limited.connections(new EdgeLimits.Connections(
                CONNECTIONS_MAX, CONNECTIONS_MAX, Duration.ofSeconds(10), Duration.ofMinutes(3))));
        edge.host("dev");
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable client : clients) {
            client.close();
        }
        edge.close();
    }

    @Test
    void silentConnections_giveTheirPlacesToNewOnes_theOldestFirst() throws Exception {
        RawClient known = keep(edge.client());
        assertThat(read(known)).isEqualTo(200);
        List<RawClient> silent = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS_MAX; i++) {
            RawClient client = keep(edge.client());
            assertThat(client.get("/livez").status()).isEqualTo(200); // The handshake is done, and shows no credential.
            silent.add(client);
        }

        assertThat(isClosed(silent.getFirst())).isTrue();
        assertThat(silent.getLast().get("/livez").status()).isEqualTo(200);
        assertThat(read(keep(edge.client()))).isEqualTo(200);
        assertThat(read(known)).isEqualTo(200);
        assertThat(isClosed(silent.get(1))).isTrue();
    }

    @Test
    void connectionsOfCallersThatAreKnown_areNotClosedForNewOnes() throws Exception {
        for (int i = 0; i < CONNECTIONS_MAX; i++) {
            RawClient known = keep(edge.client());
            assertThat(read(known)).isEqualTo(200);
        }

        assertThat(isClosed(keep(edge.client()))).isTrue();
        for (AutoCloseable known : clients.subList(0, CONNECTIONS_MAX)) {
            assertThat(read((RawClient) known)).isEqualTo(200);
        }
    }

    private static int read(RawClient client) throws IOException {
        return client.get("/clusters/dev/api/v1/namespaces", TestEdge.ADMIN).status();
    }

    /** By an end or, while it wrote, by a reset. */
    private static boolean isClosed(RawClient client) throws IOException {
        try {
            return client.isClosed();
        } catch (SocketException | SSLException e) {
            return true;
        }
    }

    private RawClient keep(RawClient client) {
        clients.add(client);
        return client;
    }
}
