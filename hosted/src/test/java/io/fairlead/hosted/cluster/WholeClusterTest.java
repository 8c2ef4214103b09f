package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedCluster.Decision;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.model.RequestInfoParser;
import io.fairlead.model.UserInfo;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cluster with its real views: bootstrap policy, rights, discovery. */
class WholeClusterTest {
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final RevisionedStore store = new MemoryStore();
    private final HostedClusters clusters = open();
    private final HostedCluster dev = clusters.open(Fixture.DEV);
    private final Api api = new Api(dev);

    private HostedClusters open() {
        return new HostedClusters(
                store,
                Fixture.settings(64, 64),
                HostedViews.factory(InstantSource.system()),
                List.of(),
                "CERTIFICATES",
                InstantSource.system(),
                scheduler);
    }

    @AfterEach
    void close() {
        clusters.close();
        scheduler.shutdownNow();
    }

    @Test
    void bootstrap_isDoneOnceAndGrantsRights() {
        long revision = store.revision();
        assertThat(api.get("/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin")
                        .expect(200)
                        .at("/rules/0/verbs/0"))
                .isEqualTo("*");
        clusters.close(Fixture.DEV);

        HostedCluster again = clusters.open(Fixture.DEV);

        assertThat(store.revision()).isEqualTo(revision);
        var discovery = RequestInfoParser.parse("GET", "/api", "");
        var secrets = RequestInfoParser.parse("GET", "/api/v1/secrets", "");
        UserInfo nobody = UserInfo.of("nobody", List.of(UserInfo.AUTHENTICATED));
        assertThat(again.authorize(nobody, discovery)).isInstanceOf(Decision.Allowed.class);
        assertThat(again.authorize(nobody, secrets)).isInstanceOf(Decision.Denied.class);
        assertThat(again.authorize(UserInfo.of("root", List.of(UserInfo.MASTERS)), secrets))
                .isInstanceOf(Decision.Allowed.class);
    }

    @Test
    void binding_answered_holdsForTheNextRequest() {
        String bindings = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
        UserInfo reader = UserInfo.of("reader", List.of(UserInfo.AUTHENTICATED));
        var secrets = RequestInfoParser.parse("GET", "/api/v1/secrets", "");

        for (int i = 0; i < 200; i++) {
            api.create(bindings, """
                metadata: {name: reader}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
                subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: reader}]
                """).expect(201);
            assertThat(dev.authorize(reader, secrets)).isInstanceOf(Decision.Allowed.class);
            api.delete(bindings + "/reader").expect(200);
            assertThat(dev.authorize(reader, secrets)).isInstanceOf(Decision.Denied.class);
        }
    }

