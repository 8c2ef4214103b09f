package io.fairlead.ittests;

import static io.fairlead.ittests.AggregatedClusters.ADMIN;
import static io.fairlead.ittests.AggregatedClusters.ANNA;
import static io.fairlead.ittests.AggregatedClusters.BERT;
import static io.fairlead.ittests.AggregatedClusters.CARL;
import static io.fairlead.ittests.AggregatedWidgets.API_SERVICE;
import static io.fairlead.ittests.AggregatedWidgets.BACKEND;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.fairlead.ittests.NetworkProbe.Answer;
import io.fairlead.ittests.OddBackends.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What an APIService takes into a hosted cluster is served there as by the aggregation layer of a real kube-apiserver, by the same backends.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class AggregatedApisIT {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final Path FOLDER = Checkout.scratch("AggregatedApisIT");
    private static final String VERSION = AggregatedWidgets.VERSION;
    private static final String WIDGETS = AggregatedWidgets.WIDGETS;

    /** What one waits at most for an answer that has nothing to do with a backend that hangs. */
    private static final long QUICK_MILLIS = 2_000;

    private static AggregatedClusters clusters;

    @BeforeAll
    static void start() throws Exception {
        clusters = new AggregatedClusters(FOLDER);
    }

    @AfterAll
    static void stop() {
        clusters.close();
    }

    @Test
    @Order(1)
    void backendsAreToldHowCallersArePresented_asKubeApiserverTellsThem() {
        String told = clusters.same(cluster -> {
            JsonObject data = cluster.document(
                            "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication")
                    .getAsJsonObject("data");
            assertThat(data.remove("requestheader-client-ca-file").getAsString())
                    .contains("BEGIN CERTIFICATE");
            assertThat(JsonParser.parseString(
                                    data.remove("requestheader-allowed-names").getAsString())
                            .getAsJsonArray())
                    .isNotEmpty();
            return data;
        });

        assertThat(told)
                .contains(
                        "requestheader-extra-headers-prefix",
                        "requestheader-group-headers",
                        "requestheader-uid-headers",
                        "requestheader-username-headers");
        assertThat(clusters.authorityOfAnother()).isNotEqualTo(AggregatedClusters.authorityOf(clusters.hosted()));
    }

    @Test
    @Order(1)
    void roleByWhichBackendsReadThat_isThere() {
        assertThat(clusters.same(
                        cluster -> cluster.document("/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/"
                                        + "extension-apiserver-authentication-reader")
                                .get("rules")))
                .contains("configmaps");
    }

    @Test
    @Order(2)
    void conditionSaysWhatIsMissing_andRequestsAre503_untilAllIsThere() throws IOException {
        String groupVersion = "example.com/v1";
        String address = NetworkNamespace.ADDRESS;
        int port = clusters.backendPort();
        clusters.apply(AggregatedWidgets.apiService("example.com", BACKEND, clusters.trust()));
        clusters.awaitUnavailable(Availability.not("ServiceNotFound", "service/backend in \"apps\" is not present"));
        clusters.apply(AggregatedWidgets.service(BACKEND, 8443));
        clusters.awaitUnavailable(
                Availability.not("ServicePortError", "service/backend in \"apps\" is not listening on port 443"));
        clusters.apply(AggregatedWidgets.service(BACKEND, 443));
        clusters.awaitUnavailable(
                Availability.not("EndpointsNotFound", "cannot find endpointslices for service/backend in \"apps\""));
        clusters.apply(AggregatedWidgets.slice(BACKEND, address, port, false));
        clusters.awaitUnavailable(Availability.not(
                "MissingEndpoints",
                "endpointslices for service/backend in \"apps\" have no addresses with port name \"https\""));
        clusters.apply(AggregatedWidgets.apiService("example.com", BACKEND, clusters.otherTrust())
                + "---\n"
                + AggregatedWidgets.slice(BACKEND, address, port, true));
        clusters.awaitUnavailable(Availability.noAnswer(groupVersion));
        clusters.apply(AggregatedWidgets.apiService("example.com", BACKEND, clusters.trust()));
        clusters.awaitServed();
    }

    @Test
    @Order(3)
    void certificateMustBeOfTheService_unlessTheApiServiceSaysOtherwise() throws IOException {
        String another = AggregatedWidgets.service("another", 443)
                + "---\n"
                + AggregatedWidgets.slice("another", NetworkNamespace.ADDRESS, clusters.backendPort(), true)
                + "---\n";
        clusters.apply(another + AggregatedWidgets.apiService("example.com", "another", clusters.trust()));
        clusters.awaitUnavailable(Availability.noAnswer("example.com/v1"));
        clusters.apply(AggregatedWidgets.apiService("example.com", "another", "insecureSkipTLSVerify: true"));
        clusters.awaitServed();
        clusters.apply(AggregatedWidgets.apiService("example.com", BACKEND, clusters.trust()));
        clusters.awaitServed();
    }

    @Test
    @Order(4)
    void discovery_isThatOfTheBackend_inEachForm() throws IOException {
        String aggregated = AggregatingCluster.AGGREGATED;
        clusters.serve();

        assertThat(clusters.same(cluster -> cluster.listedGroup("example.com"))).contains("example.com/v1");
        assertThat(clusters.same(cluster -> cluster.aggregatedGroup("example.com")))
                .contains("secrecies");
        var _ = clusters.same(cluster -> cluster.document("/apis/example.com"));
        var _ = clusters.same(cluster -> cluster.document(VERSION));
        var _ = clusters.same(cluster -> cluster.document("/openapi/v3/apis/example.com/v1"));
        var _ = clusters.same(cluster -> cluster.ask(ADMIN, "GET", "/apis", Map.of("Accept", aggregated), "")
                .contentType());
        var _ = clusters.same(cluster -> neighbours(cluster.groups(), "example.com"));
    }

    /** The group before one, and the one after it. */
    private static List<String> neighbours(List<String> groups, String group) {
        int at = groups.indexOf(group);
        return groups.subList(Math.max(0, at - 1), Math.min(groups.size(), at + 2));
    }

    @Test
    @Order(5)
    void userWorksWithTheGroup_asWithAnyOther() throws IOException {
        clusters.serve();
        String told = clusters.same(cluster -> WidgetUser.work(cluster.kubectl(ANNA)));

        assertThat(told)
                .contains(
                        "widget.example.com/second serverside-applied",
                        "conflict with \"kubectl\": .spec.size",
                        "spec.size: Invalid value: 700",
                        "widgets.example.com \"third\" not found",
                        "Spec says how large a widget is.");
    }

    @Test
    @Order(6)
    void rightsAreAskedHere_andThenByTheBackend() throws IOException {
        clusters.serve();
        assertThat(clusters.same(cluster -> text(cluster.get(BERT, WIDGETS))))
                .startsWith("403 ")
                .contains("widgets.example.com is forbidden: User \\\"bert\\\" cannot list resource \\\"widgets\\\"");
        assertThat(clusters.same(cluster -> cluster.get(CARL, WIDGETS).status()))
                .isEqualTo("403");
        assertThat(clusters.same(
                        cluster -> cluster.get(ANNA, VERSION + "/secrecies").status()))
                .isEqualTo("403");
        assertThat(clusters.same(cluster ->
                        cluster.get(CARL, VERSION + "/namespaces/team/unheard").status()))
                .isEqualTo("403");
        assertThat(clusters.same(cluster ->
                        cluster.get(ADMIN, VERSION + "/namespaces/team/unheard").status()))
                .isEqualTo("404");

        for (AggregatingCluster cluster : clusters.all()) {
            assertThat(cluster.get(ANNA, WIDGETS + "/last").status()).isEqualTo(404);
        }
        Await.until(
                "the backend noted the last",
                SOON,
                () -> clusters.audited("widgets/last").size() == 2);
        assertThat(clusters.audited("\"username\":\"bert\"")).hasSize(2);
        assertThat(clusters.audited("\"username\":\"carl\"")).isEmpty();
        assertThat(clusters.audited("secrecies")).isEmpty();
    }

    @Test
    @Order(7)
    void backendIsToldTheCallerAlone_whateverTheRequestSays() throws IOException {
        clusters.serve();
        clusters.applyOdd(Kind.HALF);
        for (AggregatingCluster cluster : clusters.all()) {
            cluster.await("v1.half.example.com", Availability.passed());
            cluster.awaitStatus(ANNA, "/apis/half.example.com/v1/echoes", 200);
        }
        Map<String, String> forged = Map.of(
                "X-Remote-User", "root",
                "X-Remote-Uid", "0",
                "X-Remote-Group", "system:masters",
                "X-Remote-Extra-Scopes", "all",
                "Forwarded", "for=192.0.2.1");
        Map<String, String> dropped = Map.of("Connection", "X-Remote-User, X-Remote-Uid, X-Remote-Group");
        Map<String, String> impersonated = Map.of(
                "Impersonate-User", "bert",
                "Impersonate-Uid", "7",
                "Impersonate-Group", "crew",
                "Impersonate-Extra-Scopes%2fa", "b c");

        PresentedCaller plain = presented(ANNA, "plain", Map.of());
        assertThat(plain.toString()).contains("\"anna\"", "\"uid-of-anna\"", "\"system:authenticated\"");
        assertThat(presented(ANNA, "forged", forged)).isEqualTo(plain);
        assertThat(presented(ANNA, "dropped", dropped)).isEqualTo(plain);
        assertThat(presented(ADMIN, "impersonated", impersonated).toString())
                .contains("\"bert\"")
                .doesNotContain("root");
        assertThat(clusters.same(cluster ->
                        cluster.ask(ANNA, "GET", WIDGETS, impersonated, "").status()))
                .isEqualTo("403");
    }

    /** What a request becomes at the backend, by either cluster. */
    private static PresentedCaller presented(KubeCluster.User user, String name, Map<String, String> sent)
            throws IOException {
        PresentedCaller expected = PresentedCaller.of(clusters, clusters.real(), user, name + "-by-real", sent);
        assertThat(PresentedCaller.of(clusters, clusters.hosted(), user, name + "-by-hosted", sent))
                .isEqualTo(expected);
        return expected;
    }

    @Test
    @Order(8)
    void backendsThatMisbehave_leaveOthersServed() throws IOException {
        clusters.serve();
        for (Kind kind : List.of(Kind.HALF, Kind.NONSENSE, Kind.REDIRECT, Kind.HANG)) {
            clusters.applyOdd(kind);
        }
        for (AggregatingCluster cluster : clusters.all()) {
            assertQuick(cluster);
            cluster.await("v1.half.example.com", Availability.passed());
            cluster.await("v1.nonsense.example.com", Availability.passed());
            cluster.await(
                    "v1.redirect.example.com",
                    Availability.failedCheck(
                            "redirect.example.com/v1", "bad status from /apis/redirect.example.com/v1: 302"));
            cluster.await("v1.hang.example.com", Availability.noAnswer("hang.example.com/v1"));
        }
        try (OwnedProcess real = hang(clusters.real());
                OwnedProcess hosted = hang(clusters.hosted())) {
            Await.until(
                    "requests hang; " + real.tail() + hosted.tail(),
                    SOON,
                    () -> clusters.odd().seen(Kind.HALF).stream()
                                    .filter(seen -> seen.request().endsWith("/hangs"))
                                    .count()
                            == 2);
            for (AggregatingCluster cluster : clusters.all()) {
                assertQuick(cluster);
            }
        }

        assertThat(clusters.same(cluster -> cluster.get(ADMIN, "/apis/half.example.com/v1/redirects")
                        .status()))
                .isEqualTo("502");
        assertThat(clusters.same(cluster -> text(cluster.get(ADMIN, "/apis/nonsense.example.com/v1/anything"))))
                .isEqualTo("200 <p>It works!</p>");
        assertThat(clusters.odd().seen(Kind.ELSEWHERE)).isEmpty();
        for (Kind kind : List.of(Kind.HALF, Kind.NONSENSE, Kind.REDIRECT, Kind.HANG)) {
            String group = clusters.same(cluster -> cluster.aggregatedGroup(kind.group()));
            assertThat(group).contains(kind == Kind.HALF ? "Current" : "Stale");
        }
        clusters.kubectl("delete", "apiservices", "-l", "odd=yes");
    }

    private static OwnedProcess hang(AggregatingCluster cluster) {
        return cluster.admin().start("hang", "get", "--raw", "/apis/half.example.com/v1/hangs");
    }

    private static void assertQuick(AggregatingCluster cluster) {
        for (String path :
                List.of("/api/v1/namespaces", "/apis", "/api/v1", WIDGETS, VERSION, "/openapi/v3", "/readyz")) {
            Answer answer = cluster.get(ADMIN, path);
            assertThat(answer.status()).as("%s: %s", cluster, path).isEqualTo(200);
            assertThat(answer.millis()).as("%s: %s", cluster, path).isLessThan(QUICK_MILLIS);
        }
    }

    @Test
    @Order(9)
    void addressThatIsNotAllowed_isNotConnectedTo() throws IOException {
        String there = AggregatedWidgets.odd(
                Kind.OUTSIDE, AggregatedClusters.OUTSIDE_ADDRESS, clusters.odd().port(Kind.OUTSIDE), clusters.trust());
        String apiService = "v1.outside.example.com";

        clusters.hosted().apply(there);
        clusters.hosted().await(apiService, Availability.noAnswer("outside.example.com/v1"));
        assertThat(clusters.hosted().apiService(apiService).toString()).contains("hosted.backendAddresses");
        clusters.hosted().awaitStatus(ADMIN, "/apis/outside.example.com/v1", 503);
        clusters.hosted().checkNow(apiService);
        assertThat(clusters.odd().seen(Kind.OUTSIDE)).isEmpty();

        clusters.real().apply(there);
        clusters.real().await(apiService, Availability.noAnswer("outside.example.com/v1"));
        assertThat(clusters.odd().seen(Kind.OUTSIDE)).isNotEmpty();
        clusters.kubectl("delete", "apiservices", "-l", "odd=yes");
    }

    @Test
    @Order(10)
    void groupOfABackendThatIsAway_isStale_andAllElseWorks_untilItIsBack() throws IOException {
        clusters.serve();
        clusters.stopBackend();
        for (AggregatingCluster cluster : clusters.all()) {
            cluster.checkNow(API_SERVICE);
        }
        try {
            assertAwayAlike();
        } finally {
            clusters.startBackend();
        }
        for (AggregatingCluster cluster : clusters.all()) {
            cluster.checkNow(API_SERVICE);
        }
        clusters.awaitServed();
        clusters.awaitCurrent();
    }

    private static void assertAwayAlike() {
        clusters.awaitUnavailable(Availability.noAnswer("example.com/v1"));
        for (AggregatingCluster cluster : clusters.all()) {
            Await.until(
                    cluster + ": stale",
                    SOON,
                    () -> cluster.aggregatedGroup("example.com").toString().contains("Stale"));
            assertThat(cluster.described()).contains("apis/example.com/v1");
        }
        var _ = clusters.same(cluster -> cluster.aggregatedGroup("example.com"));
        var _ = clusters.same(cluster -> cluster.listedGroup("example.com"));
        var _ = clusters.same(cluster -> cluster.document("/apis/example.com"));
        String resources = clusters.same(cluster -> {
            Output output = cluster.admin().run("api-resources", "--no-headers", "--cached=false");
            return output.exitCode()
                    + output.told()
                    + output.output()
                            .lines()
                            .filter(line -> line.contains("example.com") || line.startsWith("deployments "))
                            .toList();
        });
        assertThat(resources).contains("deployments");
        assertThat(clusters.same(cluster -> cluster.admin().succeed("get", "namespace", "team", "-o", "name")))
                .isEqualTo("namespace/team\n");
    }

    @Test
    @Order(11)
    void deletedApiService_takesItsGroupAlong_andBringsItBack() throws IOException {
        clusters.serve();
        clusters.kubectl("delete", "apiservice", API_SERVICE);
        for (AggregatingCluster cluster : clusters.all()) {
            for (String path : List.of(WIDGETS, VERSION, "/apis/example.com", "/openapi/v3/apis/example.com/v1")) {
                cluster.awaitStatus(ADMIN, path, 404);
            }
            Await.until(
                    cluster + ": gone",
                    SOON,
                    () -> cluster.aggregatedGroup("example.com").isEmpty()
                            && cluster.listedGroup("example.com").isEmpty()
                            && !cluster.described().contains("apis/example.com/v1"));
        }
        assertThat(clusters.same(cluster -> cluster.kubectl(ANNA)
                        .succeed("api-resources", "--api-group=example.com", "--cached=false", "-o", "name")))
                .isEmpty();

        clusters.apply(AggregatedWidgets.apiService("example.com", BACKEND, clusters.trust()));
        clusters.awaitServed();
        clusters.awaitCurrent();
    }

    private static String text(Answer answer) {
        return answer.status() + " " + answer.body().strip();
    }
}
