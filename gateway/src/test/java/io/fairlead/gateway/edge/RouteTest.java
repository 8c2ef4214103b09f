package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.FakeHosted.BASE_HANDLER;
import static io.fairlead.gateway.edge.FakeHosted.CRD_RUNTIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.edge.RawClient.RawAnswer;
import io.fairlead.hosted.DefinitionState;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.Contribution;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who answers a request, as the serves index says. */
class RouteTest {
    private static final Set<HolderType> TYPES =
            EnumSet.of(HolderType.BUILT_IN, HolderType.CRD, HolderType.API_SERVICE);
    private static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";

    private TestEdge edge;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /apis/example.com/v1/namespaces/default/boats, true",
        "GET, /apis/example.com/v1/namespaces/default/boats/a/status, true",
        "POST, /apis/example.com/v1/namespaces/default/boats, true",
        "DELETE, /apis/example.com/v1/boats, true",
        "GET, /apis/example.com/v1/watch/boats, true",
        "GET, /apis/example.com/v2/namespaces/default/boats, false",
        "GET, /apis/example.com/v1/namespaces/default/docks, false",
        "GET, /apis/other.example.com/v1/boats, false",
        "GET, /api/v1/namespaces/default/pods, false",
        "GET, /api/v1/namespaces/default/boats, false",
        "GET, /apis/example.com/v1, false",
        "GET, /apis/example.com, false",
        "GET, /openapi/v3/apis/example.com/v1, false",
        "GET, /version, false",
    })
    void whatADefinitionServes_goesToTheCrdRuntime_andAllElseToTheBaseHandler(
            String method, String path, boolean isCustom) throws Exception {
        FakeHosted dev = edge.host("dev");
        relist(open("dev"), boats("7"));
        List<RawUpstream> prod = edge.attachWithCrdRuntime("prod");
        relist(open("prod"), boats("7"));

        assertThat(send(method, "/clusters/dev" + path).status()).isEqualTo(200);
        assertThat(send(method, "/clusters/prod" + path).status()).isEqualTo(200);

        assertThat(dev.handlers()).containsExactly(isCustom ? CRD_RUNTIME : BASE_HANDLER);
        assertThat(dev.requests().getFirst().definition())
                .isEqualTo(isCustom ? new DefinitionState.At("7") : new DefinitionState.None());
        assertThat(prod.getFirst().heads()).hasSize(isCustom ? 0 : 1);
        assertThat(prod.getLast().heads()).hasSize(isCustom ? 1 : 0);
        String route = isCustom ? "crd-runtime" : "base-handler";
        assertThat(edge.metrics.scrape())
                .contains("fairlead_requests_routed_total{cluster=\"dev\",route=\"" + route + "\"} 1.0")
                .contains("fairlead_requests_routed_total{cluster=\"prod\",route=\"" + route + "\"} 1.0");
    }

    @Test
    void attachedClusterWithoutACrdRuntime_isAskedForEverything() throws Exception {
        RawUpstream prod = edge.attach("prod");
        relist(open("prod"), boats("7"));

        assertThat(send("GET", "/clusters/prod" + BOATS).status()).isEqualTo(200);
        assertThat(send("GET", "/clusters/prod/api/v1/pods").status()).isEqualTo(200);

        assertThat(prod.heads()).hasSize(2);
    }

    @Test
    void singleAnswersThatAreTurnedAround_turnThoseRequestsAlone() throws Exception {
        FakeHosted dev = edge.host("dev");
        List<RawUpstream> prod = edge.attachWithCrdRuntime("prod");
        for (String cluster : List.of("dev", "prod")) {
            relist(open(cluster), boats("7"), crd("docks", "8"));
        }
        relist(open("empty"));
        edge.flip("dev", "boats", "empty");
        edge.flip("prod", "boats", "empty");
        edge.flip("dev", "pods", "dev"); // the same answer: nothing turns

        for (String cluster : List.of("dev", "prod")) {
            for (String path : List.of(BOATS, BOATS.replace("boats", "docks"), "/api/v1/pods")) {
                assertThat(send("GET", "/clusters/" + cluster + path).status()).isEqualTo(200);
            }
        }

        assertThat(dev.handlers()).containsExactly(BASE_HANDLER, CRD_RUNTIME, BASE_HANDLER);
        assertThat(prod.getFirst().heads()).hasSize(2).noneMatch(head -> head.contains("/docks"));
        assertThat(prod.getLast().heads()).hasSize(1).allMatch(head -> head.contains("/docks"));
    }

    @Test
    void groupVersionOfAnApiService_isTheBasesOfAnAttachedCluster_andOfItsBackendInAHostedOne() throws Exception {
        FakeHosted dev = edge.host("dev");
        List<RawUpstream> prod = edge.attachWithCrdRuntime("prod");
        Holder service = new Holder(
                HolderType.API_SERVICE,
                "v1.example.com",
                "u",
                "9",
                List.of(Contribution.unlisted(new GroupVersion("example.com", "v1"))));
        for (String cluster : List.of("dev", "prod")) {
            relist(open(cluster), boats("7"), service);
        }

        RawAnswer hosted = send("GET", "/clusters/dev" + BOATS);
        assertThat(send("GET", "/clusters/prod" + BOATS).status()).isEqualTo(200);

        assertThat(hosted.status()).isEqualTo(503);
        assertThat(hosted.header("Retry-After")).isEqualTo("1");
        assertThat(hosted.body()).contains("BackendNotAvailable", "v1.example.com");
        assertThat(dev.handlers()).isEmpty();
        assertThat(prod.getFirst().heads()).hasSize(1);
        assertThat(prod.getLast().heads()).isEmpty();
        assertThat(edge.metrics.scrape())
                .contains("fairlead_requests_routed_total{cluster=\"dev\",route=\"aggregated\"} 1.0")
                .contains("fairlead_requests_routed_total{cluster=\"prod\",route=\"aggregated\"} 1.0");
    }

    @Test
    void unknown_isWaitedForWhereTheAnswerDecides_andForwardedWhereItDoesNot() throws Exception {
        List<RawUpstream> prod = edge.attachWithCrdRuntime("prod");
        ClusterLedger ledger = open("prod");
        relist(
                ledger,
                boats("7"),
                new Holder(
                        HolderType.BUILT_IN,
                        "v1.apps",
                        "u-apps",
                        "1",
                        List.of(Contribution.unlisted(new GroupVersion("apps", "v1")))));
        ledger.markLost(TYPES);
        RawUpstream plain = edge.attach("plain");

        RawAnswer rejected = send("GET", "/clusters/prod/apis/new.example.com/v1/things");
        assertThat(send("GET", "/clusters/prod" + BOATS).status())
                .as("what was known")
                .isEqualTo(200);
        assertThat(send("GET", "/clusters/prod/apis/apps/v1/deployments").status())
                .as("the server's own")
                .isEqualTo(200);
        assertThat(send("GET", "/clusters/plain/apis/new.example.com/v1/things").status())
                .isEqualTo(200);

        assertThat(rejected.status()).isEqualTo(503);
        assertThat(rejected.body()).contains("TypeIndexNotSynced", "things.new.example.com");
        assertThat(prod.getLast().heads()).hasSize(1);
        assertThat(prod.getFirst().heads()).hasSize(1);
        assertThat(plain.heads()).hasSize(1);
    }

    private RawAnswer send(String method, String path) throws Exception {
        try (RawClient client = edge.client()) {
            return client.exchange(method, path, TestEdge.JANE, "Content-Length: 0");
        }
    }

    private ClusterLedger open(String cluster) {
        return edge.index.open(new ClusterName(cluster), TYPES);
    }

    private static void relist(ClusterLedger ledger, Holder... holders) {
        ledger.relist(TYPES, List.of(holders), "9");
    }

    private static Holder boats(String revision) {
        return crd("boats", revision);
    }

    private static Holder crd(String plural, String revision) {
        return new Holder(
                HolderType.CRD,
                plural + ".example.com",
                "u-" + plural,
                revision,
                List.of(Contribution.of(new GroupVersion("example.com", "v1"), Set.of(plural))));
    }
}
