package io.fairlead.clustersync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TestSettings;
import io.fairlead.http.Transport;
import io.fairlead.index.Answer;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.IndexLimits;
import io.fairlead.index.IndexMetrics;
import io.fairlead.index.Lookup;
import io.fairlead.index.Sync;
import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.model.ClusterName;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.EndpointLimits;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.net.address.AddressPolicy;
import io.netty.channel.EventLoopGroup;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A fleet of one attached cluster, over an API server that a test runs. */
public final class FollowedCluster implements AutoCloseable {
    private static final IndexLimits LIMITS = new IndexLimits(256, 8_192, 20_000, 1_000);

    static final ClusterName PROD = new ClusterName("prod");
    private static final Duration NEVER = Duration.ofHours(1);

    public static final SyncSettings QUICK = settings(
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofMillis(800),
            Duration.ofMillis(400),
            Duration.ofSeconds(5));

    /** Finds by its watches alone that a server is back. */
    static final SyncSettings UNPROBED = settings(NEVER, NEVER, NEVER, Duration.ofMillis(400), Duration.ofSeconds(2));

    static final SyncSettings PATIENT = settings(NEVER, NEVER, NEVER, NEVER, NEVER);

    private final List<FakeApiServer> servers = new ArrayList<>();
    final FleetIndex index = new FleetIndex(LIMITS, IndexMetrics.NONE, InstantSource.system());
    final ConcurrentLinkedDeque<ClusterStatus> reports = new ConcurrentLinkedDeque<>();
    private final EventLoopGroup loops = Transport.preferred().newGroup(1, "sync-test");
    private final UpstreamClient upstreams = new UpstreamClient(
            loops,
            Transport.preferred(),
            new AddressPolicy(List.of(), List.of(), true, List::of),
            UpstreamLimits.defaults()
                    .withEndpoints(new EndpointLimits(
                            Duration.ofMillis(100), Duration.ofSeconds(5), 2, 1, 3, Duration.ofSeconds(30))));
    final ClusterSync sync = sync(QUICK);

    ClusterSync sync(SyncSettings settings) {
        return sync(settings, System::nanoTime);
    }

    ClusterSync sync(SyncSettings settings, LongSupplier nanoTime) {
        return new ClusterSync(
                index,
                upstreams,
                name -> ConnectionMetrics.NONE,
                settings,
                reports::add,
                InstantSource.system(),
                new Random(1),
                HistoryMetrics.NONE,
                Duration.ofSeconds(60),
                nanoTime);
    }

    private static SyncSettings settings(
            Duration auditInterval,
            Duration probeInterval,
            Duration probeTimeout,
            Duration lostAfter,
            Duration listTimeout) {
        return new SyncSettings(
                auditInterval,
                probeInterval,
                probeTimeout,
                auditInterval,
                lostAfter,
                listTimeout,
                Duration.ofSeconds(30),
                Duration.ofMillis(20),
                Duration.ofMillis(200),
                3,
                2,
                Duration.ofMillis(5),
                TestSettings.answers(2),
                LIMITS);
    }

    FakeApiServer server(String protocol) {
        FakeApiServer server = new FakeApiServer(protocol);
        servers.add(server);
        return server;
    }

    AttachedScope attach(FakeApiServer server, @Nullable String token) {
        return sync.attach(new AttachedCluster(PROD, spec(server.url()), token));
    }

    static UpstreamSpec spec(URI url) {
        return new UpstreamSpec(List.of(url), FakeApiServer.caPem(), null, null, null);
    }

    Answer lookup(String group, String version, String resource) {
        return index.lookup(PROD, group, version, resource);
    }

    int holders(String group, String version) {
        return index.explain(PROD, group, version, "") instanceof Lookup.Served served
                ? served.holders().size()
                : 0;
    }

    Sync sync() {
        return index.view(PROD).orElseThrow().sync();
    }

    ClusterStatus last() {
        return reports.getLast();
    }

    String reachable() {
        return reports.isEmpty() ? "" : last().reachable().reason();
    }

    static void eventually(BooleanSupplier fact) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!fact.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited for 30 s").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        servers.forEach(FakeApiServer::close);
        sync.close();
        upstreams.close();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly();
    }
}
