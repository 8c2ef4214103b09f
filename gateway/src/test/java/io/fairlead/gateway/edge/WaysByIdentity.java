package io.fairlead.gateway.edge;

import static io.fairlead.gateway.edge.WaysToACluster.MAPS;
import static io.fairlead.gateway.edge.WaysToACluster.SOCKET;

import java.util.List;

/** Ways into a cluster by who the caller claims to be, and by the pages of the gateway itself. */
final class WaysByIdentity {
    private final Ways ways;

    private WaysByIdentity(Ways ways) {
        this.ways = ways;
    }

    static void addTo(Ways ways) {
        WaysByIdentity all = new WaysByIdentity(ways);
        all.identities();
        all.pagesOfTheGateway();
    }

    private void identities() {
        String get = "GET /clusters/{N}" + MAPS + " HTTP/1.1";
        for (String user : List.of(
                "owner",
                "master",
                "fairlead-admin",
                "system:admin",
                "system:anonymous",
                "system:serviceaccount:default:default")) {
            ways.way("acting as " + user, get, "Impersonate-User: " + user);
        }
        ways.way("acting in a group", get, "Impersonate-User: mallory", "Impersonate-Group: system:masters");
        ways.way(
                "acting in a group of Fairlead",
                get,
                "Impersonate-User: mallory",
                "Impersonate-Group: fairlead:admins");
        ways.way("acting with an uid", get, "Impersonate-User: mallory", "Impersonate-Uid: uid-of-owner");
        ways.way("acting with an extra", get, "Impersonate-User: mallory", "Impersonate-Extra-Scopes: all");
        ways.way("a group alone", get, "Impersonate-Group: system:masters");
        ways.way("an unknown header", get, "Impersonate-Anything: owner");
        ways.way("acting with an underscore", get, "Impersonate_User: owner");
        ways.way(
                "acting in one's own cluster",
                "GET /clusters/mine" + MAPS + " HTTP/1.1",
                "X-Kubernetes-Cluster: {N}",
                "Impersonate-User: owner");
        ways.way("headers of a front proxy", get, "X-Remote-User: owner", "X-Remote-Group: system:masters");
        ways.way(
                "headers of a front proxy alone",
                get,
                "anonymous",
                "X-Remote-User: owner",
                "X-Remote-Group: fairlead:admins");
        ways.way("no credential", get, "anonymous");
        ways.way("unknown token", get, "Authorization: Bearer nothing");
        ways.way("two tokens", get, "Authorization: Bearer token-of-mallory, Bearer token-of-owner");
        ways.way("two headers of tokens", get, "Authorization: Bearer token-of-mallory", "Authorization: Bearer x");
        ways.way("basic", get, "Authorization: Basic b3duZXI6b3duZXI=");
        ways.way("token in a cookie", get, "anonymous", "Cookie: token=token-of-mallory");
        ways.way(
                "token in the query",
                "GET /clusters/{N}" + MAPS + "?access_token=token-of-mallory HTTP/1.1",
                "anonymous");
        ways.way(
                "token among protocols",
                get,
                "anonymous",
                SOCKET,
                "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.dG9rZW4tb2YtbWFsbG9yeQ");
        ways.add(
                "certificate of another CA",
                (attacker, victim) -> attacker.http1(
                        victim, new TestPki().client("CN=owner,O=system:masters"), null, List.of(get, "anonymous")));
        ways.add(
                "certificate of the tenant",
                (attacker, victim) -> attacker.http1(
                        victim,
                        attacker.gateway().pki.client("CN=mallory,O=tenants"),
                        null,
                        List.of(get, "anonymous")));
        ways.add(
                "certificate with a grand name in it",
                (attacker, victim) -> attacker.http1(
                        victim,
                        attacker.gateway().pki.client("CN=mallory,OU=system:masters"),
                        null,
                        List.of(get, "anonymous")));
        ways.way(
                "JWT without a signature",
                get,
                "Authorization: Bearer"
                    + " eyJhbGciOiJub25lIn0.eyJzdWIiOiJvd25lciIsImlzcyI6Imh0dHBzOi8va3ViZXJuZXRlcy5kZWZhdWx0LnN2YyJ9.");
        for (String path : List.of(
                "/clusters/{N}" + MAPS,
                "/api",
                "/fairlead/v1/clusters/{N}",
                "/metrics",
                "/apis/fairlead.io/v1alpha1/clusters/{N}")) {
            ways.way(
                    "token of a ServiceAccount of one's own at " + path,
                    "GET " + path + " HTTP/1.1",
                    "Authorization: Bearer {ROBOT}");
            for (String grand :
                    List.of("system:masters", "fairlead:admins", "owner", "system:serviceaccount:default:default")) {
                ways.way(
                        "token that one's cluster says is " + grand + "'s at " + path,
                        "GET " + path + " HTTP/1.1",
                        "Authorization: Bearer reviewed-as-" + grand);
            }
        }
    }