    /** By their group, and by the binding that is made with a cluster. */
    @Test
    void rulesOfAnAdministrator_areListedOnce() {
        Answer review = api.createJson(
                        "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                        "{\"spec\":{\"namespace\":\"default\"}}")
                .expect(201);

        assertThat(review.body().at("/status/resourceRules"))
                .filteredOn(rule -> rule.path("apiGroups").path(0).asString("").equals("*"))
                .hasSize(1);
        assertThat(review.body().at("/status/nonResourceRules"))
                .filteredOn(rule ->
                        rule.path("nonResourceURLs").path(0).asString("").equals("*"))
                .hasSize(1);
    }

    /** Compared with a kube-apiserver 1.36. */
    @Test
    void configMapThatIsTooLarge_isRefusedAsUpstreamDoes() {
        String data = "x".repeat(1 << 20);

        assertThat(api.createJson(
                                "/api/v1/namespaces/default/configmaps",
                                "{\"metadata\":{\"name\":\"big\"},\"data\":{\"a\":\"" + data + "\",\"b\":\"y\"}}")
                        .expect(422)
                        .message())
                .isEqualTo("ConfigMap \"big\" is invalid: []: Too long: may not be more than 1048576 bytes");
    }

    /** Else a right to create definitions would be one to answer other callers' reviews. */
    @ParameterizedTest
    @CsvSource({
        "authorization.k8s.io, SubjectAccessReview, Cluster",
        "authorization.k8s.io, LocalSubjectAccessReview, Namespaced",
        "authorization.k8s.io, SelfSubjectAccessReview, Cluster",
        "authorization.k8s.io, SelfSubjectRulesReview, Cluster",
        "authentication.k8s.io, TokenReview, Cluster",
        "authentication.k8s.io, SelfSubjectReview, Cluster"
    })
    void definitionWithTheNameOfAReview_servesNothing(String group, String kind, String scope) {
        String plural = kind.toLowerCase(Locale.ROOT) + "s";
        String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        api.createJson(path, """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"%1$s.%2$s","annotations":{"api-approved.kubernetes.io":"unapproved, a test"}},
             "spec":{"group":"%2$s","scope":"%4$s","names":{"plural":"%1$s","singular":"own","kind":"%3$s"},
             "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",
               "x-kubernetes-preserve-unknown-fields":true}}}]}}\
            """.formatted(plural, group, kind, scope)).expect(201);

        Fixture.eventually(
                "its names are looked at",
                () -> !api.get(path + "/" + plural + "." + group)
                        .at("/status/conditions/0/type")
                        .isEmpty());

        assertThat(api.get(path + "/" + plural + "." + group)
                        .expect(200)
                        .body()
                        .at("/status/conditions")
                        .valueStream()
                        .map(condition -> condition.path("type").asString()
                                + condition.path("status").asString()))
                .contains("NamesAcceptedFalse", "EstablishedFalse");
    }

    @Test
    void discovery_namesEachResourceOnce() {
        List<String> names = api.get("/apis/authorization.k8s.io/v1")
                .expect(200)
                .body()
                .path("resources")
                .valueStream()
                .map(resource -> resource.path("name").stringValue())
                .toList();

        assertThat(names).doesNotHaveDuplicates().contains("selfsubjectaccessreviews");
        assertThat(api.get("/api/v1")
                        .expect(200)
                        .body()
                        .path("resources")
                        .valueStream()
                        .map(resource -> resource.path("name").stringValue()))
                .contains("namespaces", "namespaces/status", "namespaces/finalize", "configmaps");
    }

    @Test
    void metadata_ofTheWrongTypeIsRefusedAndUnknownFieldsAreTold() {
        String maps = "/api/v1/namespaces/default/configmaps";

        assertThat(api.create(maps, "metadata: {name: a, labels: 5}")
                        .expect(400)
                        .message())
                .contains("cannot unmarshal number into Go struct field ObjectMeta.metadata.labels");
        Api.Answer created = api.create(maps, "metadata: {name: a, odd: 1}").expect(201);
        assertThat(created.headers().get("Warning")).containsExactly("299 - \"unknown field \\\"metadata.odd\\\"\"");
        assertThat(created.body().path("metadata").has("odd")).isFalse();
    }

    @Test
    void namespace_getsWhatProgramsExpect_andGetsItBack() {
        api.create("/api/v1/namespaces", "metadata: {name: harbour}").expect(201);
        String account = "/api/v1/namespaces/harbour/serviceaccounts/default";
        String certificates = "/api/v1/namespaces/harbour/configmaps/kube-root-ca.crt";

        Fixture.eventually("the account is there", () -> api.get(account).code() == 200);
        Fixture.eventually(
                "the certificates are there",
                () -> api.get(certificates)
                        .body()
                        .path("data")
                        .path("ca.crt")
                        .asString("")
                        .equals("CERTIFICATES"));
        String uid = api.get(account).at("/metadata/uid");
        api.delete(account).expect(200);
        api.merge(certificates, "{\"data\":{\"ca.crt\":\"forged\",\"more\":\"\"}}")
                .expect(200);

        Fixture.eventually("the account is back", () -> api.get(account).code() == 200);
        assertThat(api.get(account).at("/metadata/uid")).isNotEqualTo(uid);
        Fixture.eventually(
                "the certificates are mended",
                () -> api.get(certificates).body().path("data").toString().equals("{\"ca.crt\":\"CERTIFICATES\"}"));
        api.delete(certificates).expect(200);
        Fixture.eventually(
                "the certificates are back", () -> api.get(certificates).code() == 200);
    }

    @Test
    void namespace_thatGoes_isNotFurnishedAnew() {
        api.create("/api/v1/namespaces", "metadata: {name: harbour}").expect(201);

        api.delete("/api/v1/namespaces/harbour").expect(200);

        Fixture.eventually(
                "the namespace is gone",
                () -> api.get("/api/v1/namespaces/harbour").code() == 404);
        api.get("/api/v1/namespaces/harbour/serviceaccounts/default").expect(404);
        api.get("/api/v1/namespaces/default/serviceaccounts/default").expect(200);
    }

    @Test
    void aggregatedRole_isWrittenWhenItsPartsChange() {
        String roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
        api.create(roles, """
            metadata: {name: boat-viewer, labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}}
            rules: [{apiGroups: [example.com], resources: [boats], verbs: [get]}]
            """).expect(201);

        Fixture.eventually("view may see boats", () -> mentionsBoats(roles + "/view"));
        Fixture.eventually(
                "so may edit and admin", () -> mentionsBoats(roles + "/edit") && mentionsBoats(roles + "/admin"));
        api.merge(roles + "/view", "{\"rules\":[]}").expect(200);
        Fixture.eventually("view is mended", () -> mentionsBoats(roles + "/view"));
        api.delete(roles + "/boat-viewer").expect(200);

        Fixture.eventually(
                "nobody may see boats", () -> !mentionsBoats(roles + "/view") && !mentionsBoats(roles + "/edit"));
    }

    private boolean mentionsBoats(String role) {
        return api.get(role).expect(200).body().path("rules").toString().contains("boats");
    }
}
