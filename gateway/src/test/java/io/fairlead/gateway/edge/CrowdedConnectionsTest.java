package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As many connections as there may be: of clients that say nothing, or of one caller. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrowdedConnectionsTest {
    private static final String TARGET = "/clusters/dev/api/v1/namespaces";
    private static final int CONNECTIONS_MAX = 6;
    private static final int PER_CALLER_MAX = 3;

    private final List<AutoCloseable> clients = new ArrayList<>();
    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(Limited.by(Map.of(
                "limits.connectionsMax",
                CONNECTIONS_MAX,
                "limits.connectionsPerAddressMax",
                CONNECTIONS_MAX,
                "limits.connectionsPerCallerMax",
                PER_CALLER_MAX)));
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
        List<RawClient> known = connectionsOf(TestEdge.ADMIN);
        List<RawClient> alsoKnown = connectionsOf(TestEdge.JANE);

        assertThat(isClosed(keep(edge.client()))).isTrue();
        for (RawClient client : known) {
            assertThat(read(client)).isEqualTo(200);
        }
        for (RawClient client : alsoKnown) {
            assertThat(read(client, TestEdge.JANE)).isEqualTo(200);
        }
    }

    @Test
    void callerWithAllItsConnections_isRefusedOnMore_andOthersFindPlaces() throws Exception {
        List<RawClient> known = connectionsOf(TestEdge.ADMIN);
        List<RawClient> more = new ArrayList<>();
        for (int i = PER_CALLER_MAX; i < CONNECTIONS_MAX; i++) {
            RawClient client = keep(edge.client());
            RawAnswer refused = client.get(TARGET, TestEdge.ADMIN);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("1");
            assertThat(refused.body()).contains("too many open connections of user", "limits.connectionsPerCallerMax");
            more.add(client);
        }

        connectionsOf(TestEdge.JANE);
        for (RawClient client : more) {
            assertThat(isClosed(client)).as("it was refused, so it made room").isTrue();
        }
        for (RawClient client : known) {
            assertThat(read(client)).isEqualTo(200);
        }
    }

    @Test
    void connectionOnWhichACallerWasRefused_servesIt_onceAnotherOfItsOwnIsClosed() throws Exception {
        List<RawClient> known = connectionsOf(TestEdge.ADMIN);
        RawClient another = keep(edge.client());
        assertThat(read(another)).isEqualTo(429);

        known.getFirst().close();

        int status;
        do {
            Await.moment(); // Its place is given back when its end has come here.
            status = read(another);
        } while (status == 429);
        assertThat(status).isEqualTo(200);
    }

    @Test
    void http2Connections_countForTheirCallerToo() throws Exception {
        connectionsOf(TestEdge.ADMIN);
        RawHttp2Client another = new RawHttp2Client(edge.pki, edge.address);
        clients.add(another);

        RawHttp2Client.Stream refused =
                another.open(RawHttp2Client.head("GET", TARGET).add("authorization", "Bearer admin-token"), true);

        assertThat(refused.next()).isEqualTo("head 429");
        assertThat(refused.next()).contains("limits.connectionsPerCallerMax");
    }

    /** As many as one caller may have. */
    private List<RawClient> connectionsOf(String credential) throws IOException {
        List<RawClient> connections = new ArrayList<>();
        for (int i = 0; i < PER_CALLER_MAX; i++) {
            RawClient client = keep(edge.client());
            assertThat(read(client, credential)).isEqualTo(200);
            connections.add(client);
        }
        return connections;
    }

    private static int read(RawClient client) throws IOException {
        return read(client, TestEdge.ADMIN);
    }

    private static int read(RawClient client, String credential) throws IOException {
        return client.get(TARGET, credential).status();
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
