package io.fairlead.fleet.root;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.fleet.ClusterImports;
import io.fairlead.fleet.ClusterKind;
import io.fairlead.fleet.Registration;
import io.fairlead.fleet.TestSettings;
import io.fairlead.fleet.conditions.ConditionRecordKind;
import io.fairlead.fleet.exclusive.ExclusiveKeyKind;
import io.fairlead.fleet.exclusive.KeyAdmission;
import io.fairlead.fleet.exclusive.KeyReservationKind;
import io.fairlead.fleet.pins.PinWarnings;
import io.fairlead.fleet.pins.TypePinKind;
import io.fairlead.fleet.publication.PublicationKind;
import io.fairlead.fleet.publication.PublicationPlans;
import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.cluster.HostedClusters;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.model.CallerName;
import io.fairlead.model.ClusterName;
import io.fairlead.model.QueryParameters;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** A root cluster over a store in memory, with its real kinds and rights. */
public final class RootCluster implements AutoCloseable {
    public static final UserInfo ADMIN = UserInfo.of("admin", List.of(UserInfo.MASTERS, UserInfo.AUTHENTICATED));

    /** May write clusters, and read the one Secret {@code shared}. */
    public static final UserInfo REGISTRAR = UserInfo.of("registrar", List.of(UserInfo.AUTHENTICATED));

    public static final String CLUSTERS = "/apis/fairlead.io/v1alpha1/clusters";
    public static final String SECRETS = "/api/v1/namespaces/fairlead-system/secrets";

    /** Where the path of what definitions of tests define begins. */
    private static final String CUSTOM = "/apis/example.com/";

    public final HostedClusters hosted;
    public final HostedCluster root;
    public final PinWarnings pinWarnings = new PinWarnings();
    public final KeyAdmission keyAdmission = new KeyAdmission();
    public final PublicationPlans publicationPlans = new PublicationPlans();
    private final MemoryStore store = new MemoryStore();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    public RootCluster(Function<String, Optional<String>> refusedAddress) {
        AtomicReference<HostedClusters> self = new AtomicReference<>();
        Registration registration =
                new Registration(() -> Objects.requireNonNull(self.get()).open(ClusterName.ROOT), refusedAddress);
        hosted = new HostedClusters(
                store,
                TestSettings.hosted(),
                HostedViews.factory(InstantSource.system()),
                keyAdmission,
                ConversionWebhooks.NONE,
                List.of(
                        ClusterKind.of(registration),
                        TypePinKind.of(pinWarnings),
                        ConditionRecordKind.of(),
                        ExclusiveKeyKind.of(),
                        KeyReservationKind.of(),
                        PublicationKind.of(),
                        PublicationKind.plans(publicationPlans),
                        ClusterImports.of(() -> Objects.requireNonNull(self.get()))),
                "",
                InstantSource.system(),
                scheduler);
        self.set(hosted);
        root = hosted.open(ClusterName.ROOT);
        create("/api/v1/namespaces", "{metadata: {name: fairlead-system}}");
        letRegister();
    }

    /** An answer, read, with its {@code Warning} headers. */
    public record Answer(int code, ObjectNode body, List<String> warnings) {
        public String message() {
            return body.path("message").asString("");
        }

        /** The fields at fault. */
        public List<String> fields() {
            return body.path("details").path("causes").values().stream()
                    .map(cause -> cause.path("field").asString(""))
                    .toList();
        }
    }

    public void create(String path, String yaml) {
        Answer answer = send(ADMIN, "POST", path, yaml);
        if (answer.code() != 201) {
            throw new AssertionError("expected 201 but got " + answer);
        }
    }

    public void secret(String name, String key, String value) {
        create(SECRETS, "{metadata: {name: " + name + "}, data: {" + key + ": " + base64(value) + "}}");
    }

    /** Registers a hosted cluster; the uid of the Cluster. */
    public String registered(String name) {
        create(
                CLUSTERS,
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: " + name
                        + "}, spec: {hosted: {}}}");
        return cluster(name).at("/metadata/uid").asString("");
    }

    public ObjectNode cluster(String name) {
        return send(ADMIN, "GET", CLUSTERS + "/" + name, "").body();
    }

