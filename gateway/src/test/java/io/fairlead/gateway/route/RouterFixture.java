package io.fairlead.gateway.route;

import static io.fairlead.index.HolderType.API_SERVICE;
import static io.fairlead.index.HolderType.BUILT_IN;
import static io.fairlead.index.HolderType.CRD;
import static io.fairlead.index.HolderType.PUBLICATION;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.config.LimitSettings;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.authn.Authenticated;
import io.fairlead.gateway.authn.Authentication;
import io.fairlead.gateway.authn.ClientCertificates;
import io.fairlead.gateway.authn.FailedAttempts;
import io.fairlead.gateway.authn.StaticTokens;
import io.fairlead.gateway.authz.Authorized;
import io.fairlead.gateway.authz.Targets;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.enter.Entered;
import io.fairlead.gateway.enter.Gate;
import io.fairlead.gateway.flow.Admitted;
import io.fairlead.gateway.flow.Flow;
import io.fairlead.gateway.impersonate.AccessReviews;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.impersonate.Impersonation;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.listen.TestHead;
import io.fairlead.gateway.select.Selector;
import io.fairlead.gateway.select.Target;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.index.Answer;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Location;
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
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A router over an index and clusters that are a test's own. */
abstract class RouterFixture {
    private static final Targets TARGETS = new Targets(
            ClusterEntry.NotRegistered::new,
            (target, source, namespace) -> {},
            new AccessReviews(Limited.BY_DEFAULT.limits(), _ -> {}));

    static final Set<HolderType> TYPES = Set.of(BUILT_IN, CRD, API_SERVICE, PUBLICATION);
    static final ClusterName PROD = new ClusterName("prod");
    static final String FOOS = "/apis/example.com/v1/namespaces/default/foos";
    static final Duration LONG = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofMillis(1);

    final FleetIndex index = FleetIndex.create();
    final ClusterLedger ledger = index.open(PROD, TYPES);
    final Queue<String> routed = new ConcurrentLinkedQueue<>();
    final Hosted hosted = new Hosted(PROD);
    final Questions questions = new Questions();

    enum Registered {
        HOSTED,
        ATTACHED,
        WITH_RUNTIME
    }

    ClusterEntry entry(Registered as) {
        return switch (as) {
            case HOSTED -> new ClusterEntry.Hosted(hosted);
            case ATTACHED -> attached(false);
            case WITH_RUNTIME -> attached(true);
        };
    }

    static ClusterEntry.Attached attached(boolean withRuntime) {
        return new ClusterEntry.Attached(
                PROD, backend("base"), withRuntime ? backend("runtime") : null, _ -> {}, HistoryModes.UNSET);
    }

    static ClusterEntry.Backend backend(String host) {
        return new ClusterEntry.Backend(
                new Unconnected(),
                List.of(URI.create("https://" + host)),
                new UpstreamIdentity.Impersonate(false, Set.of()));
    }

    Router router(Duration wait, int waitersMax) {
        return new Router(
                questions,
                AggregatedBackends.NONE,
                (cluster, kind) -> routed.add(cluster + " " + kind.word()),
                wait,
                waitersMax);
    }

    void relistAll() {
        ledger.relist(
                TYPES,
                List.of(
                        holder(CRD, "foos.example.com", "example.com", "foos"),
                        holder(BUILT_IN, "builtins.example.com", "builtins.example.com", "builtins"),
                        holder(BUILT_IN, "core", "", "pods"),
                        holder(API_SERVICE, "v1.aggregates.example.com", "aggregates.example.com", null),
                        holder(PUBLICATION, "v1.published.example.com", "published.example.com", null),
                        holder(BUILT_IN, "v1.unlisted.example.com", "unlisted.example.com", null)),
                "7");
    }

    static String groupOf(String resource) {
        return resource.equals("foos") ? "example.com" : resource + ".example.com";
    }

    static Holder holder(HolderType type, String name, String group, @Nullable String resource) {
        GroupVersion version = new GroupVersion(group, "v1");
        return new Holder(
                type,
                name,
                "u-" + name,
                "1",
                List.of(
                        resource == null
                                ? Contribution.unlisted(version)
                                : Contribution.of(version, Set.of(resource))));
    }