    private void pagesOfTheGateway() {
        for (String page : List.of(
                "clusters/{N}",
                "clusters/{N}/served?group=&version=v1&resource=pods",
                "clusters/{N}/transitions",
                "clusters/{N}/conditions",
                "clusters/{N}/index/verify",
                "clusters/{N}/export",
                "clusters/mine/../{N}",
                "clusters/{N^}",
                "clusters/%2e%2e/clusters/{N}",
                "clusters?cluster={N}",
                "types?cluster={N}",
                "conflicts?key={N}",
                "store/backup",
                "clusters/mine%2f..%2f{N}")) {
            ways.way("page " + page, "GET /fairlead/v1/" + page + " HTTP/1.1");
        }
        ways.way("purge", "DELETE /fairlead/v1/clusters/{N}/data HTTP/1.1");
        ways.way("metrics", "GET /metrics?name[]=fairlead_cluster_ready&cluster={N} HTTP/1.1");
        String kinds = "/apis/fairlead.io/v1alpha1/";
        String begin = "body {\"apiVersion\":\"fairlead.io/v1alpha1\",\"metadata\":{\"name\":\"x\"},";
        ways.way(
                "a pin that names it",
                "POST " + kinds + "typepins HTTP/1.1",
                begin + "\"kind\":\"TypePin\",\"spec\":{\"clusters\":{\"matchNames\":[\"{N}\"]}}}");
        ways.way(
                "a record of its conditions",
                "POST " + kinds + "conditionrecords HTTP/1.1",
                begin + "\"kind\":\"ConditionRecord\",\"spec\":{\"clusters\":{\"matchNames\":[\"{N}\"]}}}");
        ways.way(
                "a key in it",
                "POST " + kinds + "exclusivekeys HTTP/1.1",
                begin + "\"kind\":\"ExclusiveKey\",\"spec\":{\"clusters\":{\"matchNames\":[\"{N}\"]}}}");
        ways.way(
                "its publication",
                "POST " + kinds + "apipublications HTTP/1.1",
                begin
                        + "\"kind\":\"APIPublication\",\"spec\":{\"source\":{\"cluster\":\"{N}\"},\"targets\":{\"matchNames\":[\"mean\"]}}}");
        ways.way(
                "a plan of its publication",
                "POST " + kinds + "publicationplans HTTP/1.1",
                begin + "\"kind\":\"PublicationPlan\",\"spec\":{\"source\":{\"cluster\":\"{N}\"}}}");
        ways.way(
                "an import over it",
                "POST " + kinds + "clusterimports HTTP/1.1",
                begin + "\"kind\":\"ClusterImport\",\"spec\":{\"cluster\":\"{N}\"}}");
        ways.way("its registration", "DELETE " + kinds + "clusters/{N} HTTP/1.1");
        ways.way(
                "its registration over again",
                "POST " + kinds + "clusters HTTP/1.1",
                "body {\"apiVersion\":\"fairlead.io/v1alpha1\",\"kind\":\"Cluster\",\"metadata\":{\"name\":\"{N}\"},\"spec\":{\"hosted\":{}}}");
        ways.way(
                "rights in one's own cluster",
                "GET /clusters/mine/apis/authorization.k8s.io/v1 HTTP/1.1",
                "X-Cluster: {N}");
    }
}
