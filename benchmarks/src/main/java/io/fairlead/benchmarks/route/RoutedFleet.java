package io.fairlead.benchmarks.route;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.authn.Authenticated;
import io.fairlead.gateway.authn.Authentication;
import io.fairlead.gateway.authn.ClientCertificates;
import io.fairlead.gateway.authn.FailedAttempts;
import io.fairlead.gateway.authn.StaticTokens;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.enter.Entered;
import io.fairlead.gateway.enter.Gate;
import io.fairlead.gateway.flow.Admitted;
import io.fairlead.gateway.flow.Flow;
import io.fairlead.gateway.impersonate.AccessReviews;
import io.fairlead.gateway.impersonate.Impersonation;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.listen.Received;
import io.fairlead.gateway.route.AggregatedBackends;
import io.fairlead.gateway.route.IndexedTypes;
import io.fairlead.gateway.route.Router;
import io.fairlead.gateway.select.Selector;
import io.fairlead.gateway.select.Target;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.UserInfo;
import io.fairlead.net.Exchange;
import io.fairlead.net.RequestHead;
import io.fairlead.net.ResponseReceiver;
import io.fairlead.net.UpgradeReceiver;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamSpec;
import io.netty.channel.EventLoop;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A fleet whose clusters each serve 200 custom resources, and the stages before the route stage. */
final class RoutedFleet {
    static final int DEFINITIONS = 200;
    private static final Set<HolderType> TYPES = Set.of(HolderType.BUILT_IN, HolderType.CRD);
    private static final String TOKEN = "benchmark-token";

    private final FleetIndex index = FleetIndex.create();
    private final List<ClusterName> clusters = new ArrayList<>();
    private final Map<ClusterName, HostedCluster> hosted = new HashMap<>();
    private final Map<ClusterName, ClusterEntry.Attached> attached = new HashMap<>();
    private final ConcurrentMap<ClusterName, Long> heardNanos = new ConcurrentHashMap<>();
    private final LongAdder counted = new LongAdder();
    private final Selector selector = new Selector(ClusterName.ROOT, List.of(), null);
    private final Authentication authentication = new Authentication(
            ClientCertificates.signedBy(null),
            null,
            List.of(StaticTokens.parse(TOKEN + ",benchmark,1,\"" + ClusterAccess.ADMINS + "\"")),
            new FailedAttempts(1, System::nanoTime),
            _ -> {});
    private final Gate gate =
            new Gate(new ClusterAccess(new Routed(ClusterName.ROOT)), ClusterEntry.NotRegistered::new);
    private final Impersonation impersonation = new Impersonation(new AccessReviews(DefaultLimits.FRONT_END, _ -> {}));
    private final Flow flow = new Flow(DefaultLimits.FRONT_END, _ -> {});

    RoutedFleet(int clusterCount, boolean saysItsResources) {
        for (int number = 0; number < clusterCount; number++) {
            ClusterName name = new ClusterName("cluster-" + number);
            clusters.add(name);
            index.open(name, TYPES).relist(TYPES, holders(saysItsResources), "1");
            hosted.put(name, new Routed(name));
            attached.put(name, new ClusterEntry.Attached(name, backend(), backend(), _ -> {}, HistoryModes.UNSET));
            heardNanos.put(name, System.nanoTime());
        }
    }

    List<ClusterName> clusters() {
        return clusters;
    }

    HostedCluster hosted(ClusterName cluster) {
        return hosted.getOrDefault(cluster, new Routed(cluster));
    }

    ClusterEntry.Attached attached(ClusterName cluster) {
        return attached.getOrDefault(
                cluster, new ClusterEntry.Attached(cluster, backend(), null, _ -> {}, HistoryModes.UNSET));
    }

    static String plural(int definition) {
        return "t" + definition;
    }

    /** The stage that is measured, over the index as the gateway asks it; counts routes as metrics do. */
    Router router() {
        return new Router(
                new IndexedTypes(index, this::silentNanos),
                AggregatedBackends.NONE,
                (_, _) -> counted.increment(),
                Duration.ofSeconds(2),
                1_000);
    }

    /** A request that has been through all stages before this one. */
    Admitted admitted(HeardRequests heard, String target) throws Exception {
        Received received = heard.get(target, TOKEN);
        Described described = Described.of(selector.select(received));
        Authenticated authenticated = authentication.authenticate(described);
        Entered entered = gate.enter(authenticated, (Target.Cluster) described.target());
        Admitted admitted =
                flow.admitAtOnce(impersonation.asThemselves(entered)).orElseThrow();
        admitted.share().over();
        return admitted;
    }

    /** As long as it takes for a cluster with two watches. */
    private long silentNanos(ClusterName cluster) {
        long heard = heardNanos.getOrDefault(cluster, 0L);
        long one = System.nanoTime() - heard;
        long other = System.nanoTime() - heard;
        return Math.max(one, other) < 0 ? 1 : 0;
    }

    /** An API server that says with which resources it serves its own versions, as a hosted cluster does, or does not. */
    private static List<Holder> holders(boolean saysItsResources) {
        List<Holder> holders = new ArrayList<>();
        GroupVersion core = new GroupVersion("", "v1");
        holders.add(new Holder(
                HolderType.BUILT_IN,
                "v1.",
                "v1.",
                "1",
                List.of(saysItsResources ? Contribution.of(core, Set.of("pods")) : Contribution.unlisted(core))));
        for (int number = 0; number < DEFINITIONS; number++) {
            Contribution contribution = Contribution.of(new GroupVersion("example.com", "v1"), Set.of(plural(number)));
            holders.add(new Holder(
                    HolderType.CRD, plural(number) + ".example.com", "u" + number, "1", List.of(contribution)));
        }
        return holders;
    }

    private static ClusterEntry.Backend backend() {
        return new ClusterEntry.Backend(
                new Unconnected(),
                List.of(URI.create("https://api.example")),
                new UpstreamIdentity.Impersonate(false, Set.of()));
    }

    /** A hosted cluster that allows everything and is asked for nothing. */
    private record Routed(ClusterName name) implements HostedCluster {
        @Override
        public Decision authorize(UserInfo user, RequestInfo request) {
            return new Decision.Allowed();
        }

        @Override
        public Handler crdRuntime() {
            throw new IllegalStateException("nothing is served here");
        }

        @Override
        public Handler baseHandler() {
            throw new IllegalStateException("nothing is served here");
        }

        @Override
        public AutoCloseable observeTypes(Consumer<TypeEvent> observer) {
            return () -> {};
        }
    }

    /** The connections to servers that are never asked. */
    private static final class Unconnected implements Upstream {
        @Override
        public Exchange send(RequestHead head, Kind kind, @Nullable EventLoop preferred, ResponseReceiver receiver) {
            throw new IllegalStateException("nothing is sent here");
        }

        @Override
        public Exchange upgrade(RequestHead head, String protocols, EventLoop loop, UpgradeReceiver receiver) {
            throw new IllegalStateException("nothing is sent here");
        }

        @Override
        public void reconfigure(UpstreamSpec spec) {}

        @Override
        public void close() {}
    }
}
