package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a write to {@code /status} may change of the metadata: what the status strategies of kube-apiserver 1.36 leave to it. */
class StatusMetadataTest extends EveryKindFixture {
    private static final String WRITE = "{\"metadata\":{\"labels\":{\"sent\":\"x\"},\"annotations\":{\"sent\":\"x\"}}}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/apis/apiregistration.k8s.io/v1/apiservices | v1.example.com | {group: example.com, version: v1,"
                        + " groupPriorityMinimum: 1, versionPriority: 1, insecureSkipTLSVerify: true,"
                        + " service: {namespace: a, name: b}}",
                "/apis/networking.k8s.io/v1/servicecidrs | o | {cidrs: [10.200.0.0/16]}",
                "/apis/storage.k8s.io/v1/volumeattachments | o | {attacher: csi.example.com, nodeName: m,"
                        + " source: {persistentVolumeName: pv}}",
                "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims | o | {devices: {requests: [{name: r,"
                        + " exactly: {deviceClassName: dc}}]}}",
                "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas | o | {priorityLevelConfiguration: {name: c}}",
                "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations | o | {type: Limited,"
                        + " limited: {limitResponse: {type: Queue, queuing: {}}}}",
                "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies | o | {matchConstraints:"
                        + " {resourceRules: [{operations: [CREATE], apiGroups: [a], apiVersions: [v1],"
                        + " resources: [b]}]}, validations: [{expression: \"true\"}]}",
            })
    void metadata_isThatOfTheStoredObject(String collection, String name, String spec) {
        api.create(collection, "metadata: {name: " + name + ", labels: {a: b}}\nspec: " + spec)
                .expect(201);

        JsonNode metadata = writeStatus(collection + "/" + name);

        assertThat(metadata.path("labels")).isEqualTo(Json.object().put("a", "b"));
        assertThat(metadata.has("annotations")).isFalse();
    }

    @Test
    void deployment_keepsItsLabels_andTakesAnnotations() {
        String deployments = "/apis/apps/v1/namespaces/default/deployments";
        api.create(deployments, "metadata: {name: o}\nspec: " + workload()).expect(201);

        JsonNode metadata = writeStatus(deployments + "/o");

        assertThat(metadata.has("labels")).isFalse();
        assertThat(metadata.path("annotations")).isEqualTo(Json.object().put("sent", "x"));
    }

    @Test
    void daemonSet_takesBoth() {
        String daemonSets = "/apis/apps/v1/namespaces/default/daemonsets";
        api.create(daemonSets, "metadata: {name: o}\nspec: " + workload()).expect(201);

        JsonNode metadata = writeStatus(daemonSets + "/o");

        assertThat(metadata.path("labels")).isEqualTo(Json.object().put("sent", "x"));
        assertThat(metadata.at("/annotations/sent").asString("")).isEqualTo("x");
    }

    @Test
    void pod_takesLabels_butNoOwners() {
        String pods = "/api/v1/namespaces/default/pods";
        api.create(pods, "metadata: {name: o}\nspec: {containers: [{name: c, image: nginx}]}")
                .expect(201);

        ObjectNode pod = api.merge(
                        pods + "/o/status",
                        "{\"metadata\":{\"labels\":{\"sent\":\"x\"},\"deletionTimestamp\":\"2020-01-01T00:00:00Z\","
                                + "\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"K\",\"name\":\"n\","
                                + "\"uid\":\"1\"}]}}")
                .expect(200)
                .body();

        assertThat(pod.at("/metadata/labels/sent").asString("")).isEqualTo("x");
        assertThat(pod.path("metadata").has("ownerReferences")).isFalse();
        assertThat(pod.path("metadata").has("deletionTimestamp")).isFalse();
    }

    @Test
    void definition_takesBoth_butNoSpec() {
        api.create(CustomResourcesFixture.CRDS, CustomResourcesFixture.crd("foos", "Foo"))
                .expect(201);
        String path = CustomResourcesFixture.CRDS + "/foos.example.com";

        JsonNode metadata = writeStatus(path);

        assertThat(metadata.path("labels")).isEqualTo(Json.object().put("sent", "x"));
        assertThat(metadata.path("annotations")).isEqualTo(Json.object().put("sent", "x"));
        assertThat(api.merge(path + "/status", "{\"spec\":{\"scope\":\"Cluster\"}}")
                        .expect(200)
                        .at("/spec/scope"))
                .isEqualTo("Namespaced");
    }

    private static String workload() {
        return "{selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}},"
                + " spec: {containers: [{name: c, image: nginx}]}}}";
    }

    private JsonNode writeStatus(String path) {
        return api.merge(path + "/status", WRITE).expect(200).body().path("metadata");
    }
}
