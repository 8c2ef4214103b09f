package io.fairlead.ittests;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A request that a kube-apiserver and a hosted cluster get alike, for what they record of it. */
record ComparedRequest(String method, String path, Map<String, String> headers, String body) {
    private static final String JSON = "application/json";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    private static final Map<String, String> AS_BOB = Map.of("Impersonate-User", "bob");

    /** What Fairlead records no bodies of. */
    private static final Set<String> CONFIDENTIAL = Set.of("configmaps", "secrets", "tokenreviews");

    static List<ComparedRequest> all() {
        String map = object("v1", "ConfigMap", "\"name\":\"compared\"");
        String lease = object("coordination.k8s.io/v1", "Lease", "\"name\":\"compared\"");
        List<ComparedRequest> all = new ArrayList<>();
        all.add(get(MAPS + "?limit=2"));
        all.add(get(MAPS + "/none"));
        all.add(get("/api/v1/configmaps?fieldSelector=metadata.name%3Done"));
        all.add(send("POST", MAPS, JSON, map));
        all.add(send("POST", MAPS, JSON, map));
        all.add(send(
                "POST",
                MAPS,
                "application/yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, uid: a}\n"));
        all.add(send("POST", MAPS, JSON, object("v1", "ConfigMap", "\"generateName\":\"compared-\"")));
        all.add(send("POST", MAPS + "?dryRun=All", JSON, object("v1", "ConfigMap", "\"name\":\"dry\"")));
        all.add(send("POST", MAPS, JSON, "{"));
        all.add(send(
                "PUT",
                MAPS + "/compared",
                JSON,
                object("v1", "ConfigMap", "\"name\":\"compared\",\"namespace\":\"default\"")));
        all.add(send(
                "PUT",
                MAPS + "/compared",
                JSON,
                object("v1", "ConfigMap", "\"name\":\"compared\",\"resourceVersion\":\"1\"")));
        all.add(send(
                "PATCH",
                MAPS + "/compared",
                "application/merge-patch+json",
                "{\"metadata\":{\"uid\":null},\"data\":{\"a\":\"b\"}}"));
        // In JSON, which is YAML: of other YAML kube-apiserver loses the line, since it takes the patch for JSON.
        all.add(send(
                "PATCH",
                MAPS + "/applied?fieldManager=it",
                "application/apply-patch+yaml",
                map.replace("compared", "applied")));
        all.add(send("DELETE", MAPS + "/compared", JSON, "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"}"));
        all.add(send("DELETE", MAPS + "?labelSelector=none%3Dnone", JSON, ""));
        all.add(get(MAPS + "/unrecorded"));
        all.add(get(MAPS + "?watch=true&timeoutSeconds=1"));
        all.add(get("/api/v1/watch/namespaces?timeoutSeconds=1"));
        all.add(send("POST", LEASES, JSON, lease));
        all.add(send(
                "PATCH",
                LEASES + "/compared",
                "application/merge-patch+json",
                "{\"spec\":{\"holderIdentity\":\"me\"}}"));
        all.add(get(LEASES + "/compared"));
        all.add(send("DELETE", LEASES + "/compared", JSON, ""));
        all.add(send("POST", ACCOUNTS, JSON, object("v1", "ServiceAccount", "\"name\":\"compared\"")));
        all.add(send(
                "POST",
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                JSON,
                "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SelfSubjectAccessReview\","
                        + "\"spec\":{\"nonResourceAttributes\":{\"path\":\"/a\",\"verb\":\"get\"}}}"));
        all.add(get("/apis/none.example.com/v1/things"));
        all.add(get(MAPS + "/compared/status"));
        all.add(get("/healthz"));
        all.add(get("/version"));
        all.add(get("/api"));
        all.add(get("/apis/apps/v1"));
        all.add(get("/nothing"));
        all.add(new ComparedRequest("HEAD", "/api/v1/namespaces/default", Map.of(), ""));
        all.add(new ComparedRequest("GET", MAPS + "/compared", AS_BOB, ""));
        all.add(new ComparedRequest("GET", "/api/v1/namespaces/default/secrets", AS_BOB, ""));
        all.add(new ComparedRequest("GET", MAPS, Map.of("Authorization", "Bearer none"), ""));
        return all;
    }

    private static ComparedRequest get(String path) {
        return new ComparedRequest("GET", path, Map.of(), "");
    }

    private static ComparedRequest send(String method, String path, String contentType, String body) {
        return new ComparedRequest(method, path, Map.of("Content-Type", contentType), body);
    }

    private static String object(String apiVersion, String kind, String metadata) {
        return "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{%s}}".formatted(apiVersion, kind, metadata);
    }

    void send(HttpProbe probe, String prefix, String id) throws Exception {
        var all = new HashMap<>(headers);
        all.put("Audit-Id", id);
        probe.send(method, prefix + path, all, body);
    }

    /** What both must have. A path that it does not know is answered in plain text by kube-apiserver, without a reason. */
    static String comparable(JsonObject line) {
        boolean isUnknownPath = AuditEvents.text(line, "responseStatus", "code").equals("404")
                && !AuditEvents.text(line, "requestURI").contains("/default/");
        String level = AuditEvents.text(line, "level");
        boolean isConfidential = CONFIDENTIAL.contains(AuditEvents.text(line, "objectRef", "resource"));
        return String.join(
                " ",
                AuditEvents.text(line, "stage"),
                isConfidential && !level.equals("None") ? "Metadata" : level,
                AuditEvents.text(line, "verb"),
                AuditEvents.text(line, "requestURI").replaceFirst("^/clusters/dev", ""),
                AuditEvents.text(line, "user", "username"),
                AuditEvents.object(line, "impersonatedUser"),
                AuditEvents.object(line, "objectRef"),
                AuditEvents.text(line, "responseStatus", "code"),
                isUnknownPath ? "" : AuditEvents.text(line, "responseStatus", "reason"),
                AuditEvents.text(line, "annotations", "authorization.k8s.io/decision"),
                AuditEvents.text(line, "annotations", "authorization.k8s.io/reason"),
                isConfidential ? "" : "with " + line.has("requestObject") + "," + line.has("responseObject"));
    }
}
