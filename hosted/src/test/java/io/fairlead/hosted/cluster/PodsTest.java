package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is refused of pods and their volumes, and by what pods are found, as kube-apiserver 1.36 does. */
class PodsTest extends EveryKindFixture {
    private static final String PODS = "/api/v1/namespaces/default/pods";

    @Test
    void volume_hasOneSource() {
        String spec = "{containers: [{name: c, image: a}], volumes: [{name: v, configMap: {name: m}%s}]}";
        assertThat(create("p", spec.formatted(", hostPath: {path: /x}"))
                        .expect(422)
                        .message())
                .isEqualTo(
                        "Pod \"p\" is invalid: spec.volumes[0].configMap: Forbidden: may not specify more than 1 volume"
                                + " type");
        create("p", spec.formatted("")).expect(201);

        assertThat(api.create("/apis/apps/v1/namespaces/default/deployments", """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: d}
            spec:
              selector: {matchLabels: {a: b}}
              template: {metadata: {labels: {a: b}}, spec: %s}
            """.formatted(
                                        spec.formatted(", emptyDir: {}")))
                        .expect(422)
                        .message())
                .isEqualTo(
                        "Deployment.apps \"d\" is invalid: spec.template.spec.volumes[0].configMap: Forbidden: may not"
                                + " specify more than 1 volume type");
    }

    @Test
    void persistentVolume_hasOneSource() {
        String volume = "{apiVersion: v1, kind: PersistentVolume, metadata: {name: v}, spec: {capacity: {storage: 1Gi},"
                + " accessModes: [ReadWriteOnce], nfs: {server: a, path: /b}%s}}";

        assertThat(api.create("/api/v1/persistentvolumes", volume.formatted(", hostPath: {path: /x}"))
                        .expect(422)
                        .message())
                .isEqualTo("PersistentVolume \"v\" is invalid: spec.nfs: Forbidden: may not specify more than 1 volume"
                        + " type");
        api.create("/api/v1/persistentvolumes", volume.formatted("")).expect(201);
    }

    @Test
    void pods_areFoundByTheirAddresses() {
        for (String name : List.of("p", "q", "none")) {
            create(name, "{containers: [{name: c, image: a}]}").expect(201);
        }
        api.merge(
                        PODS + "/p/status",
                        "{\"status\":{\"podIP\":\"10.0.0.1\",\"podIPs\":[{\"ip\":\"10.0.0.1\"},{\"ip\":\"fd00::1\"}]}}")
                .expect(200);
        api.merge(PODS + "/q/status", "{\"status\":{\"podIPs\":[{\"ip\":\"10.0.0.2\"}]}}")
                .expect(200);

        assertThat(found("status.podIP%3D10.0.0.1")).containsExactly("p");
        assertThat(found("status.podIP%3D10.0.0.2")).containsExactly("q");
        assertThat(found("status.podIPs%3Dfd00::1")).containsExactly("p");
        assertThat(found("status.podIPs!%3D10.0.0.1")).containsExactly("none", "q");
        assertThat(found("status.podIP%3D")).containsExactly("none");
        assertThat(found("status.podIPs%3D")).containsExactly("none");
    }

    private List<String> found(String selector) {
        return api.get(PODS + "?fieldSelector=" + selector)
                .expect(200)
                .body()
                .path("items")
                .valueStream()
                .map(pod -> pod.at("/metadata/name").asString(""))
                .toList();
    }

    private Answer create(String name, String spec) {
        return api.create(PODS, "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: %s}".formatted(name, spec));
    }
}
