package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.hosted.kinds.data.ApiServicePriority;
import io.fairlead.hosted.kinds.data.DataKinds;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The APIServices that a cluster with every kind has for what it serves itself. */
@Timeout(60)
class LocalApiServicesTest {
    private static final ClusterName ALL = new ClusterName("all");
    private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
    private static final String FOOS = SERVICES + "/v1.example.com";
    private static final String CRDS = CustomResourcesFixture.CRDS;
    private static final String LABEL = "/metadata/labels/kube-aggregator.kubernetes.io~1automanaged";
    private static final String UNLABELLED =
            "{\"metadata\":{\"labels\":{\"kube-aggregator.kubernetes.io/automanaged\":null}}}";
    private static final String OTHER_PRIORITY = "{\"spec\":{\"versionPriority\":7}}";
    private static final String OWN = """
        apiVersion: apiregistration.k8s.io/v1
        kind: APIService
        metadata: {name: v1.example.com}
        spec:
          group: example.com
          version: v1
          groupPriorityMinimum: 2000
          versionPriority: 20
          service: {namespace: default, name: backend}
        """;
    /** What kube-apiserver 1.36.3 has, but for the groups of reviews. */
    private static final List<String> OF_KUBE_APISERVER = List.of(
            "v1. 18000 1",
            "v1.admissionregistration.k8s.io 16700 15",
            "v1.apiextensions.k8s.io 16700 15",
            "v1.apps 17800 15",
            "v1.autoscaling 17500 15",
            "v1.batch 17400 15",
            "v1.certificates.k8s.io 17300 15",
            "v1.coordination.k8s.io 16500 15",
            "v1.discovery.k8s.io 16200 15",
            "v1.events.k8s.io 17750 15",
            "v1.flowcontrol.apiserver.k8s.io 16100 21",
            "v1.networking.k8s.io 17200 15",
            "v1.node.k8s.io 16300 15",
            "v1.policy 17100 15",
            "v1.rbac.authorization.k8s.io 17000 15",
            "v1.resource.k8s.io 16200 21",
            "v1.scheduling.k8s.io 16600 15",
            "v1.storage.k8s.io 16800 15",
            "v2.autoscaling 17500 30");

    private final Fixture fixture = new Fixture();
    private Api api = open();
    private int barriers;

