package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.AggregatedVersion;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.ApiService;
import io.fairlead.hosted.ApiServices;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.TypeEvent;
import io.fairlead.hosted.TypeEvent.Holding;
import io.fairlead.hosted.TypeEvent.ServedType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** APIServices that name services, as the parts that route to them and show them see them. */
@Timeout(60)
class RemoteServicesTest {
    private static final ClusterName ALL = new ClusterName("all");
    private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
    private static final String BOATS = SERVICES + "/v1.example.com";
    private static final String BACKEND = """
        apiVersion: apiregistration.k8s.io/v1
        kind: APIService
        metadata: {name: v1.example.com}
        spec:
          group: example.com
          version: v1
          groupPriorityMinimum: 2000
          versionPriority: 20
          insecureSkipTLSVerify: true
          service: {namespace: shop, name: api, port: 8443}
        """;

    private final Fixture fixture = Fixture.withItsViews();
    private final HostedClusters clusters = fixture.clusters;
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private HostedCluster cluster = clusters.open(ALL, BuiltIns.ALL);
    private Api api = new Api(cluster);

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void oneThatNamesAService_isAHolderOfItsVersion_asLongAsItDoes() throws Exception {
        try (AutoCloseable _ = cluster.observeTypes(this::note)) {
            api.create(SERVICES, BACKEND).expect(201);
            await("+ v1.example.com example.com [v1]");
            api.merge(BOATS, "{\"spec\":{\"versionPriority\":30}}").expect(200);
            await("+ v1.example.com example.com [v1]");
            api.delete(BOATS).expect(200);
            await("- v1.example.com example.com [v1]");
        }
    }

    @Test
    void whatItSays_isKnown_alsoAfterARestart() {
        api.create(SERVICES, BACKEND).expect(201);
        Fixture.eventually("it is known", () -> !services().all().isEmpty());

        clusters.close(ALL);
        cluster = clusters.open(ALL, BuiltIns.ALL);
        api = new Api(cluster);

        assertThat(services().all()).singleElement().satisfies(service -> {
            assertThat(service.name()).isEqualTo("v1.example.com");
            assertThat(service.groupVersion()).isEqualTo(new GroupVersion("example.com", "v1"));
            assertThat(service.serverName()).isEqualTo("api.shop.svc");
            assertThat(service.port()).isEqualTo(8443);
            assertThat(service.caBundle()).isNull();
            assertThat(service.isVerified()).isFalse();
            assertThat(service.groupPriority()).isEqualTo(2000);
            assertThat(service.versionPriority()).isEqualTo(20);
        });
    }

    @Test
    void localOnes_andClustersWithoutTheKind_haveNone() {
        assertThat(api.get(SERVICES).expect(200).body().path("items")).isNotEmpty();
        assertThat(services().all()).isEmpty();
        assertThat(clusters.open(Fixture.DEV).apiServices()).isEmpty();
    }

    @Test
    void discovery_showsWhatIsTold_andStaleBefore() {
        api.create(SERVICES, BACKEND).expect(201);
        Fixture.eventually(
                "the group is shown", () -> api.get("/apis/example.com").code() == 200);
        assertThat(api.get("/apis/example.com").at("/preferredVersion/version")).isEqualTo("v1");
        assertThat(aggregated()).isEqualTo("{\"version\":\"v1\",\"freshness\":\"Stale\"}");
        assertThat(api.get("/apis/example.com/v1").code()).isEqualTo(503);
        assertThat(openApi()).isFalse();

        ApiService service = services().all().getFirst();
        services()
                .show(Map.of(
                        service.uid(),
                        new AggregatedVersion(
                                service.groupVersion(),
                                2000,
                                20,
                                true,
                                List.of(Json.object().put("resource", "boats")),
                                "AB")));

        assertThat(aggregated())
                .isEqualTo("{\"version\":\"v1\",\"resources\":[{\"resource\":\"boats\"}],\"freshness\":\"Current\"}");
        assertThat(openApi()).isTrue();

        api.delete(BOATS).expect(200);
        Fixture.eventually(
                "it is shown no more", () -> api.get("/apis/example.com").code() == 404);
        assertThat(openApi()).isFalse();
    }

    private boolean openApi() {
        return api.get("/openapi/v3")
                .expect(200)
                .body()
                .path("paths")
                .path("apis/example.com/v1")
                .path("serverRelativeURL")
                .asString("")
                .equals("/openapi/v3/apis/example.com/v1?hash=AB");
    }

    private String aggregated() {
        var answer = (ApiResponse.Whole) Routing.serve(
                cluster,
                Api.request(
                        "GET",
                        "/apis",
                        "",
                        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
                        new byte[0]));
        return Json.text(Json.read(answer.body())
                .path("items")
                .valueStream()
                .filter(group -> group.at("/metadata/name").asString("").equals("example.com"))
                .findFirst()
                .orElseThrow()
                .at("/versions/0"));
    }

    private ApiServices services() {
        return cluster.apiServices().orElseThrow();
    }

    private void note(TypeEvent event) {
        switch (event) {
            case TypeEvent.Complete _ -> {}
            case TypeEvent.Upserted(ServedType type, var _) -> note("+ ", type);
            case TypeEvent.Removed(ServedType type, var _) -> note("- ", type);
        }
    }

    private void note(String sign, ServedType type) {
        if (type.holding() == Holding.API_SERVICE) {
            assertThat(type.resources()).isEqualTo(Set.of());
            told.add(sign + type.name() + " " + type.group() + " " + type.versions());
        }
    }

    /** Next, maybe after the same again: the status was written meanwhile. */
    private void await(String expected) {
        Fixture.eventually(expected, () -> expected.equals(told.poll()));
    }
}
