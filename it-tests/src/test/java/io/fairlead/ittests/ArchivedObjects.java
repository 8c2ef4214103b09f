package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.fairlead.ittests.HttpProbe.Answer;
import java.time.Duration;

/**
 * Objects of a cluster that an archive must not lose anything of: owners and owned, such with finalizers, some that are being
 * deleted, a custom resource, applied and changed ones, large ones; and what they do when the cluster lives on elsewhere.
 */
final class ArchivedObjects {
    static final BoundedType KEELS = new BoundedType("keels", "Keel", "archived.example.com", "depth");

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String SERVICES = "/api/v1/namespaces/default/services";
    private static final String KEEL_PATH = "/apis/archived.example.com/v1/namespaces/default/keels";
    private static final String JSON = "application/json";
    private static final String MERGE = "application/merge-patch+json";
    private static final int LARGE = 3;
    private static final int LARGE_BYTES = 400_000;
    private static final String OBJECTS = """
        {apiVersion: v1, kind: Namespace, metadata: {name: ending}}
        ---
        {apiVersion: v1, kind: ConfigMap, metadata: {name: held, namespace: ending, finalizers: [example.com/hold]}}
        ---
        {apiVersion: v1, kind: ConfigMap, metadata: {name: held, namespace: default, finalizers: [example.com/hold]}}
        ---
        {apiVersion: v1, kind: ConfigMap, metadata: {name: owner, namespace: default}}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: viewers, namespace: default}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: viewers}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
        ---
        apiVersion: v1
        kind: Service
        metadata: {name: web, namespace: default}
        spec: {type: NodePort, selector: {app: web}, ports: [{port: 80}]}
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: web, namespace: default}
        spec:
          selector: {matchLabels: {app: web}}
          template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}
        """;

    private final HttpProbe probe;

    /** Those of the cluster that requests reach. */
    ArchivedObjects(HttpProbe probe) {
        this.probe = probe;
    }

    /** Makes them. */
    void make(Kubectl kubectl) throws Exception {
        kubectl.succeedWith(KEELS.definition(1000), "apply", "-f", "-");
        kubectl.succeed("wait", "--for=condition=Established", "crd/keels.archived.example.com", "--timeout=30s");
        kubectl.succeedWith(OBJECTS, "apply", "--server-side", "-f", "-");
        kubectl.succeed("scale", "deployment/web", "--replicas=3");
        String owner =
                metadata(sent(200, "GET", MAPS + "/owner", "")).get("uid").getAsString();
        sent(201, "POST", "/api/v1/namespaces/default/secrets", """
            {"metadata":{"name":"owned","ownerReferences":\
            [{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":"%s","controller":true}]}}\
            """.formatted(owner));
        sent(201, "POST", KEEL_PATH, keel("k", 7));
        for (int i = 0; i < LARGE; i++) {
            sent(201, "POST", MAPS, LargeObjects.object("large-" + i, LARGE_BYTES));
        }
        sent(200, "DELETE", MAPS + "/held", "");
        kubectl.succeed("delete", "namespace", "ending", "--wait=false");
        Await.until(
                "the namespace says what holds it",
                SOON,
                () -> get("/api/v1/namespaces/ending").body().contains("NamespaceFinalizersRemaining"));
    }

    /** A list has all that a comparison is to find equal. */
    static void assertAreIn(ArchivedState state) {
        assertThat(state.count(object -> metadata(object).has("deletionTimestamp")))
                .isEqualTo(3);
        assertThat(state.count(object -> metadata(object).has("finalizers"))).isGreaterThanOrEqualTo(2);
        assertThat(state.count(object -> metadata(object).has("ownerReferences")))
                .isGreaterThanOrEqualTo(1);
        assertThat(state.count(object -> metadata(object).has("managedFields"))).isGreaterThanOrEqualTo(10);
        assertThat(state.count(object -> metadata(object).has("generation")
                        && metadata(object).get("generation").getAsLong() > 1))
                .isGreaterThanOrEqualTo(1);
        assertThat(state.count(
                        object -> metadata(object).get("uid").getAsString().length() == 36))
                .isEqualTo(state.objects().size());
        assertThat(state.count(object -> metadata(object).has("creationTimestamp")))
                .isEqualTo(state.objects().size());
    }

