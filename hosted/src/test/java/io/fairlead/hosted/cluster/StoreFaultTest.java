package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.StatusException;
import io.fairlead.model.UserInfo;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.StoreException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rights and readiness of hosted clusters while their store cannot be read. */
@Timeout(60)
final class StoreFaultTest {
    private static final UserInfo ANN = UserInfo.of("ann", List.of());
    private static final UserInfo ADMIN = UserInfo.of("admin", List.of(UserInfo.MASTERS));
    private static final RequestInfo READ = RequestInfoParser.parse("GET", "/api/v1/namespaces/default/configmaps", "");
    private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
    private static final Duration FOLLOWS_WITHIN = Duration.ofSeconds(2);

    private volatile @Nullable Supplier<Throwable> fault;
    /** Of the store's methods, those that the fault meets. */
    private volatile Set<String> failing = Set.of("changes");

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final RevisionedStore memory = new MemoryStore();
    private final HostedClusters clusters = new HostedClusters(
            InterceptedStore.of(memory, this::beforeCall),
            Fixture.settings(1024, 1024),
            HostedViews.factory(InstantSource.system()),
            List.of(),
            "",
            InstantSource.system(),
            scheduler);
    private final HostedCluster dev = clusters.open(Fixture.DEV);
    private final Api api = new Api(dev);

    @AfterEach
    void close() {
        clusters.close();
        scheduler.shutdownNow();
        memory.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"StoreException", "IllegalStateException", "StackOverflowError"})
    void revokedRight_isRefusedWhileTheStoreCannotBeRead_andGoneSoonAfter(String kind) {
        grant();
        assertThat(dev.authorize(ANN, READ)).isInstanceOf(Decision.Allowed.class);

        fault = () -> faultOf(kind);
        api.delete(BINDINGS + "/ann").expect(200);
        Fixture.eventually("the gateway is not ready", () -> !clusters.isCurrent());

        StatusException refusal = catchThrowableOfType(StatusException.class, () -> dev.authorize(ANN, READ));
        assertThat(refusal.status().code()).isEqualTo(503);
        assertThat(refusal.status().toString()).contains("RightsNotCurrent");
        assertThat(dev.authorize(ADMIN, READ)).isInstanceOf(Decision.Allowed.class);
        assertThat(readiness("/readyz")).isEqualTo(500);
        assertThat(readiness("/livez")).isEqualTo(200);

        fault = null;
        long healedAtNanos = System.nanoTime();
        Fixture.eventually("rights follow", this::isDeniedAgain);
        assertThat(Duration.ofNanos(System.nanoTime() - healedAtNanos)).isLessThan(FOLLOWS_WITHIN);
        assertThat(readiness("/readyz")).isEqualTo(200);
    }

    /** The log may be read before what it tells of can be: each cluster answers for itself what it does not know. */
    @ParameterizedTest
    @ValueSource(strings = {"get", "get changes awaitRevisionAbove page list forEach count"})
    void revokedRight_isRefusedWhileObjectsCannotBeRead_andGoneSoonAfter(String methods) {
        grant();
        assertThat(dev.authorize(ANN, READ)).isInstanceOf(Decision.Allowed.class);
        fault = () -> faultOf("StoreException");
        api.delete(BINDINGS + "/ann").expect(200);

        failing = Set.of(methods.split(" "));
        Fixture.eventually("the cluster is not ready", () -> readiness("/readyz") == 500);

        StatusException refusal = catchThrowableOfType(StatusException.class, () -> dev.authorize(ANN, READ));
        assertThat(refusal.status().code()).isEqualTo(503);
        assertThat(refusal.status().toString()).contains("RightsNotCurrent");

        fault = null;
        long healedAtNanos = System.nanoTime();
        Fixture.eventually("rights follow", this::isDeniedAgain);
        assertThat(Duration.ofNanos(System.nanoTime() - healedAtNanos)).isLessThan(FOLLOWS_WITHIN);
        Fixture.eventually("the cluster is ready", () -> readiness("/readyz") == 200);
    }

    @Test
    void watch_goesOnWhereItWasOnceTheStoreCanBeReadAgain() {
        String path = "/api/v1/namespaces/default/configmaps";
        try (Events events =
                api.watch(path + "?resourceVersion=" + api.get(path).resourceVersion())) {
            fault = () -> faultOf("StoreException");
            for (String name : List.of("a", "b", "c")) {
                api.create(path, "metadata: {name: " + name + "}").expect(201);
            }
            fault = null;

            assertThat(List.of(
                            events.next().name(),
                            events.next().name(),
                            events.next().name()))
                    .containsExactly("a", "b", "c");
        }
    }

    private void grant() {
        api.create("/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", """
            metadata: {name: reader}
            rules: [{apiGroups: [""], resources: [configmaps], verbs: [list]}]
            """)
                .expect(201);
        api.create(BINDINGS, """
            metadata: {name: ann}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ann}]
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
            """).expect(201);
    }

    /** Never allowed by what was remembered: refused until it is known, then denied. */
    private boolean isDeniedAgain() {
        try {
            assertThat(dev.authorize(ANN, READ)).isInstanceOf(Decision.Denied.class);
            return true;
        } catch (StatusException notKnownYet) {
            return false;
        }
    }

    @Test
    void storeThatFailed_isNeitherAliveNorReady() {
        assertThat(readiness("/livez/etcd")).isEqualTo(200);

        memory.close();

        assertThat(readiness("/livez/etcd")).isEqualTo(500);
        assertThat(readiness("/readyz")).isEqualTo(500);
    }

    @Test
    void serverThatStops_isNotReadyButServes() {
        clusters.shutDown();

        assertThat(readiness("/readyz/shutdown")).isEqualTo(500);
        assertThat(readiness("/readyz/etcd")).isEqualTo(200);
        assertThat(readiness("/livez")).isEqualTo(200);
        api.get("/api/v1/namespaces").expect(200);
    }

    private int readiness(String path) {
        return Routing.serve(dev, Api.request("GET", path, "", "", new byte[0])).status();
    }

    private void beforeCall(String method, Object[] arguments) {
        Supplier<Throwable> now = fault;
        if (now == null || !failing.contains(method)) {
            return;
        }
        switch (now.get()) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    private static Throwable faultOf(String kind) {
        return switch (kind) {
            case "StoreException" -> new StoreException(StoreException.Reason.DAMAGED, "cannot be read", null);
            case "IllegalStateException" -> new IllegalStateException("a fault");
            default -> new StackOverflowError();
        };
    }
}
