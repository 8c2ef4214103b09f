package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.cluster.Api.Answer;
import io.fairlead.hosted.kinds.data.DataKinds;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.UserInfo;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.Protobuf;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Clusters that serve every built-in kind; a comparison with kube-apiserver has the kinds one by one. */
class DataKindsTest extends EveryKindFixture {
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/%s/deployments";
    private static final String DEPLOYMENT = """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: d}
        spec:
          selector: {matchLabels: {a: b}}
          template:
            metadata: {labels: {a: b}}
            spec: {containers: [{name: c, image: nginx, resources: {limits: {memory: 1024Mi, cpu: "0.5"}}}]}
        """;

    @Test
    void clusterOfTheCoreKinds_servesNoOthers() {
        fixture.dev().get(DEPLOYMENTS.formatted("default")).expect(404);

        api.get(DEPLOYMENTS.formatted("default")).expect(200);
    }

    @Test
    void everyKind_isListed() {
        for (BuiltInKind kind : DataKinds.all()) {
            GroupVersion version = kind.type().groupVersion();
            String root = version.group().isEmpty() ? "/api/v1/" : "/apis/" + version.apiVersion() + "/";

            assertThat(api.get(root + kind.type().plural()).expect(200).at("/kind"))
                    .isEqualTo(kind.type().kind() + "List");
        }
        assertThat(DataKinds.all()).as("47 kinds, one of them in two versions").hasSize(48);
    }

    /** Jobs and ReplicationControllers were there before dependents were collected, and keep the policy of then. */
    @ParameterizedTest
    @CsvSource({
        "/apis/batch/v1/namespaces/default/jobs, batch/v1, Job",
        "/api/v1/namespaces/default/replicationcontrollers, v1, ReplicationController"
    })
    void dependents_stay_whereADeletionNamesNoPolicy(String path, String version, String kind) {
        create(path, version, kind);

        Answer deleted = api.delete(path + "/x").expect(200);

        assertThat(deleted.body().at("/metadata/finalizers").toString()).isEqualTo("[\"orphan\"]");
        assertThat(deleted.headers().getOrDefault("Warning", List.of()))
                .hasSize(kind.equals("Job") ? 1 : 0)
                .allMatch(warning -> warning.contains("child pods are preserved by default when jobs are deleted"));
        create(path, version, kind + "2");
        Answer policy = api.delete(path + "/x2?propagationPolicy=Background").expect(200);
        assertThat(policy.body().at("/metadata/finalizers").isMissingNode()).isTrue();
        assertThat(policy.headers()).doesNotContainKey("Warning");
    }

    @Test
    void ingress_isToldOfItsAnnotation_whenItIsCreatedAlone() {
        String ingresses = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
        Answer created = api.create(ingresses, """
            {apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: a, annotations: {kubernetes.io/ingress.class: nginx}},
              spec: {defaultBackend: {service: {name: s, port: {number: 80}}}}}
            """);

        assertThat(created.expect(201).headers().get("Warning"))
                .containsExactly("299 - \"annotation \\\"kubernetes.io/ingress.class\\\" is deprecated, please use"
                        + " 'spec.ingressClassName' instead\"");
        assertThat(api.merge(ingresses + "/a", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}")
                        .expect(200)
                        .headers())
                .doesNotContainKey("Warning");
    }

    @Test
    void deprecation_isTold_onceTheKindIsReached_whichMediaTypesOfTheRouteAreNot() {
        String endpoints = "/api/v1/namespaces/default/endpoints";
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);

