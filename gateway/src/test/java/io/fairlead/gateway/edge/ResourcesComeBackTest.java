package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import io.fairlead.config.Configuration;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.metrics.MetricsServer;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Attacks on everything that there is little of, all at once: others are served meanwhile, and nothing is lost for good. */
class ResourcesComeBackTest {
    private static final int EACH = 20;
    private static final int RESETS_MAX = 5;
    private static final long UNPARSED_BYTES_MAX = 256 * 1024;
    private static final Configuration LIMITS = Limited.by(Map.of(
            "limits.unparsedBytesMax",
            UNPARSED_BYTES_MAX,
            "limits.floodWindow",
            Duration.ofDays(365),
            "limits.streamResetsMax",
            RESETS_MAX,
            "limits.bufferedBytesMax",
            8_000_000,
            "limits.bufferedBytesPerClusterMax",
            4_000_000,
            "limits.bufferedBytesPerCallerMax",
            1_000_000));
    private static final String OBJECTS = "/clusters/dev/api/v1/namespaces/x/configmaps";

    private final List<AutoCloseable> attackers = new ArrayList<>();
    private TestEdge edge;
    private MetricsServer probes;
    private int probePort;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(LIMITS);
        edge.host("dev");
        edge.attach("fake", new FakeUpstream());
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        probes = new MetricsServer(anyPort, edge.metrics, edge.health, Duration.ofMinutes(5));
        probePort = probes.start().getPort();
    }

    @AfterEach
    void stop() throws Exception {
        probes.close();
        leave();
        edge.close();
    }

    @Test
    void attacksOnMemoryConnectionsAndProbes_leaveOthersServed_andEndWithoutATrace() throws Exception {
        attackAndAsk(); // Whatever is made once is there from now on.
        leave();
        Await.until(this::isQuiet);
        long descriptors = descriptors();
        long threads = threads();

        attackAndAsk();
        leave();

        Await.until(this::isQuiet);
        Await.until(() -> descriptors() <= descriptors);
        Await.until(() -> threads() <= threads);
    }

    private void attackAndAsk() throws Exception {
        X509Bundle uploader = edge.pki.client("CN=uploader");
        for (int i = 0; i < EACH; i++) {
            RawClient head = attacker(edge.client());
            head.send("GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Padding: " + "x".repeat(40 * 1024));
            RawClient body = attacker(edge.client(uploader));
            body.send("POST " + OBJECTS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
                    + "x".repeat(90_000));
            Socket half = attacker(new Socket(InetAddress.getLoopbackAddress(), probePort));
            half.getOutputStream().write("GET /livez HTTP/1.1\r\n".getBytes(US_ASCII));
            RawHttp2Client resets = attacker(new RawHttp2Client(edge.pki, edge.address));
            resets.openAndReset(
                    RawHttp2Client.head("GET", "/clusters/fake/api/v1/pods?watch=1")
                            .add("authorization", "Bearer jane-token"),
                    2);
            assertOthersAreServed();
        }
        assertMet("limits.unparsedBytesMax");
        assertMet("limits.bufferedBytesPerCallerMax");
        assertMet("limits.streamResetsMax");
    }

    private void assertOthersAreServed() throws IOException {
        try (RawClient admin = edge.client();
                Socket probe = new Socket(InetAddress.getLoopbackAddress(), probePort)) {
            admin.send("POST " + OBJECTS + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.ADMIN
                    + "\r\nContent-Length: 2\r\n\r\n{}");
            assertThat(admin.answer(false).status()).isEqualTo(200);
            probe.setSoTimeout(20_000);
            probe.getOutputStream().write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
            assertThat(new String(probe.getInputStream().readNBytes(15), US_ASCII))
                    .isEqualTo("HTTP/1.1 200 OK");
        }
    }

    private void assertMet(String limit) {
        Await.until(() -> edge.metrics
                        .get("fairlead.limit.reached")
                        .tag("limit", limit)
                        .counter()
                        .count()
                > 0);
    }

    private boolean isQuiet() {
        return edge.buffers.taken() == 0
                && edge.metrics.get("fairlead.client.unparsed.bytes").gauge().value() == 0
                && edge.metrics.get("fairlead.client.connections").gauges().stream()
                        .allMatch(open -> open.value() == 0);
    }

    private void leave() {
        for (AutoCloseable attacker : attackers) {
            try {
                attacker.close();
            } catch (Exception closedAlready) {
                // By the server, which is what it is to do.
            }
        }
        attackers.clear();
    }

    private <T extends AutoCloseable> T attacker(T client) {
        attackers.add(client);
        return client;
    }

    private static long descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
    }

    /** Those that the server made; clients in this process have some too, which end in their own time. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(thread -> thread.getName().toLowerCase(Locale.ROOT))
                .filter(name -> name.startsWith("test-io") || name.startsWith("metrics"))
                .count();
    }
}
