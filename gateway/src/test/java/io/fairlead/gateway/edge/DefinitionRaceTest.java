package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.TestSettings;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.fleet.pins.judge.PinSet;
import io.fairlead.fleet.pins.judge.TypePin;
import io.fairlead.fleet.pins.judge.TypePin.Action;
import io.fairlead.fleet.pins.judge.TypePin.Requirement;
import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.DefinitionChangedException;
import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.TypeEvent.ServedType;
import io.fairlead.hosted.cluster.HostedClusters;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.DefinedType;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.TypeDigest;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.MemoryStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Pinned writes to a hosted cluster that meet a definition just as it changes. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DefinitionRaceTest {
    private static final ClusterName DEV = new ClusterName("dev");
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";
    private static final UserInfo ADMIN = UserInfo.of("admin", List.of(UserInfo.MASTERS));
    private static final int LOOKS_MAX = 20;

    private TestEdge edge;
    private ClusterLedger ledger;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        ledger = edge.index.open(DEV, CRDS);
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    /** The cluster serves a new definition a moment before the index has been told of it. */
    @Test
    void definitionThatTheIndexHasNotHeardOf_isJudgedBeforeAnythingIsStoredByIt() throws Exception {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try (HostedClusters hosted = new HostedClusters(
                        new MemoryStore(),
                        TestSettings.hosted(),
                        HostedViews.factory(InstantSource.system()),
                        List.of(),
                        "",
                        InstantSource.system(),
                        scheduler);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            HostedCluster cluster = hosted.open(DEV);
            assertThat(send(cluster, "POST", DEFINITIONS, definition(8)).status())
                    .isEqualTo(201);
            LateIndex index = new LateIndex();
            try (AutoCloseable _ = cluster.observeTypes(index)) {
                Await.until(() -> isServed(cluster));
                edge.pins.use(only(Objects.requireNonNull(ledger.view()
                                .holder(HolderType.CRD, "boats.example.com")
                                .orElseThrow()
                                .defines())
                        .api()));
                var counted = new Counted(cluster, new AtomicInteger());
                edge.register(new ClusterEntry.Hosted(counted));
                assertThat(post("{\"metadata\":{\"name\":\"short\"},\"length\":5}")
                                .status())
                        .isEqualTo(201);

                index.holdBack();
                Future<ApiResponse> change =
                        threads.submit(() -> send(cluster, "PATCH", DEFINITIONS + "/boats.example.com", change(100)));
                index.awaitChange();
                counted.served().set(0);
                Future<RawAnswer> write =
                        threads.submit(() -> post("{\"metadata\":{\"name\":\"long\"},\"length\":50}"));
                Await.until(() -> counted.served().get() > 0);
                index.goOn();

                assertThat(change.get().status()).isEqualTo(200);
                assertThat(write.get().status()).isEqualTo(403);
                assertThat(write.get().body()).contains("TypePin \\\"p\\\"");
                assertThat(Json.read(((ApiResponse.Whole) send(cluster, "GET", BOATS, "")).body())
                                .path("items"))
                        .hasSize(1);
            }
        } finally {
            scheduler.shutdownNow();
        }
    }

    @Test
    void requestCarriesTheStateThatItsRouteRestsOn() throws Exception {
        FakeHosted dev = edge.host("dev");
        DefinedType type = read(definition(8));
        tell(type, 7);

        post("{}");
        edge.pins.use(only(type.api()));
        post("{}");
        ledger.relist(CRDS, List.of(), "8");
        edge.pins.use(new PinSet(List.of(pin(type.api(), Action.WARN))));
        post("{}");

        assertThat(dev.requests())
                .extracting(ApiRequest::definition)
                .containsExactly(new DefinitionState.At("7"), new DefinitionState.At("7"), new DefinitionState.None());
    }

    @Test
    void definitionThatKeepsChanging_is503AfterSoManyJudgements() throws Exception {
        FakeHosted dev = edge.host("dev");
        DefinedType type = read(definition(8));
        AtomicInteger revision = new AtomicInteger(1);
        tell(type, 1);
        edge.pins.use(only(type.api()));
        dev.answer(_ -> {
            tell(type, revision.incrementAndGet());
            throw new DefinitionChangedException();
        });

        RawAnswer answer = post("{}");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        assertThat(answer.body()).contains("DefinitionChanged", "boats.example.com", "\\\"dev\\\"");
        assertThat(dev.requests()).hasSize(LOOKS_MAX);
        assertThat(dev.requests().getLast().definition()).isEqualTo(new DefinitionState.At("" + LOOKS_MAX));
    }

    /** What was told of the first judgement is not told beside the answer. */
    @Test
    void answer_carriesTheDigestOfTheLastJudgementAlone() throws Exception {
        FakeHosted dev = edge.host("dev");
        DefinedType before = read(definition(8));
        DefinedType after = read(definition(100));
        tell(before, 1);
        edge.pins.use(new PinSet(List.of(pin(before.api(), Action.WARN))));
        dev.answer(request -> {
            if (request.definition().equals(new DefinitionState.At("1"))) {
                tell(after, 2);
                throw new DefinitionChangedException();
            }
            return FakeHosted.json(201, "{}");
        });

        RawAnswer answer = post("{}");

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.header("Fairlead-Type-Digest")).isEqualTo(after.api().text());
        assertThat(answer.fields().stream()
                        .filter(field ->
                                field.toLowerCase(java.util.Locale.ROOT).startsWith("warning")))
                .hasSize(1);
    }

    private RawAnswer post(String body) throws Exception {
        try (RawClient client = edge.client()) {
            client.send("POST /clusters/dev" + BOATS + " HTTP/1.1\r\nHost: localhost\r\n" + TestEdge.JANE + "\r\n"
                    + "Content-Type: application/json\r\nContent-Length: "
                    + withType(body).length() + "\r\n\r\n"
                    + withType(body));
            return client.answer(false);
        }
    }

    private static String withType(String body) {
        return body.equals("{}") ? body : "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Boat\"," + body.substring(1);
    }

    private static PinSet only(TypeDigest api) {
        return new PinSet(List.of(pin(api, Action.DENY)));
    }

    private static TypePin pin(TypeDigest api, Action action) {
        return new TypePin(
                "p",
                new ClusterSet.All(Map::of),
                "example.com",
                "Boat",
                Set.of(),
                TypePin.WRITES,
                new Requirement.OneOf(Set.of(api)),
                Set.of(),
                action);
    }

    private static String definition(int maximum) {
        return """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "metadata": {"name": "boats.example.com"},
             "spec": {"group": "example.com", "scope": "Namespaced",
              "names": {"plural": "boats", "singular": "boat", "kind": "Boat", "listKind": "BoatList"},
              "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                "type": "object", "properties": {"length": {"type": "integer", "maximum": %d}}}}}]}}
            """.formatted(maximum);
    }

    /** The change of a definition to another maximum. */
    private static String change(int maximum) {
        return "{\"spec\":{\"versions\":"
                + Json.read(definition(maximum).getBytes(UTF_8)).at("/spec/versions") + "}}";
    }

    private DefinedType read(String definition) {
        JsonNode spec = Json.read(definition.getBytes(UTF_8)).path("spec");
        return Objects.requireNonNull(new TypeReader(edge.index.types()).read(Json.write(spec)));
    }

    private void tell(DefinedType type, long revision) {
        ledger.relist(CRDS, List.of(holder("uid", type, revision)), Long.toString(revision));
    }

    private static Holder holder(String uid, DefinedType type, long revision) {
        return new Holder(
                HolderType.CRD,
                "boats.example.com",
                uid,
                Long.toString(revision),
                List.of(Contribution.of(new GroupVersion("example.com", "v1"), Set.of("boats"))),
                type,
                "");
    }

    private static boolean isServed(HostedCluster cluster) {
        try {
            return send(cluster, "GET", BOATS, "").status() == 200;
        } catch (DefinitionChangedException notYet) {
            return false;
        }
    }

    private static ApiResponse send(HostedCluster cluster, String method, String path, String body) {
        RequestInfo info = RequestInfoParser.parse(method, path, "");
        HostedCluster.Handler handler =
                info.group().equals("example.com") ? cluster.crdRuntime() : cluster.baseHandler();
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        return handler.serve(
                new ApiRequest(info, method, Map.of(), Map.of("content-type", type), ADMIN, body.getBytes(UTF_8)));
    }

    /** Tells the index what a cluster tells, not before it may. */
    private final class LateIndex implements Consumer<TypeEvent> {
        private volatile CountDownLatch changed = new CountDownLatch(1);
        private volatile CountDownLatch mayGoOn = new CountDownLatch(0);

        void holdBack() {
            changed = new CountDownLatch(1);
            mayGoOn = new CountDownLatch(1);
        }

        void awaitChange() throws InterruptedException {
            assertThat(changed.await(60, TimeUnit.SECONDS)).isTrue();
        }

        void goOn() {
            mayGoOn.countDown();
        }

        @Override
        public void accept(TypeEvent event) {
            changed.countDown();
            try {
                assertThat(mayGoOn.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            switch (event) {
                case TypeEvent.Complete(List<ServedType> types, long revision) ->
                    ledger.relist(
                            CRDS,
                            types.stream()
                                    .filter(type -> !type.builtIn())
                                    .map(this::holderOf)
                                    .toList(),
                            Long.toString(revision));
                case TypeEvent.Upserted(ServedType type, long _) -> ledger.upsert(holderOf(type));
                case TypeEvent.Removed _ -> throw new AssertionError("nothing is removed");
            }
        }

        private Holder holderOf(ServedType type) {
            return holder(
                    type.uid(),
                    read("{\"spec\":"
                            + Objects.requireNonNull(type.definition()).tree().path("spec") + "}"),
                    type.revision());
        }
    }

    /** Lets everybody do everything, and counts what is asked. */
    private record Counted(HostedCluster cluster, AtomicInteger served) implements HostedCluster {
        @Override
        public ClusterName name() {
            return cluster.name();
        }

        @Override
        public Decision authorize(UserInfo user, RequestInfo request) {
            return new Decision.Allowed();
        }

        @Override
        public Handler crdRuntime() {
            return request -> counted(cluster.crdRuntime(), request);
        }

        @Override
        public Handler baseHandler() {
            return request -> counted(cluster.baseHandler(), request);
        }

        private ApiResponse counted(Handler handler, ApiRequest request) {
            served.incrementAndGet();
            return handler.serve(request);
        }

        @Override
        public AutoCloseable observeTypes(Consumer<TypeEvent> observer) {
            return cluster.observeTypes(observer);
        }
    }
}