        assertThat(List.of(
                        api.get(endpoints + "/none").expect(404),
                        api.send("POST", endpoints, "text/plain", body).expect(415),
                        api.send("PUT", endpoints + "/none", "text/plain", body).expect(415)))
                .allSatisfy(answer -> assertThat(answer.headers()).containsKey("Warning"));
        assertThat(List.of(
                        api.get(endpoints, "text/plain").expect(406),
                        api.get(endpoints + "/none", "text/plain").expect(406),
                        api.send("PATCH", endpoints + "/none", "text/plain", body)
                                .expect(415)))
                .allSatisfy(answer -> assertThat(answer.headers()).doesNotContainKey("Warning"));
    }

    @Test
    void emptyApiService_isRefused_asInKubeApiserver() {
        Answer refused = api.create("/apis/apiregistration.k8s.io/v1/apiservices", """
            {apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.a.b}, spec: {}}
            """);

        assertThat(refused.expect(422).message())
                .contains("spec.version: Invalid value: \"\": a DNS-1035 label must")
                .endsWith(", spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000,"
                        + " spec.versionPriority: Invalid value: 0: must be positive and less than 1000]");
    }

    private void create(String path, String version, String kindAndNumber) {
        String number = kindAndNumber.endsWith("2") ? "2" : "";
        api.create(path, """
            apiVersion: %s
            kind: %s
            metadata: {name: x%s}
            spec: {template: {metadata: {labels: {a: b}}, spec: {restartPolicy: %s, containers: [{name: c, image: i}]}}}
            """.formatted(
                                version,
                                kindAndNumber.replace("2", ""),
                                number,
                                kindAndNumber.startsWith("Job") ? "Never" : "Always"))
                .expect(201);
    }

    @Test
    void driverOfANode_isFixed_butForWhatItCanHold() {
        String nodes = "/apis/storage.k8s.io/v1/csinodes";
        api.create(nodes, """
            apiVersion: storage.k8s.io/v1
            kind: CSINode
            metadata: {name: o}
            spec: {drivers: [{name: a.example.com, nodeID: x, allocatable: {count: 1}}, {name: b.example.com, nodeID: w}]}
            """).expect(201);
        ObjectNode driver = Json.object().put("name", "a.example.com").put("nodeID", "x");
        driver.putObject("allocatable").put("count", 2);
        String patch = "{\"spec\":{\"drivers\":[%s]}}";

        api.merge(nodes + "/o", patch.formatted(driver)).expect(200);
        assertThat(api.merge(nodes + "/o", patch.formatted(driver.put("nodeID", "z")))
                        .expect(422)
                        .message())
                .contains("spec.drivers: Invalid value", "field is immutable");
    }

    @Test
    void whatClientsLeaveOut_isFilledIn_andQuantitiesAreCanonical() {
        Answer made = api.create(DEPLOYMENTS.formatted("default"), DEPLOYMENT).expect(201);

        assertThat(made.at("/spec/replicas")).isEqualTo("1");
        assertThat(made.at("/spec/strategy/rollingUpdate/maxSurge")).isEqualTo("25%");
        JsonNode container = made.body().at("/spec/template/spec/containers/0");
        assertThat(container.path("imagePullPolicy").asString("")).isEqualTo("Always");
        assertThat(container.at("/resources/limits")).isEqualTo(Json.read("{\"memory\":\"1Gi\",\"cpu\":\"500m\"}"));
        assertThat(container.at("/resources").has("requests"))
                .as("a template is no pod")
                .isFalse();
    }

    @Test
    void selector_ofADeployment_neverChanges() {
        ObjectNode made = api.create(DEPLOYMENTS.formatted("default"), DEPLOYMENT)
                .expect(201)
                .body();
        for (String place : List.of("/spec/selector/matchLabels", "/spec/template/metadata/labels")) {
            ((ObjectNode) made.at(place)).put("a", "other");
        }

        assertThat(api.replace(DEPLOYMENTS.formatted("default") + "/d", made)
                        .expect(422)
                        .message())
                .contains("spec.selector", "field is immutable");
    }

    @Test
    void pod_mayChangeItsImage_andNothingElseOfItsSpec() {
        api.create(PODS, "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: c, image: a}]}}")
                .expect(201);

        api.send(
                        "PATCH",
                        PODS + "/p",
                        "application/strategic-merge-patch+json",
                        "{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"b\"}]}}"
                                .getBytes(StandardCharsets.UTF_8))
                .expect(200);
        assertThat(api.merge(PODS + "/p", "{\"spec\":{\"nodeSelector\":{\"a\":\"b\"}}}")
                        .expect(422)
                        .message())
                .contains("spec: Forbidden: pod updates may not change fields other than");
    }

    @Test
    void statusOfANewObject_isTheServers_andChangesByItsOwnPath() {
        String pod = "{apiVersion: v1, kind: Pod, metadata: {name: p}, status: {phase: Failed, message: lost},"
                + " spec: {containers: [{name: c, image: a, resources: {requests: {cpu: 1}}}]}}";

        Answer made = api.create(PODS, pod).expect(201);
        assertThat(made.body().path("status"))
                .isEqualTo(Json.read("{\"phase\":\"Pending\",\"qosClass\":\"Burstable\"}"));
        api.merge(PODS + "/p", "{\"status\":{\"phase\":\"Running\"}}").expect(200);
        assertThat(api.get(PODS + "/p").at("/status/phase")).isEqualTo("Pending");
        api.merge(PODS + "/p/status", "{\"status\":{\"phase\":\"Running\"},\"spec\":{\"nodeName\":\"n\"}}")
                .expect(200);
        assertThat(api.get(PODS + "/p").at("/status/phase")).isEqualTo("Running");
        assertThat(api.get(PODS + "/p").body().path("spec").has("nodeName")).isFalse();
    }

    @Test
    void protobuf_holdsFieldsOfEmbeddedStructs_inMessagesOfTheirOwn() {
        ObjectNode pod = api.create(PODS, """
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec:
              containers:
              - name: c
                image: a
                livenessProbe: {httpGet: {port: http}}
                env: [{name: E, valueFrom: {secretKeyRef: {name: s, key: k}}}]
              volumes: [{name: v, configMap: {name: m, items: [{key: a, path: b}]}}]
            """).expect(201).body();

        byte[] written = Protobuf.write(pod);

        assertThat(Protobuf.read(written).at("/spec/volumes/0/configMap/name").asString(""))
                .isEqualTo("m");
        Answer again = api.send(
                "POST", "/api/v1/namespaces/kube-system/pods", "application/vnd.kubernetes.protobuf", moved(pod));
        assertThat(again.expect(201).body().path("spec")).isEqualTo(pod.path("spec"));
    }

    private static byte[] moved(ObjectNode pod) {
        ObjectNode moved = pod.deepCopy();
        moved.set("metadata", Json.object().put("name", "p"));
        return Protobuf.write(moved);
    }

    @Test
    void namespace_takesItsObjectsWithIt() {
        api.create("/api/v1/namespaces", "{apiVersion: v1, kind: Namespace, metadata: {name: team}}")
                .expect(201);
        api.create(DEPLOYMENTS.formatted("team"), DEPLOYMENT).expect(201);

        api.delete("/api/v1/namespaces/team");

        Fixture.eventually(
                "the namespace is gone",
                () -> api.get("/api/v1/namespaces/team").code() == 404);
        assertThat(api.get("/apis/apps/v1/deployments").body().path("items").size())
                .isZero();
    }

    @Test
    void services_haveEachItsAddress_untilTheyAreDeleted() {
        Set<String> addresses = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            addresses.add(service("s" + i, "ClusterIP", "").expect(201).at("/spec/clusterIP"));
        }

        assertThat(addresses).hasSize(50).allMatch(address -> address.matches("10\\.(9[6-9]|10\\d|11[01])\\..*"));
        String taken = api.get(SERVICES + "/s0").at("/spec/clusterIP");
        assertThat(service("other", "ClusterIP", taken).expect(422).message())
                .contains("failed to allocate IP " + taken + ": provided IP is already allocated");
        assertThat(api.delete(SERVICES + "/s0").expect(200).at("/kind")).isEqualTo("Service");
        service("other", "ClusterIP", taken).expect(201);
    }

    @Test
    void services_keepWhatTheyWereGiven_whenAnUpdateLeavesItOut() {
        Answer made = service("s", "NodePort", "").expect(201);
        int nodePort = made.body().at("/spec/ports/0/nodePort").asInt(0);
        assertThat(nodePort).isBetween(30_000, 32_767);

        Answer replaced = api.replace(
                SERVICES + "/s",
                Json.read("{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"s\"},"
                        + "\"spec\":{\"type\":\"NodePort\",\"ports\":[{\"port\":80},{\"name\":\"b\",\"port\":81}]}}"));
        assertThat(replaced.expect(422).message()).contains("spec.ports[0].name: Required value");
        replaced = api.replace(
                SERVICES + "/s",
                Json.read("{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"s\"},"
                        + "\"spec\":{\"type\":\"NodePort\",\"ports\":[{\"port\":80}]}}"));

        assertThat(replaced.expect(200).at("/spec/clusterIP")).isEqualTo(made.at("/spec/clusterIP"));
        assertThat(replaced.body().at("/spec/ports/0/nodePort").asInt(0)).isEqualTo(nodePort);
        assertThat(service("t", "ExternalName", "").expect(422).message())
                .contains("spec.externalName: Required value");
    }

    private Answer service(String name, String type, String address) {
        return api.create(SERVICES, """
            apiVersion: v1
            kind: Service
            metadata: {name: %s}
            spec: {type: %s, clusterIP: '%s', ports: [{port: 80}]}
            """.formatted(name, type, address));
    }

    @Test
    void theApiItself_isAService() {
        assertThat(api.get(SERVICES + "/kubernetes").expect(200).at("/spec/clusterIP"))
                .isEqualTo("10.96.0.1");
        assertThat(api.get("/api/v1/namespaces/default/endpoints/kubernetes")
                        .expect(200)
                        .at("/subsets/0/ports/0/port"))
                .isEqualTo("6443");
        api.get("/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical")
                .expect(200);
    }

    @Test
    void signingRequest_saysWhoMadeIt_whateverItSays() {
        String path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
        UserInfo jane = new UserInfo("jane", "7", List.of("staff"), Map.of("k", List.of("v")));

        Answer made =
                api.as(jane).create(path, """
                    apiVersion: certificates.k8s.io/v1
                    kind: CertificateSigningRequest
                    metadata: {name: r}
                    spec: {signerName: example.com/s, usages: [client auth], request: %s, username: root, groups: ["system:masters"]}
                    """.formatted(SigningFixture.REQUEST)).expect(201);

        assertThat(made.at("/spec/username")).isEqualTo("jane");
        assertThat(made.body().at("/spec/groups")).isEqualTo(Json.read("[\"staff\"]"));
        assertThat(made.body().at("/spec/extra")).isEqualTo(Json.read("{\"k\":[\"v\"]}"));
        api.merge(path + "/r", "{\"spec\":{\"username\":\"root\"}}").expect(200);
        assertThat(api.get(path + "/r").at("/spec/username")).isEqualTo("jane");
    }

    @Test
    void job_findsItsPodsByItsUid() {
        Answer made = api.create("/apis/batch/v1/namespaces/default/jobs", """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: j}
            spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: a}]}}}
            """).expect(201);

        String uid = made.at("/metadata/uid");
        assertThat(made.body().at("/spec/selector/matchLabels"))
                .isEqualTo(Json.object().put("batch.kubernetes.io/controller-uid", uid));
        assertThat(made.body()
                        .at("/spec/template/metadata/labels")
                        .path("batch.kubernetes.io/job-name")
                        .asString(""))
                .isEqualTo("j");
    }
}
