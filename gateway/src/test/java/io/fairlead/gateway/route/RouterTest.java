package io.fairlead.gateway.route;

import static io.fairlead.index.HolderType.API_SERVICE;
import static io.fairlead.index.HolderType.BUILT_IN;
import static io.fairlead.index.HolderType.CRD;
import static io.fairlead.index.HolderType.PUBLICATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.gateway.authn.Authenticated;
import io.fairlead.gateway.authn.Authentication;
import io.fairlead.gateway.authn.ClientCertificates;
import io.fairlead.gateway.authn.FailedAttempts;
import io.fairlead.gateway.authn.StaticTokens;
import io.fairlead.gateway.authz.Authorized;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.enter.Entered;
import io.fairlead.gateway.enter.Gate;
import io.fairlead.gateway.flow.Admitted;
import io.fairlead.gateway.flow.Flow;
import io.fairlead.gateway.impersonate.AccessReviews;
import io.fairlead.gateway.impersonate.Acting;
import io.fairlead.gateway.impersonate.Impersonation;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.listen.TestHead;
import io.fairlead.gateway.select.Selector;
import io.fairlead.gateway.select.Target;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.index.Answer;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.Evidence;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Location;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of routes, what a route carries, and the limits of waiting, without a connection. */
@Timeout(60)
class RouterTest {
    private static final Set<HolderType> TYPES = Set.of(BUILT_IN, CRD, API_SERVICE, PUBLICATION);
    private static final ClusterName PROD = new ClusterName("prod");
    private static final String FOOS = "/apis/example.com/v1/namespaces/default/foos";
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(1);

    private final FleetIndex index = FleetIndex.create();
    private final ClusterLedger ledger = index.open(PROD, TYPES);
    private final Queue<String> routed = new ConcurrentLinkedQueue<>();
    private final Hosted hosted = new Hosted(PROD);
    private final Questions questions = new Questions();

    @ParameterizedTest
    @CsvSource({
        "foos, HOSTED, crd-runtime",
        "foos, ATTACHED, crd-runtime",
        "foos, WITH_RUNTIME, crd-runtime",
        "builtins, HOSTED, base-handler",
        "builtins, ATTACHED, base-handler",
        "builtins, WITH_RUNTIME, base-handler",
        "nothings, HOSTED, base-handler",
        "nothings, ATTACHED, base-handler",
        "nothings, WITH_RUNTIME, base-handler",
        "aggregates, HOSTED, rejected",
        "aggregates, ATTACHED, aggregated",
        "aggregates, WITH_RUNTIME, aggregated",
        "published, HOSTED, rejected",
        "published, ATTACHED, aggregated",
        "published, WITH_RUNTIME, aggregated",
        "unlisted, HOSTED, base-handler",
        "unlisted, ATTACHED, base-handler",
        "unlisted, WITH_RUNTIME, base-handler",
        "lost, HOSTED, rejected",
        "lost, ATTACHED, base-handler",
        "lost, WITH_RUNTIME, rejected",
    })
    void kind_isWhatTheTableSays(String resource, Registered as, String kind) {
        relistAll();
        if (resource.equals("lost")) {
            ledger.markLost(Set.of(CRD));
        }

        Location location = questions.locate(PROD, groupOf(resource), "v1", resource);

        assertThat(Router.kind(location, groupOf(resource), entry(as)).word()).isEqualTo(kind);
    }

    /** The API server's own kinds come first there, whatever definition bears their name. */
    @Test
    void builtInKind_ofWhichADefinitionBearsTheName_staysWithTheBase() {
        String group = "rbac.authorization.k8s.io";
        ledger.relist(
                TYPES,
                List.of(holder(BUILT_IN, "v1." + group, group, null), holder(CRD, "roles." + group, group, "roles")),
                "7");

        Location location = questions.locate(PROD, group, "v1", "roles");

        assertThat(Router.kind(location, group, attached(true))).isEqualTo(Route.Kind.BASE_HANDLER);
    }

    @ParameterizedTest
    @CsvSource({
        "'', WITH_RUNTIME, base-handler",
        "apiextensions.k8s.io, WITH_RUNTIME, base-handler",
        "apps, WITH_RUNTIME, rejected",
        "'', HOSTED, rejected",
    })
    void groupThatNoDefinitionCanClaim_isTheBasesAlsoWhileNothingIsKnown(String group, Registered as, String kind) {
        Location location = questions.locate(PROD, group, "v1", "things");

        assertThat(location.answer()).isEqualTo(Answer.UNKNOWN);
        assertThat(Router.kind(location, group, entry(as)).word()).isEqualTo(kind);
    }