    /** A write, and a watch that begins where a list ended. */
    void assertWatched(String name) throws Exception {
        long listed = versionOf(sent(200, "GET", MAPS + "?limit=1", ""));
        long written = versionOf(sent(201, "POST", MAPS, "{\"metadata\":{\"name\":\"%s\"}}".formatted(name)));
        assertThat(written).isGreaterThan(listed);
        Answer watch = get(MAPS + "?watch=1&timeoutSeconds=1&resourceVersion=" + listed);
        assertThat(watch.status()).isEqualTo(200);
        JsonObject event = JsonParser.parseString(watch.body()).getAsJsonObject();
        assertThat(event.get("type").getAsString()).isEqualTo("ADDED");
        assertThat(metadata(event.getAsJsonObject("object")).get("name").getAsString())
                .isEqualTo(name);
    }

    void label(String name) throws Exception {
        sent(200, "PATCH", MAPS + "/" + name, "{\"metadata\":{\"labels\":{\"labelled\":\"yes\"}}}");
    }

    /** Finalizers, the garbage collector, the end of namespaces, the type of custom resources, and what services are given. */
    void assertLiveOn() throws Exception {
        String release = "{\"metadata\":{\"finalizers\":null}}";
        sent(200, "PATCH", MAPS + "/held", release);
        assertThat(get(MAPS + "/held").status()).isEqualTo(404);
        sent(200, "PATCH", "/api/v1/namespaces/ending/configmaps/held", release);
        awaitGone("/api/v1/namespaces/ending");
        sent(200, "DELETE", MAPS + "/owner", "");
        awaitGone("/api/v1/namespaces/default/secrets/owned");
        sent(200, "GET", KEEL_PATH + "/k", "");
        sent(201, "POST", KEEL_PATH, keel("another", 1000));
        assertThat(probe.send("POST", KEEL_PATH, JSON, keel("too-deep", 1001)).status())
                .isEqualTo(422);
        JsonObject web = sent(200, "GET", SERVICES + "/web", "").getAsJsonObject("spec");
        String taken = web.get("clusterIP").getAsString();
        assertThat(probe.send("POST", SERVICES, JSON, service("second", taken)).status())
                .isEqualTo(422);
        JsonObject other = sent(201, "POST", SERVICES, service("third", "")).getAsJsonObject("spec");
        assertThat(other.get("clusterIP").getAsString()).isNotEmpty().isNotEqualTo(taken);
    }

    private void awaitGone(String path) {
        Await.until("this is gone: " + path, SOON, () -> get(path).status() == 404);
    }

    private Answer get(String path) throws Exception {
        return probe.get(path);
    }

    private JsonObject sent(int status, String method, String path, String body) throws Exception {
        Answer answer = probe.send(method, path, method.equals("PATCH") ? MERGE : JSON, body);
        assertThat(answer.status()).as("%s %s: %s", method, path, answer.body()).isEqualTo(status);
        return JsonParser.parseString(answer.body()).getAsJsonObject();
    }

    private static String keel(String name, int depth) {
        return """
            {"apiVersion":"archived.example.com/v1","kind":"Keel","metadata":{"name":"%s"},"spec":{"depth":%d}}\
            """.formatted(name, depth);
    }

    private static String service(String name, String address) {
        return "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"clusterIP\":\"%s\",\"ports\":[{\"port\":80}]}}"
                .formatted(name, address);
    }

    private static long versionOf(JsonObject object) {
        return metadata(object).get("resourceVersion").getAsLong();
    }

    private static JsonObject metadata(JsonObject object) {
        return object.getAsJsonObject("metadata");
    }
}
