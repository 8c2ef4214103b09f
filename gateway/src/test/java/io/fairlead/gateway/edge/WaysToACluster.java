package io.fairlead.gateway.edge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Ways into a cluster by what is asked of it, and how the cluster is named. */
final class WaysToACluster {
    private static final String MAP =
            "body {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"planted\"}}";
    static final String MAPS = "/api/v1/namespaces/default/configmaps";
    static final String SOCKET = "Connection: Upgrade|Upgrade: websocket|Sec-WebSocket-Version: 13|"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

    private final Ways ways;

    private WaysToACluster(Ways ways) {
        this.ways = ways;
    }

    static void addTo(Ways ways) {
        WaysToACluster all = new WaysToACluster(ways);
        all.everyRequestInEveryForm();
        all.paths();
        all.hosts();
        all.headers();
        all.http2();
    }

    /** What can be asked of a cluster, by each way to name one. */
    private void everyRequestInEveryForm() {
        Map<String, List<String>> requests = new TreeMap<>();
        requests.put("list", List.of("GET " + MAPS));
        requests.put("get", List.of("GET " + MAPS + "/secret-of-the-victim"));
        requests.put("watch", List.of("GET " + MAPS + "?watch=1&timeoutSeconds=1"));
        requests.put("watch over a WebSocket", List.of("GET " + MAPS + "?watch=1&timeoutSeconds=1", SOCKET));
        requests.put("list in protobuf", List.of("GET " + MAPS, "Accept: application/vnd.kubernetes.protobuf"));
        requests.put("list as a table", List.of("GET " + MAPS, "Accept: application/json;as=Table;g=meta.k8s.io;v=v1"));
        requests.put("list of Secrets", List.of("GET /api/v1/secrets"));
        requests.put("create", List.of("POST " + MAPS, MAP));
        requests.put("update", List.of("PUT " + MAPS + "/planted", MAP));
        requests.put(
                "apply",
                List.of(
                        "PATCH " + MAPS + "/planted?fieldManager=m&force=true",
                        "Content-Type: application/apply-patch+yaml",
                        MAP));
        requests.put(
                "patch",
                List.of(
                        "PATCH " + MAPS + "/secret-of-the-victim",
                        "Content-Type: application/merge-patch+json",
                        "body {\"data\":{}}"));
        requests.put("delete", List.of("DELETE " + MAPS + "/secret-of-the-victim"));
        requests.put("delete all", List.of("DELETE " + MAPS));
        requests.put("dry run", List.of("POST " + MAPS + "?dryRun=All", MAP));
        requests.put(
                "token",
                List.of("POST /api/v1/namespaces/default/serviceaccounts/default/token", "body {\"spec\":{}}"));
        requests.put(
                "review of a token",
                List.of("POST /apis/authentication.k8s.io/v1/tokenreviews", "body {\"spec\":{\"token\":\"x\"}}"));
        requests.put(
                "review of rights",
                List.of("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "body {\"spec\":{}}"));
        requests.put(
                "grant",
                List.of(
                        "POST /apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                        "body {\"metadata\":{\"name\":\"x\"},\"roleRef\":{\"apiGroup\":\"rbac.authorization.k8s.io\",\"kind\":\"ClusterRole\",\"name\":\"cluster-admin\"}}"));
        requests.put("exec", List.of("GET /api/v1/namespaces/default/pods/web/exec?command=sh&stdout=1", SOCKET));
        requests.put("proxy", List.of("GET /api/v1/namespaces/default/services/web/proxy/"));
        requests.put("log", List.of("GET /api/v1/namespaces/default/pods/web/log?follow=1"));
        requests.put(
                "discovery",
                List.of("GET /apis", "Accept: application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io"));
        requests.put("OpenAPI", List.of("GET /openapi/v3"));
        requests.put("version", List.of("GET /version"));
        requests.put("readiness", List.of("GET /readyz?verbose"));
        requests.put("metrics", List.of("GET /metrics"));
        requests.put("what it is", List.of("HEAD /"));
        requests.put(
                "options",
                List.of("OPTIONS " + MAPS, "Origin: https://evil.test", "Access-Control-Request-Method: GET"));
        requests.put("pages of the gateway behind it", List.of("GET /fairlead/v1/clusters"));
        requests.forEach((name, lines) -> {
            int space = lines.getFirst().indexOf(' ') + 1;
            String method = lines.getFirst().substring(0, space);
            String path = lines.getFirst().substring(space);
            String[] rest = lines.subList(1, lines.size()).toArray(String[]::new);
            ways.way(name + " by path", with(method + "/clusters/{N}" + path + " HTTP/1.1", rest));
            ways.way(name + " by header", with(method + path + " HTTP/1.1", with("X-Kubernetes-Cluster: {N}", rest)));
            ways.way(name + " by the other header", with(method + path + " HTTP/1.1", with("X-Cluster: {N}", rest)));
            ways.way(name + " by host", with(method + path + " HTTP/1.1", with("Host: {N}.fleet.test", rest)));
        });
    }

    private static String[] with(String first, String... rest) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(rest));
        return all.toArray(String[]::new);
    }

