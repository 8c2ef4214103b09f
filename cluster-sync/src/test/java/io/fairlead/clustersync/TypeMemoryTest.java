package io.fairlead.clustersync;

import static io.fairlead.clustersync.Crds.crd;
import static io.fairlead.clustersync.FakeApiServer.CRDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.TestSettings;
import io.fairlead.http.Transport;
import io.fairlead.index.ClusterView;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Sync;
import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.model.ClusterName;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.testkit.LiveHeap;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What it costs to follow clusters that define what others define already. */
class TypeMemoryTest {
    private static final int DEFINITIONS = 600;
    private static final int FIELDS = 20; // more of them cost more time, and nothing that stays
    private static final int CLUSTERS = 10;

    /** What earlier tests left goes at some time or other, which disturbs one round: the median counts. */
    private static final int ROUNDS = 3;

    private static final long BYTES_EACH_MAX = 512;

    private final FleetIndex index = FleetIndex.create();
    private int clusters;

    @Test
    void furtherEqualDefinition_costsFewBytes() {
        EventLoopGroup loops = Transport.preferred().newGroup(1, "memory-test");
        try (FakeApiServer empty = new FakeApiServer("h2");
                FakeApiServer full = new FakeApiServer("h2");
                UpstreamClient upstreams = new UpstreamClient(
                        loops,
                        Transport.preferred(),
                        new AddressPolicy(List.of(), List.of(), true, List::of),
                        UpstreamLimits.defaults());
                ClusterSync sync = sync(upstreams)) {
            for (int i = 0; i < DEFINITIONS; i++) {
                full.put(CRDS, "t" + i + ".example.com", definition(i));
            }
            follow(sync, empty, 1);
            long first = cost(() -> follow(sync, full, 1)) / DEFINITIONS;
            assertThat(first).as("bytes for each first definition").isGreaterThan(4 * BYTES_EACH_MAX);

            List<Long> each = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                long ofClusters = cost(() -> follow(sync, empty, CLUSTERS));
                long withTypes = cost(() -> follow(sync, full, CLUSTERS));
                each.add((withTypes - ofClusters) / (CLUSTERS * DEFINITIONS));
            }

            System.getLogger(getClass().getName())
                    .log(System.Logger.Level.INFO, "{0} bytes each first, {1} each further", first, each);
            assertThat(index.types().distinct()).isEqualTo(DEFINITIONS);
            assertThat(index.types().holders()).isEqualTo((long) DEFINITIONS * (ROUNDS * CLUSTERS + 1));
            Collections.sort(each);
            assertThat(each.get(ROUNDS / 2))
                    .as("bytes for each further equal definition, the median of %s", each)
                    .isLessThanOrEqualTo(BYTES_EACH_MAX);
        } finally {
            Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly();
        }
    }

    private ClusterSync sync(UpstreamClient upstreams) {
        return new ClusterSync(
                index,
                upstreams,
                name -> ConnectionMetrics.NONE,
                TestSettings.patient(),
                status -> {},
                InstantSource.system(),
                new Random(1),
                HistoryMetrics.NONE,
                Duration.ofSeconds(60));
    }

    /** Attaches so many clusters, one after the other, all with one server. */
    private void follow(ClusterSync sync, FakeApiServer server, int count) {
        for (int i = 0; i < count; i++) {
            ClusterName name = new ClusterName("c" + clusters++);
            sync.attach(new AttachedCluster(
                    name, new UpstreamSpec(List.of(server.url()), FakeApiServer.caPem(), null, null, null), null));
            for (int wait = 0; !isSynced(name); wait++) {
                assertThat(wait).as("waits for %s", name).isLessThan(6_000);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    private boolean isSynced(ClusterName name) {
        return index.view(name).map(ClusterView::sync).orElse(Sync.UNSYNCED) == Sync.SYNCED;
    }

    private static ObjectNode definition(int number) {
        ObjectNode crd = crd("t" + number, "example.com", "v1");
        crd.withObject("metadata").put("uid", new UUID(7, number).toString());
        ObjectNode schema = crd.withObject("spec")
                .withArray("versions")
                .get(0)
                .withObject("schema")
                .withObject("openAPIV3Schema");
        schema.put("type", "object");
        for (int field = 0; field < FIELDS; field++) {
            schema.withObject("properties")
                    .withObject("field" + field + "of" + number)
                    .put("type", "string")
                    .put("description", "What the field is for, in a few words.")
                    .put("maxLength", field);
        }
        return crd;
    }

    /** How much more of the heap is in use after something was done. */
    private static long cost(Runnable work) {
        long before = LiveHeap.bytes();
        work.run();
        return LiveHeap.bytes() - before;
    }
}