    Authorized authorized(String path) {
        return Authorized.by(hosted, admitted(path), TARGETS);
    }

    /** A request on its way through the stages before this one. */
    Admitted admitted(String path) {
        Described described = Described.of(new Selector(ClusterName.ROOT, List.of(), null)
                .select(TestHead.get("/clusters/prod" + path, "admin-token")));
        Authenticated authenticated = new Authentication(
                        ClientCertificates.signedBy(null),
                        null,
                        List.of(StaticTokens.parse("admin-token,admin,1,\"fairlead:admins\"")),
                        new FailedAttempts(1, () -> 0),
                        _ -> {})
                .authenticate(described);
        Entered entered = new Gate(new ClusterAccess(hosted), ClusterEntry.NotRegistered::new)
                .enter(authenticated, (Target.Cluster) described.target());
        LimitSettings limits = Limited.BY_DEFAULT.limits();
        Acting acting = new Impersonation(new AccessReviews(limits, _ -> {})).asThemselves(entered);
        return new Flow(limits, _ -> {}).admitAtOnce(acting).orElseThrow();
    }

    interface Waiting {
        void await(Duration timeout) throws InterruptedException;
    }

    static ClusterEntry.Opening opening(Waiting waiting) {
        return new ClusterEntry.Opening(PROD, new ClusterEntry.Opens() {
            @Override
            public Optional<HostedCluster> opened() {
                return Optional.empty();
            }

            @Override
            public boolean await(Duration timeout) throws InterruptedException {
                waiting.await(timeout);
                return false;
            }
        });
    }

    /** The index, and what is asked of it. */
    final class Questions implements TypeIndex {
        final List<String> asked = new ArrayList<>();
        final ConcurrentLinkedDeque<CompletableFuture<Void>> synced = new ConcurrentLinkedDeque<>();
        private final Semaphore waits = new Semaphore(0);
        volatile boolean refuses;

        void awaitWaiter() throws InterruptedException {
            assertThat(waits.tryAcquire(30, TimeUnit.SECONDS)).as("one waits").isTrue();
        }

        @Override
        public synchronized Location locate(ClusterName cluster, String group, String version, String resource) {
            asked.add(cluster + " " + group + "/" + version + " " + resource);
            return index.locate(cluster, group, version, resource);
        }

        @Override
        public synchronized long silentNanos(ClusterName cluster) {
            asked.add("silence of " + cluster);
            return 42;
        }

        @Override
        public boolean serves(ClusterName cluster, String group, String version, String resource) {
            return index.peek(cluster, group, version, resource) == Answer.SERVED;
        }

        @Override
        public boolean lacks(ClusterName cluster, String group, String version, String resource) {
            return index.peek(cluster, group, version, resource) == Answer.ABSENT;
        }

        @Override
        public CompletionStage<Void> synced(ClusterName cluster) {
            CompletableFuture<Void> waiter = refuses
                    ? CompletableFuture.failedFuture(new RejectedExecutionException("too many"))
                    : index.synced(cluster).toCompletableFuture();
            synced.add(waiter);
            waits.release();
            return waiter;
        }
    }

    record Hosted(ClusterName name) implements HostedCluster {
        @Override
        public Decision authorize(UserInfo user, RequestInfo request) {
            return new Decision.Allowed();
        }

        @Override
        public Handler crdRuntime() {
            throw new AssertionError("routing serves nothing");
        }

        @Override
        public Handler baseHandler() {
            throw new AssertionError("routing serves nothing");
        }

        @Override
        public AutoCloseable observeTypes(Consumer<TypeEvent> observer) {
            return () -> {};
        }
    }

    static final class Unconnected implements Upstream {
        @Override
        public Exchange send(RequestHead head, Kind kind, @Nullable EventLoop preferred, ResponseReceiver receiver) {
            throw new AssertionError("routing sends nothing");
        }

        @Override
        public Exchange upgrade(RequestHead head, String protocols, EventLoop loop, UpgradeReceiver receiver) {
            throw new AssertionError("routing sends nothing");
        }

        @Override
        public void reconfigure(UpstreamSpec spec) {}

        @Override
        public void close() {}
    }
}