    /** A path that is read in two ways, or leads through a cluster that the tenant may enter. */
    private void paths() {
        for (String path : List.of(
                "/clusters/{N%}/api",
                "/clusters%2f{N}/api",
                "/clusters%2F{N}%2Fapi",
                "//clusters/{N}/api",
                "/clusters//{N}/api",
                "/./clusters/{N}/api",
                "/clusters/./{N}/api",
                "/clusters/mine/../{N}/api",
                "/clusters/mine/..%2f{N}/api",
                "/clusters/mine/%2e%2e/{N}/api",
                "/clusters/mine/%2E%2E/{N}/api",
                "/clusters/mine/.%2e/{N}/api",
                "/clusters/mine/%252e%252e/{N}/api",
                "/clusters/mine/..;/{N}/api",
                "/clusters/mine;/../{N}/api",
                "/clusters;v=1/{N}/api",
                "/clusters/{N};v=1/api",
                "/clusters/mine/;{N}/api",
                "/clusters/{N}%00/api",
                "/clusters/mine%00{N}/api",
                "/clusters/{N}%20/api",
                "/clusters/%20{N}/api",
                "/clusters/{N}%09/api",
                "/clusters/{N}./api",
                "/clusters/{N^}/api",
                "/CLUSTERS/{N}/api",
                "/Clusters/{N}/api",
                "/clusters/{N}%0d%0a/api",
                "/clusters/mine/%c0%ae%c0%ae/{N}/api",
                "/clusters%c0%af{N}%c0%afapi",
                "/clusters/mine/%e0%80%ae%e0%80%ae/{N}/api",
                "/clusters/mine/%ef%bc%8e%ef%bc%8e/{N}/api",
                "/clusters%ef%bc%8f{N}/api",
                "/clusters/{N}%e2%80%8b/api",
                "/clusters%5c{N}%5capi",
                "/clusters/mine%5c..%5c{N}/api",
                "/clusters/mine/clusters/{N}/api",
                "/clusters/mine/api/../../{N}/api",
                "/clusters/mine/api/v1/namespaces/default/services/x/proxy/../../../../../../../../{N}/api",
                "/clusters/mine/api/v1/namespaces/default/services/x/proxy/%2e%2e/%2e%2e/%2e%2e/{N}",
                "/clusters/mine/api/v1/namespaces/default/services/https:{N}.fleet.test:443/proxy/",
                "/clusters/mine/api/v1/nodes/{N}.fleet.test:6443/proxy/",
                "/clusters/mean/../{N}/api",
                "/clusters/mean/clusters/{N}/api",
                "/clusters/mean/%2e%2e/{N}/api",
                "/clusters/mine,{N}/api",
                "/clusters/{N},mine/api",
                "/clusters/{N}@mine/api",
                "/clusters/mine?/../{N}/api",
                "/clusters/mine/api?cluster={N}",
                "/api?cluster={N}",
                "/api?x-kubernetes-cluster={N}",
                "/clusters/{N}",
                "/clusters/{N}/",
                "/clusters/{N}/%",
                "/clusters/{N}/%zz",
                "/clusters/*/api",
                "/clusters/{N}*/api",
                "/clusters/mine/apis/fairlead.io/v1alpha1/clusters/{N}",
                "/apis/fairlead.io/v1alpha1/clusters/{N}",
                "/apis/fairlead.io/v1alpha1/clusters/{N}/status",
                "/apis/fairlead.io/v1alpha1/clusters?fieldSelector=metadata.name%3D{N}",
                "/apis/fairlead.io/v1alpha1/watch/clusters/{N}",
                "/api/v1/namespaces/fairlead-system/secrets/{N}",
                "/clusters/root/clusters/{N}/api",
                "/clusters/root/api/v1/namespaces/fairlead-system/secrets/{N}")) {
            ways.way("path " + path, "GET " + path + " HTTP/1.1");
        }
        ways.way("path with a backslash", "GET /clusters\\{N}\\api HTTP/1.1");
        ways.way("path with a fragment", "GET /clusters/{N}#/api HTTP/1.1");
        ways.way("path with raw bytes", "GET /clusters/\u00c0\u00ae\u00c0\u00ae/{N}/api HTTP/1.1");
        ways.way("absolute form", "GET https://localhost/clusters/{N}/api HTTP/1.1");
        ways.way("absolute form of a host", "GET https://{N}.fleet.test/api HTTP/1.1");
        ways.way("absolute form with a user", "GET https://mine.fleet.test@{N}.fleet.test/api HTTP/1.1");
        ways.way("absolute form without TLS", "GET http://{N}.fleet.test/api HTTP/1.1", "Host: mine.fleet.test");
        ways.way("no slash", "GET clusters/{N}/api HTTP/1.1");
        ways.way("CONNECT to the host", "CONNECT {N}.fleet.test:443 HTTP/1.1", "Host: {N}.fleet.test:443");
        ways.way("CONNECT to the name", "CONNECT {N}:443 HTTP/1.1");
        ways.way("CONNECT to a path", "CONNECT /clusters/{N}/api HTTP/1.1");
        ways.way("OPTIONS *", "OPTIONS * HTTP/1.1", "Host: {N}.fleet.test");
        ways.way("TRACE", "TRACE /clusters/{N}/api HTTP/1.1");
        ways.way("unknown method", "PWN /clusters/{N}/api HTTP/1.1");
        ways.way("HTTP/1.0", "GET /clusters/{N}/api HTTP/1.0");
        ways.way("HTTP/0.9", "GET /clusters/{N}/api");
        ways.way(
                "two requests by framing",
                "POST /clusters/mine" + MAPS + " HTTP/1.1",
                "Content-Length: 4",
                "Transfer-Encoding: chunked",
                "body 0\r\n\r\nGET /clusters/{N}/api HTTP/1.1\r\nHost: localhost\r\n\r\n");
        ways.way(
                "request in a body",
                "GET /clusters/mine/api HTTP/1.1",
                "Content-Length: 43",
                "body GET /clusters/{N}/api HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private void hosts() {
        for (String host : List.of(
                "{N}.fleet.test.",
                "{N^}.FLEET.TEST",
                "{N}.fleet.test:6443",
                "{N}.fleet.test:0",
                "{N%}.fleet.test",
                "{N}%00.fleet.test",
                "mine.{N}.fleet.test",
                "{N}.mine.fleet.test",
                "mine.fleet.test, {N}.fleet.test",
                "mine.fleet.test {N}.fleet.test",
                "mine@{N}.fleet.test",
                "{N}.fleet.test#",
                "{N}.fleet.test/",
                "{N}..fleet.test",
                ".{N}.fleet.test",
                "{N}",
                "{N}.fleet.test.evil.test")) {
            ways.way("host " + host, "GET /api HTTP/1.1", "Host: " + host);
        }
        ways.way("two hosts", "GET /api HTTP/1.1", "Host: mine.fleet.test", "Host: {N}.fleet.test");
        ways.way("host of a victim, path of one's own", "GET /clusters/mine/api HTTP/1.1", "Host: {N}.fleet.test");
        ways.way("host of one's own, path of a victim", "GET /clusters/{N}/api HTTP/1.1", "Host: mine.fleet.test");
        ways.way(
                "host of one's own, header of a victim",
                "GET /api HTTP/1.1",
                "Host: mine.fleet.test",
                "X-Kubernetes-Cluster: {N}");
        for (String header : List.of(
                "X-Forwarded-Host: {N}.fleet.test",
                "Forwarded: host={N}.fleet.test",
                "X-Original-URL: /clusters/{N}/api",
                "X-Rewrite-URL: /clusters/{N}/api",
                "X-Original-Host: {N}.fleet.test",
                "X-Host: {N}.fleet.test",
                "X-Forwarded-Prefix: /clusters/{N}",
                "X-Forwarded-Uri: /clusters/{N}/api",
                "X-HTTP-Host-Override: {N}.fleet.test")) {
            ways.way("header " + header, "GET /clusters/mine/api HTTP/1.1", header);
        }
        ways.add(
                "SNI of a victim",
                (attacker, victim) -> attacker.http1(
                        victim, null, "{N}.fleet.test", List.of("GET /api HTTP/1.1", "Host: {N}.fleet.test")));
        ways.add(
                "SNI of one's own",
                (attacker, victim) -> attacker.http1(
                        victim, null, "mine.fleet.test", List.of("GET /api HTTP/1.1", "Host: {N}.fleet.test")));
        ways.add(
                "SNI of a publication",
                (attacker, victim) -> attacker.http1(
                        victim, null, "fairlead.fairlead-system.svc", List.of("GET /clusters/{N}/api HTTP/1.1")));
    }

    private void headers() {
        String get = "GET /api HTTP/1.1";
        ways.way("header twice", get, "X-Kubernetes-Cluster: mine", "X-Kubernetes-Cluster: {N}");
        ways.way("header twice, victim first", get, "X-Kubernetes-Cluster: {N}", "X-Kubernetes-Cluster: mine");
        ways.way("header twice alike", get, "X-Kubernetes-Cluster: {N}", "X-Kubernetes-Cluster: {N}");
        ways.way("both headers", get, "X-Kubernetes-Cluster: mine", "X-Cluster: {N}");
        ways.way("header and path", "GET /clusters/mine/api HTTP/1.1", "X-Kubernetes-Cluster: {N}");
        ways.way("path and header", "GET /clusters/{N}/api HTTP/1.1", "X-Kubernetes-Cluster: mine");
        for (String value : List.of(
                "mine,{N}",
                "{N},mine",
                "mine {N}",
                "{N}.",
                "{N^}",
                "{N%}",
                "/{N}",
                "../{N}",
                "{N}/",
                "\"{N}\"",
                "{N};q=1",
                "*",
                "{N}\u00e9")) {
            ways.way("header value " + value, get, "X-Kubernetes-Cluster: " + value);
        }
        ways.way("header with white space", get, "X-Kubernetes-Cluster:    {N}   ");
        ways.way("header with a tab", get, "X-Kubernetes-Cluster:\t{N}");
        ways.way("header folded", get, "X-Kubernetes-Cluster: mine", " {N}");
        ways.way("header with NUL", get, "X-Kubernetes-Cluster: {N}\0");
        ways.way("header in small letters", get, "x-kubernetes-cluster: {N}");
        ways.way("header with underscores", "GET /clusters/mine/api HTTP/1.1", "X_Kubernetes_Cluster: {N}");
        ways.way("header with a blank before the colon", get, "X-Kubernetes-Cluster : {N}");
        ways.way(
                "header nominated",
                "GET /clusters/mine/api HTTP/1.1",
                "Connection: close, X-Kubernetes-Cluster",
                "X-Kubernetes-Cluster: {N}");
        ways.way(
                "header in a trailer",
                "POST /clusters/mine" + MAPS + " HTTP/1.1",
                "Transfer-Encoding: chunked",
                "Trailer: X-Kubernetes-Cluster",
                "body 0\r\nX-Kubernetes-Cluster: {N}\r\n\r\n");
        ways.way(
                "method override",
                "POST /clusters/mine/api HTTP/1.1",
                "X-HTTP-Method-Override: GET",
                "X-Original-URL: /clusters/{N}/api",
                "Content-Length: 0");
    }

    private void http2() {
        ways.http2("list by path", ":path /clusters/{N}" + MAPS);
        ways.http2("watch by path", ":path /clusters/{N}" + MAPS + "?watch=1&timeoutSeconds=1");
        ways.http2("delete by path", ":method DELETE", ":path /clusters/{N}" + MAPS + "/secret-of-the-victim");
        ways.http2("list by header", ":path " + MAPS, "x-kubernetes-cluster {N}");
        ways.http2("list by authority", ":path " + MAPS, ":authority {N}.fleet.test");
        ways.http2("authority and host", ":path " + MAPS, ":authority mine.fleet.test", "host {N}.fleet.test");
        ways.http2("host alone", ":path " + MAPS, ":authority localhost", "host {N}.fleet.test");
        ways.http2("two paths", ":path /clusters/mine/api", ":path /clusters/{N}/api");
        ways.http2("path behind the fields", "x-a b", ":path /clusters/{N}/api");
        ways.http2("absolute path", ":path https://{N}.fleet.test/api");
        ways.http2("dot segments", ":path /clusters/mine/../{N}/api");
        ways.http2("encoded dots", ":path /clusters/mine/%2e%2e/{N}/api");
        ways.http2("encoded slash", ":path /clusters%2f{N}/api");
        ways.http2("header twice", ":path /api", "x-kubernetes-cluster mine", "x-kubernetes-cluster {N}");
        ways.http2("header in capitals", ":path /clusters/mine/api", "X-Kubernetes-Cluster {N}");
        ways.http2("connect", ":method CONNECT", ":authority {N}.fleet.test:443", ":path /");
        ways.http2("extended connect", ":method CONNECT", ":protocol websocket", ":path /clusters/{N}/api");
        ways.http2("other scheme", ":scheme http", ":path /clusters/{N}/api");
        ways.http2("impersonation", ":path /clusters/{N}/api", "impersonate-user owner");
        ways.http2("front proxy's headers", ":path /clusters/{N}/api", "x-remote-user owner");
        ways.http2("connection header", ":path /clusters/{N}/api", "connection x-kubernetes-cluster");
        ways.http2("pages of the gateway", ":path /fairlead/v1/clusters/{N}");
    }
}