    @Test
    void kind_ofAClusterThatIsNotServedNow_isThatOfAHostedOne() {
        relistAll();

        assertThat(Router.kind(
                        index.locate(PROD, "aggregates.example.com", "v1", "aggregates"),
                        "aggregates.example.com",
                        new ClusterEntry.Unready(PROD, "Paused", "paused")))
                .isEqualTo(Route.Kind.REJECTED);
    }

    @Test
    void route_carriesWhatItsLookUpSaid() {
        relistAll();

        ToAttached toFoos = router(SHORT, 1)
                .toAttachedAtOnce(admitted(FOOS), attached(true))
                .orElseThrow();

        assertThat(toFoos.route()).isInstanceOfSatisfying(Route.ToCrdRuntime.class, route -> {
            assertThat(route.definition().name()).isEqualTo("foos.example.com");
            assertThat(route.holders()).containsExactly(route.definition());
            assertThat(route.evidence().resourceVersion()).isEqualTo("7");
            assertThat(route.view()).contains(ledger.view());
            assertThat(route.silentNanos()).isEqualTo(42);
            assertThat(route.kind()).isEqualTo(Route.Kind.CRD_RUNTIME);
        });
        assertThat(questions.asked).containsExactly("silence of prod", "prod example.com/v1 foos");
        assertThat(routed).containsExactly("prod crd-runtime");
    }

    @Test
    void pathThatIsNoResource_isTheBases_withoutALookUp() {
        ToAttached routedTo = router(SHORT, 1)
                .toAttachedAtOnce(admitted("/apis/example.com/v1"), attached(true))
                .orElseThrow();

        assertThat(routedTo.route().kind()).isEqualTo(Route.Kind.BASE_HANDLER);
        assertThat(routedTo.route().view()).isEmpty();
        assertThat(routedTo.route().holders()).isEmpty();
        assertThat(routedTo.route().evidence()).isEqualTo(Evidence.NONE);
        assertThat(routedTo.route().silentNanos()).isZero();
        assertThat(routedTo.backend()).isSameAs(routedTo.cluster().base());
        assertThat(questions.asked).isEmpty();
        assertThat(routed).containsExactly("prod base-handler");
    }

    @Test
    void attached_leadsToTheServersThatTheRouteIsFor() {
        relistAll();
        ClusterEntry.Attached two = attached(true);
        ClusterEntry.Attached one = attached(false);

        ToAttached toFoos =
                router(SHORT, 1).toAttachedAtOnce(admitted(FOOS), two).orElseThrow();
        ToAttached toPods =
                router(SHORT, 1).toAttachedAtOnce(admitted("/api/v1/pods"), two).orElseThrow();
        ToAttached toOne =
                router(SHORT, 1).toAttachedAtOnce(admitted(FOOS), one).orElseThrow();

        ToAttached toAggregates = router(SHORT, 1)
                .toAttachedAtOnce(admitted("/apis/aggregates.example.com/v1/aggregates"), two)
                .orElseThrow();

        assertThat(toAggregates.route().kind()).isEqualTo(Route.Kind.AGGREGATED);
        assertThat(toAggregates.backend()).isSameAs(two.base());
        assertThat(toFoos.backend()).isSameAs(two.crdRuntime());
        assertThat(toPods.backend()).isSameAs(two.base());
        assertThat(toOne.backend()).isSameAs(one.base());
        assertThat(toFoos.cluster()).isSameAs(two);
        assertThat(toFoos.target()).isEqualTo(toFoos.described().target());
        assertThat(toFoos.described().info().resource()).isEqualTo("foos");
        assertThat(toFoos.user().name()).isEqualTo("admin");
    }

