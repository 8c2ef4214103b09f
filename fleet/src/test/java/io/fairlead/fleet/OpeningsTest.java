package io.fairlead.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.ClusterSync;
import io.fairlead.fleet.Openings.Ticket;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.http.Transport;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.model.ClusterName;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.address.AddressPolicy;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpeningsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final Transport transport = Transport.preferred();
    private final EventLoopGroup loops = transport.newGroup(1, "openings-test");
    private final UpstreamClient upstreams = new UpstreamClient(
            loops, transport, new AddressPolicy(List.of(), List.of(), true, List::of), UpstreamLimits.defaults());
    private final ClusterSync sync = new ClusterSync(
            FleetIndex.create(),
            upstreams,
            _ -> ConnectionMetrics.NONE,
            TestSettings.sync(),
            new StatusInbox(),
            InstantSource.system(),
            new Random(1),
            HistoryMetrics.NONE,
            Duration.ofSeconds(60));

    private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> opened = new LinkedBlockingQueue<>();
    private final Semaphore gate = new Semaphore(0);
    private final Openings openings = new Openings(1, this::open, name -> opened.add(name.value()));

    @BeforeEach
    void start() {
        openings.start();
    }

    @AfterEach
    void close() {
        openings.close();
        sync.close();
        upstreams.close();
        root.close();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    @Test
    void cluster_thatIsWaitedFor_isOpenedNext() throws Exception {
        openings.begin(new ClusterName("first"), BuiltIns.CORE);
        assertThat(next(begun)).isEqualTo("first");
        Ticket second = openings.begin(new ClusterName("second"), BuiltIns.CORE);
        Ticket wanted = openings.begin(new ClusterName("wanted"), BuiltIns.CORE);
        assertThat(wanted.await(Duration.ZERO)).isFalse();
        gate.release(3);

        assertThat(wanted.await(PATIENCE)).isTrue();
        assertThat(second.await(PATIENCE)).isTrue();
        assertThat(List.of(next(opened), next(opened), next(opened))).containsExactly("first", "wanted", "second");
        assertThat(wanted.opened().map(HostedCluster::name)).contains(new ClusterName("wanted"));
    }

    @Test
    void opening_thatFailsWithAnError_isToldAndDelaysNoOther() throws Exception {
        Ticket broken = openings.begin(new ClusterName("broken"), BuiltIns.CORE);
        Ticket next = openings.begin(new ClusterName("next"), BuiltIns.CORE);
        gate.release(2);

        assertThat(next.await(PATIENCE)).isTrue();
        assertThat(broken.await(PATIENCE)).isFalse();
        assertThat(broken.failed()).isTrue();
        assertThat(next.failed()).isFalse();
    }

    @Test
    void ticket_thatIsClosed_opensNothing() throws Exception {
        openings.begin(new ClusterName("first"), BuiltIns.CORE);
        assertThat(next(begun)).isEqualTo("first");
        Ticket second = openings.begin(new ClusterName("second"), BuiltIns.CORE);
        Ticket third = openings.begin(new ClusterName("third"), BuiltIns.CORE);
        second.close();
        gate.release(3);

        assertThat(third.await(PATIENCE)).isTrue();
        assertThat(second.await(PATIENCE)).isFalse();
        assertThat(begun).containsExactly("third");
    }

    private Member.Hosted open(ClusterName name, BuiltIns builtIns) {
        begun.add(name.value());
        gate.acquireUninterruptibly();
        if (name.value().equals("broken")) {
            throw new StackOverflowError("injected");
        }
        HostedCluster cluster = root.hosted.open(name);
        return new Member.Hosted(cluster, sync.follow(name, new HostedTypes(cluster, sync.types())));
    }

    private static String next(BlockingQueue<String> queue) throws InterruptedException {
        String next = queue.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return String.valueOf(next);
    }
}