    private Api open() {
        return new Api(fixture.clusters.open(ALL, BuiltIns.ALL));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void builtInVersions_haveTheApiServicesThatKubeApiserverHas() {
        JsonNode items = api.get(SERVICES).expect(200).body().path("items");

        List<String> found = new ArrayList<>();
        for (JsonNode item : items) {
            JsonNode spec = item.path("spec");
            String name = item.at("/metadata/name").asString("");
            assertThat(name)
                    .isEqualTo(spec.path("version").asString("") + "."
                            + spec.path("group").asString(""));
            assertThat(item.at(LABEL).asString("")).isEqualTo("onstart");
            assertThat(spec.has("service")).isFalse();
            assertAvailable(item);
            found.add(name + " " + spec.path("groupPriorityMinimum").asInt(0) + " "
                    + spec.path("versionPriority").asInt(0));
        }
        assertThat(found).containsExactlyElementsOf(OF_KUBE_APISERVER);
    }

    @Test
    void everyBuiltInVersion_hasAPriority_butForThatOfApiServices() {
        assertThat(DataKinds.all())
                .map(kind -> kind.type().groupVersion())
                .filteredOn(version -> ApiServicePriority.ofBuiltIn(version) == null)
                .containsOnly(DataKinds.all().stream()
                        .map(kind -> kind.type().groupVersion())
                        .filter(version -> version.group().equals("apiregistration.k8s.io"))
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void clusterOfTheCoreKinds_hasNone() {
        Api core = fixture.dev();
        core.create(CRDS, CustomResourcesFixture.crd("foos", "Foo")).expect(201);
        Fixture.eventually(
                "the definition is served",
                () -> core.get(CustomResourcesFixture.FOOS).code() == 200);

        core.get(SERVICES).expect(404);
        assertThat(fixture.store.list("/c/", null, 0, fixture.store.revision()))
                .filteredOn(entry -> entry.key().contains("/apiservices/"))
                .as("those of the cluster with all kinds")
                .hasSize(OF_KUBE_APISERVER.size());
    }

    @Test
    void versionOfDefinitions_hasOne_untilTheLastOfThemIsGone() {
        define("foos", "Foo");
        Answer made = awaitOne();
        assertThat(made.at(LABEL)).isEqualTo("true");
        assertThat(made.body().path("spec"))
                .isEqualTo(Json.read("{\"group\":\"example.com\",\"version\":\"v1\",\"groupPriorityMinimum\":1000,"
                        + "\"versionPriority\":100}"));
        assertAvailable(made.body());

        define("bars", "Bar");
        undefine("foos");
        settle();
        assertThat(api.get(FOOS).expect(200).at("/metadata/uid")).isEqualTo(made.at("/metadata/uid"));

        undefine("bars");
        Fixture.eventually("the APIService is gone", () -> api.get(FOOS).code() == 404);
    }

    @Test
    void versionThatADefinitionNoLongerServes_hasNone() {
        ObjectNode definition = define("foos", "Foo").body();
        awaitOne();
        ObjectNode second = (ObjectNode) definition.at("/spec/versions/0").deepCopy();
        second.put("name", "v2").put("storage", false).put("served", false);
        api.patch(
                        CRDS + "/foos.example.com",
                        "[{\"op\":\"add\",\"path\":\"/spec/versions/-\",\"value\":" + second + "}]")
                .expect(200);
        settle();
        api.get(SERVICES + "/v2.example.com").expect(404);

        api.patch(CRDS + "/foos.example.com", """
            [{"op":"replace","path":"/spec/versions/0/served","value":false},
             {"op":"replace","path":"/spec/versions/1/served","value":true}]
            """).expect(200);

        Fixture.eventually("v1 is gone", () -> api.get(FOOS).code() == 404);
        Fixture.eventually(
                "v2 is there", () -> api.get(SERVICES + "/v2.example.com").code() == 200);
    }

    @Test
    void apiServiceOfAUser_isLeftAlone() {
        Answer own = api.create(SERVICES, OWN).expect(201);

        define("foos", "Foo");
        settle();
        assertThat(api.get(FOOS).expect(200).body().path("spec"))
                .isEqualTo(own.body().path("spec"));
        undefine("foos");
        settle();
        reopen();
        settle();

        assertThat(api.get(FOOS).expect(200).at("/metadata/uid")).isEqualTo(own.at("/metadata/uid"));
        assertThat(api.get(FOOS).body().path("spec")).isEqualTo(own.body().path("spec"));
        api.delete(FOOS).expect(200);
        settle();
        api.get(FOOS).expect(404);
    }

    @Test
    void apiServiceOfADefinition_comesBack_andIsRestored() {
        define("foos", "Foo");
        Answer made = awaitOne();

        api.delete(FOOS).expect(200);
        Answer again = awaitOne();
        assertThat(again.at("/metadata/uid")).isNotEqualTo(made.at("/metadata/uid"));

        api.merge(FOOS, OTHER_PRIORITY).expect(200);
        Fixture.eventually("the spec is restored", () -> priority(FOOS) == 100);
        api.merge(FOOS + "/status", "{\"status\":{\"conditions\":[]}}").expect(200);
        settle();
        assertAvailable(api.get(FOOS).body());
    }

    @Test
    void apiServiceThatIsAsItShouldBe_orWaitsForAFinalizer_isNotWrittenAgain() {
        define("foos", "Foo");
        awaitOne();
        api.merge(FOOS, "{\"metadata\":{\"finalizers\":[\"example.com/f\"]}}").expect(200);
        settle();
        String revision = api.get(FOOS).resourceVersion();
        settle();
        assertThat(api.get(FOOS).resourceVersion()).isEqualTo(revision);

        undefine("foos");
        Fixture.eventually(
                "it is terminating", () -> api.get(FOOS).body().at("/metadata").has("deletionTimestamp"));
        revision = api.get(FOOS).resourceVersion();
        settle();
        settle();
        assertThat(api.get(FOOS).resourceVersion()).isEqualTo(revision);
    }

    @Test
    void apiServiceWithoutTheLabel_isItsUsers_also() {
        define("foos", "Foo");
        awaitOne();
        api.merge(FOOS, UNLABELLED).expect(200);

        api.merge(FOOS, OTHER_PRIORITY).expect(200);
        undefine("foos");
        settle();

        assertThat(priority(FOOS)).isEqualTo(7);
    }

    @Test
    void apiServiceThatSaysItIsManaged_isDeleted_ifNothingIsServed() {
        api.create(SERVICES, labelled("'true'")).expect(201);

        Fixture.eventually("it is gone", () -> api.get(FOOS).code() == 404);
    }

    @Test
    void apiServicesOfBuiltInVersions_areRestoredWhenTheClusterIsOpened_only() {
        api.delete(SERVICES + "/v1.batch").expect(200);
        api.merge(SERVICES + "/v1.apps", OTHER_PRIORITY).expect(200);
        api.merge(SERVICES + "/v1.policy", UNLABELLED).expect(200);
        api.merge(SERVICES + "/v1.policy", OTHER_PRIORITY).expect(200);
        settle();
        api.get(SERVICES + "/v1.batch").expect(404);
        assertThat(priority(SERVICES + "/v1.apps")).isEqualTo(7);

        reopen();

        assertThat(priority(SERVICES + "/v1.batch")).isEqualTo(15);
        Fixture.eventually("the spec is restored", () -> priority(SERVICES + "/v1.apps") == 15);
        settle();
        assertThat(priority(SERVICES + "/v1.policy")).isEqualTo(7);
    }

    @Test
    void definitionsThatChangedWhileTheClusterWasClosed_areMadeUpFor() {
        define("foos", "Foo");
        Answer made = awaitOne();
        String unserved = SERVICES + "/v1.example.org";
        api.create(SERVICES, labelled("onstart").replace("example.com", "example.org"))
                .expect(201);
        settle();
        api.get(unserved).expect(200);

        reopen();

        Fixture.eventually(
                "what was managed at the start is gone", () -> api.get(unserved).code() == 404);
        settle();
        assertThat(api.get(FOOS).expect(200).at("/metadata/uid")).isEqualTo(made.at("/metadata/uid"));
    }

    @Test
    void nameOfAnApiService_isItsVersionAndGroup() {
        String refused = api.create(SERVICES, OWN.replace("name: v1.example.com", "name: v1.example.org"))
                .expect(422)
                .message();

        assertThat(refused)
                .isEqualTo(
                        "APIService.apiregistration.k8s.io \"v1.example.org\" is invalid: metadata.name: Invalid value:"
                                + " \"v1.example.org\": must be `spec.version+\".\"+spec.group`: \"v1.example.com\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "service: {namespace: default} | spec.service.name",
                "service: {name: backend} | spec.service.namespace",
                "service: {namespace: default, name: backend, port: 65536} | spec.service.port",
                "service: {namespace: default, name: backend}, insecureSkipTLSVerify: true, caBundle: QQ== |"
                        + " spec.insecureSkipTLSVerify",
                "insecureSkipTLSVerify: true | spec.insecureSkipTLSVerify",
                "caBundle: QQ== | spec.caBundle",
            })
    void apiServiceOfABackend_isJudgedAsByKubeApiserver(String spec, String field) {
        String object = "{metadata: {name: v1.example.com}, spec: {group: example.com, version: v1,"
                + " groupPriorityMinimum: 1, versionPriority: 1, " + spec + "}}";

        Answer refused = api.create(SERVICES, object).expect(422);

        assertThat(refused.at("/details/causes/0/field")).isEqualTo(field);
        assertThat(refused.body().at("/details/causes")).hasSize(1);
    }

    private static String labelled(String value) {
        return OWN.replace(
                "metadata: {", "metadata: {labels: {kube-aggregator.kubernetes.io/automanaged: " + value + "}, ");
    }

    private Answer define(String plural, String kind) {
        return api.create(CRDS, CustomResourcesFixture.crd(plural, kind)).expect(201);
    }

    private void undefine(String plural) {
        api.delete(CRDS + "/" + plural + ".example.com").expect(200);
        Fixture.eventually(
                plural + " is gone",
                () -> api.get(CRDS + "/" + plural + ".example.com").code() == 404);
    }

    private Answer awaitOne() {
        Fixture.eventually("the APIService is there", () -> api.get(FOOS).code() == 200);
        return api.get(FOOS);
    }

    private int priority(String path) {
        return api.get(path).expect(200).body().at("/spec/versionPriority").asInt(0);
    }

    /** Returns once what happened before has had its consequences: a definition made now has its own after them. */
    private void settle() {
        String group = "barrier" + barriers++ + ".example.com";
        api.create(CRDS, CustomResourcesFixture.crd("foos", "Foo").replace("example.com", group))
                .expect(201);
        Fixture.eventually(
                "the barrier is there", () -> api.get(SERVICES + "/v1." + group).code() == 200);
    }

    private void reopen() {
        fixture.clusters.close(ALL);
        api = open();
    }

    private static void assertAvailable(JsonNode apiService) {
        ObjectNode condition =
                (ObjectNode) apiService.at("/status/conditions/0").deepCopy();
        condition.remove("lastTransitionTime");
        assertThat(condition)
                .isEqualTo(Json.read("{\"type\":\"Available\",\"status\":\"True\",\"reason\":\"Local\","
                        + "\"message\":\"Local APIServices are always available\"}"));
    }
}