    @Test
    void hosted_carriesItsRequestOn() {
        relistAll();

        ToHosted toFoos = router(SHORT, 1).toHosted(authorized(FOOS));

        assertThat(toFoos.cluster()).isSameAs(hosted);
        assertThat(toFoos.target()).isEqualTo(toFoos.described().target());
        assertThat(toFoos.described().info().resource()).isEqualTo("foos");
        assertThat(toFoos.user().name()).isEqualTo("admin");
        assertThat(toFoos.caller()).isEqualTo(CallerName.ofGateway("admin"));
        assertThat(toFoos.route()).isInstanceOf(Route.ToCrdRuntime.class);
        assertThat(routed).containsExactly("prod crd-runtime");
    }

    @Test
    void hosted_routedAgain_isNotCountedAgain() {
        relistAll();

        assertThat(router(SHORT, 1).again(authorized(FOOS)).route()).isInstanceOf(Route.ToCrdRuntime.class);

        assertThat(routed).isEmpty();
    }

    @Test
    void unknown_isNoRouteAtOnce_andWaitsForTheIndex_whereTheAnswerDecides() throws Exception {
        Router router = router(LONG, 1);
        assertThat(router.toAttachedAtOnce(admitted(FOOS), attached(true))).isEmpty();
        assertThat(router.toAttachedAtOnce(admitted(FOOS), attached(false))).isPresent();
        assertThat(routed).as("what is not decided is not counted").containsExactly("prod base-handler");

        CompletableFuture<ToAttached> waits =
                CompletableFuture.supplyAsync(() -> router.toAttached(admitted(FOOS), attached(true)));
        questions.awaitWaiter();
        relistAll();

        assertThat(waits.get(30, TimeUnit.SECONDS).route()).isInstanceOf(Route.ToCrdRuntime.class);
        assertThat(routed).containsExactly("prod base-handler", "prod crd-runtime");
    }

    @Test
    void unknown_thatStaysSo_is503_naming_whatIsAskedFor() {
        StatusException refused = catchThrowableOfType(
                StatusException.class, () -> router(SHORT, 1).toHosted(authorized(FOOS)));

        Status status = refused.status();
        assertThat(status.code()).isEqualTo(503);
        assertThat(status.message()).contains("cluster \"prod\"", "foos.example.com", "not known yet");
        assertThat(Objects.requireNonNull(status.details()).retryAfterSeconds()).isEqualTo(1);
        assertThat(status.details().toString()).contains("TypeIndexNotSynced");
        assertThat(routed).containsExactly("prod rejected");
        assertThat(questions.synced.getLast())
                .as("the request that stops waiting says so")
                .isCancelled();
    }

    @Test
    void aggregatedInAHostedCluster_is503_atOnce() {
        relistAll();

        StatusException refused = catchThrowableOfType(
                StatusException.class,
                () -> router(LONG, 1).toHosted(authorized("/apis/aggregates.example.com/v1/aggregates")));

        assertThat(refused.status().code()).isEqualTo(503);
        assertThat(refused.status().message()).contains("aggregates.example.com/v1", "APIService");
        assertThat(Objects.requireNonNull(refused.status().details()).toString())
                .contains("BackendNotAvailable");
        assertThat(questions.synced).as("nothing to wait for").isEmpty();
        assertThat(routed).containsExactly("prod rejected");
    }