    /** Sends YAML; a patch is a merge patch. */
    public Answer send(UserInfo user, String method, String path, String yaml) {
        return send(root, user, method, path, yaml, "");
    }

    /** The same to another hosted cluster. */
    public static Answer send(HostedCluster cluster, String method, String path, String yaml) {
        return send(cluster, ADMIN, method, path, yaml, "");
    }

    /** The same as a user. */
    public static Answer send(HostedCluster cluster, UserInfo user, String method, String path, String yaml) {
        return send(cluster, user, method, path, yaml, "");
    }

    /** What kubectl makes its table of. */
    public ObjectNode table(String path) {
        return send(root, ADMIN, "GET", path, "", "application/json;as=Table;g=meta.k8s.io;v=v1")
                .body();
    }

    /** What aggregated discovery says of a group. */
    public static String discovered(HostedCluster cluster, String group) {
        return send(
                        cluster,
                        ADMIN,
                        "GET",
                        "/apis",
                        "",
                        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
                .body()
                .path("items")
                .valueStream()
                .filter(each -> each.at("/metadata/name").asString("").equals(group))
                .map(Json::text)
                .collect(Collectors.joining());
    }

    /** As a user whom other clusters do not know. */
    public static Answer sendInOneCluster(
            HostedCluster cluster, UserInfo user, String method, String path, String yaml) {
        return send(cluster, user, false, method, path, yaml, "");
    }

    private static Answer send(
            HostedCluster cluster, UserInfo user, String method, String path, String yaml, String accept) {
        return send(cluster, user, true, method, path, yaml, accept);
    }

    private static Answer send(
            HostedCluster cluster,
            UserInfo user,
            boolean isUserEverywhere,
            String method,
            String path,
            String yaml,
            String accept) {
        byte[] body = yaml.isEmpty() ? new byte[0] : Json.write(Yaml.read(yaml.getBytes(UTF_8)));
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        int mark = path.indexOf('?');
        String query = mark < 0 ? "" : path.substring(mark + 1);
        RequestInfo info = RequestInfoParser.parse(method, mark < 0 ? path : path.substring(0, mark), query);
        ApiRequest request = new ApiRequest(
                info,
                method,
                QueryParameters.of(query).all(),
                Map.of("content-type", type, "accept", accept),
                user,
                body,
                CallerName.ofGateway(user.name()),
                isUserEverywhere,
                new DefinitionState.Any());
        HostedCluster.Handler handler = path.startsWith(CUSTOM) ? cluster.crdRuntime() : cluster.baseHandler();
        return switch (handler.serve(request)) {
            case ApiResponse.Whole whole -> answer(whole.status(), whole.body(), whole.headers());
            case ApiResponse.Stream stream -> throw new AssertionError("a stream: " + stream);
            case ApiResponse.Pieces pieces -> {
                byte[] whole = pieces.pieces().whole();
                pieces.discard();
                if (whole == null) {
                    throw new AssertionError("a long list: " + pieces);
                }
                yield answer(pieces.status(), whole, pieces.headers());
            }
        };
    }

    private static Answer answer(int status, byte[] body, Map<String, List<String>> headers) {
        return new Answer(status, (ObjectNode) Json.read(body), headers.getOrDefault("Warning", List.of()));
    }

    public static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    /** Looks until something holds, at most twenty seconds. */
    public static void eventually(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within twenty seconds: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Loses an object, whatever its kind's rules say. */
    public void lose(String keyEnd) {
        RevisionedStore.Entry lost = store.list("/c/", null, 0, store.revision()).stream()
                .filter(entry -> entry.key().endsWith(keyEnd))
                .findFirst()
                .orElseThrow();
        store.commit(new RevisionedStore.Write.Delete(lost.key(), lost.revision()));
    }

    @Override
    public void close() {
        hosted.close();
        scheduler.shutdownNow();
    }

    private void letRegister() {
        create("/apis/rbac.authorization.k8s.io/v1/clusterroles", """
            metadata: {name: registrar}
            rules:
            - {apiGroups: [fairlead.io], resources: [clusters, clusters/status], verbs: ["*"]}
            - {apiGroups: [""], resources: [secrets], resourceNames: [shared], verbs: [get]}
            """);
        create("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", """
            metadata: {name: registrar}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: registrar}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: registrar}]
            """);
    }
}