    @Test
    void waiters_areBounded_andGiveTheirPlacesBack() throws Exception {
        Router router = router(LONG, 1);
        CompletableFuture<ToHosted> first = CompletableFuture.supplyAsync(() -> router.toHosted(authorized(FOOS)));
        questions.awaitWaiter();

        StatusException refused = catchThrowableOfType(StatusException.class, () -> router.toHosted(authorized(FOOS)));
        assertThat(refused.status().code()).isEqualTo(503);
        assertThat(questions.synced).as("the second did not wait").hasSize(1);

        relistAll();
        assertThat(first.get(30, TimeUnit.SECONDS)).isNotNull();
        ledger.nextEpoch();
        CompletableFuture<ToHosted> third = CompletableFuture.supplyAsync(() -> router.toHosted(authorized(FOOS)));
        questions.awaitWaiter();
        relistAll();
        assertThat(third.get(30, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void waitersOfTheIndex_beyondItsLimit_areToldAtOnce() {
        questions.refuses = true;

        StatusException refused = catchThrowableOfType(
                StatusException.class, () -> router(LONG, 1).toHosted(authorized(FOOS)));

        assertThat(refused.status().message()).contains("not known yet");
    }

    @Test
    void waiter_thatIsInterrupted_staysInterrupted_andGivesItsPlaceBack() {
        Router router = router(LONG, 1);

        for (int i = 0; i < 2; i++) {
            Thread.currentThread().interrupt();
            assertThat(catchThrowableOfType(StatusException.class, () -> router.toHosted(authorized(FOOS))))
                    .isNotNull();
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(questions.synced).as("both waited").hasSize(2);
    }

    @Test
    void openingCluster_isWaitedFor_byFewAtOnce() throws Exception {
        OpeningWait wait = new OpeningWait(LONG, 1);
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch opens = new CountDownLatch(1);
        AtomicInteger others = new AtomicInteger();
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> wait.await(opening(timeout -> {
            assertThat(timeout).isEqualTo(LONG);
            waits.countDown();
            opens.await();
        })));
        waits.await();

        wait.await(opening(_ -> others.incrementAndGet()));
        assertThat(others).as("beyond the limit no request waits").hasValue(0);

        opens.countDown();
        first.get(30, TimeUnit.SECONDS);
        wait.await(opening(_ -> others.incrementAndGet()));
        wait.await(opening(_ -> others.incrementAndGet()));
        assertThat(others).as("the place is free again").hasValue(2);
    }

    @Test
    void openingCluster_waitedForByAThreadThatIsInterrupted_leavesItInterrupted() {
        OpeningWait wait = new OpeningWait(LONG, 1);

        for (int i = 0; i < 2; i++) {
            wait.await(opening(_ -> {
                throw new InterruptedException();
            }));
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    enum Registered {
        HOSTED,
        ATTACHED,
        WITH_RUNTIME
    }

    private ClusterEntry entry(Registered as) {
        return switch (as) {
            case HOSTED -> new ClusterEntry.Hosted(hosted);
            case ATTACHED -> attached(false);
            case WITH_RUNTIME -> attached(true);
        };
    }

    private static ClusterEntry.Attached attached(boolean withRuntime) {
        return new ClusterEntry.Attached(PROD, backend("base"), withRuntime ? backend("runtime") : null, _ -> {});
    }

    private static ClusterEntry.Backend backend(String host) {
        return new ClusterEntry.Backend(
                new Unconnected(),
                List.of(URI.create("https://" + host)),
                new UpstreamIdentity.Impersonate(null, false, Set.of()));
    }

    private Router router(Duration wait, int waitersMax) {
        return new Router(questions, (cluster, kind) -> routed.add(cluster + " " + kind.word()), wait, waitersMax);
    }

    private void relistAll() {
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

    private static String groupOf(String resource) {
        return resource.equals("foos") ? "example.com" : resource + ".example.com";
    }

    private static Holder holder(HolderType type, String name, String group, @Nullable String resource) {
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

    private Authorized authorized(String path) {
        return Authorized.by(hosted, admitted(path));
    }

    /** A request on its way through the stages before this one. */
    private Admitted admitted(String path) {
        Described described = Described.of(new Selector(ClusterName.ROOT, List.of(), null)
                .select(TestHead.get("/clusters/prod" + path, "admin-token")));
        Authenticated authenticated = new Authentication(
                        ClientCertificates.signedBy(null),
                        List.of(StaticTokens.parse("admin-token,admin,1,\"fairlead:admins\"")),
                        new FailedAttempts(1, () -> 0),
                        _ -> {})
                .authenticate(described);
        Entered entered = new Gate(new ClusterAccess(hosted), ClusterEntry.NotRegistered::new)
                .enter(authenticated, (Target.Cluster) described.target());
        EdgeLimits limits = EdgeLimits.defaults();
        Acting acting = new Impersonation(new AccessReviews(limits.reviews(), _ -> {})).asThemselves(entered);
        return new Flow(limits.shares(), _ -> {}).admit(acting);
    }

    private interface Waiting {
        void await(Duration timeout) throws InterruptedException;
    }

    private static ClusterEntry.Opening opening(Waiting waiting) {
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
    private final class Questions implements TypeIndex {
        private final List<String> asked = new ArrayList<>();
        private final ConcurrentLinkedDeque<CompletableFuture<Void>> synced = new ConcurrentLinkedDeque<>();
        private final Semaphore waits = new Semaphore(0);
        private volatile boolean refuses;

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

    private record Hosted(ClusterName name) implements HostedCluster {
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

    private static final class Unconnected implements Upstream {
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
