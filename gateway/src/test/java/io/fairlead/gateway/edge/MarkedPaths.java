package io.fairlead.gateway.edge;

import java.util.List;

/** What callers with marked credentials ask for. */
final class MarkedPaths {
    /** The pages of the gateway, the root cluster, a hosted cluster, attached ones by HTTP/1.1 and HTTP/2, and none. */
    static final List<String> QUICK = List.of(
            "/livez",
            "/readyz?verbose",
            "/version",
            "/metrics",
            "/fairlead/v1/clusters",
            "/fairlead/v1/clusters/prod",
            "/fairlead/v1/clusters/prod/served?group=&version=v1&resource=pods",
            "/fairlead/v1/usage",
            "/fairlead/v1/clusters/dev/export",
            "/fairlead/v1/nothing",
            "/api",
            WholeGateway.CLUSTERS,
            WholeGateway.SECRETS,
            MarkedTraffic.MAPS,
            MarkedTraffic.MAPS + "/none",
            MarkedTraffic.MAPS + "?labelSelector=%%%",
            "/clusters/dev/apis/marked.test/v1/boats",
            "/clusters/dev/apis/marked.test/v1/boats/none",
            "/clusters/dev/nothing",
            "/clusters/prod/api/v1/pods",
            "/clusters/prod/api/v1/pods?watch=1",
            "/clusters/prod/api/v1/e401",
            "/clusters/prod/api/v1/e403",
            "/clusters/prod/api/v1/e404",
            "/clusters/prod/api/v1/e500",
            "/clusters/prod/api/v1/e503",
            "/clusters/prod/api/v1/cut",
            "/clusters/prod/api/v1/garbage",
            "/clusters/prod/api/v1/moved",
            "/clusters/far/api/v1/namespaces",
            "/clusters/far/nothing",
            "/clusters/none/api",
            "/clusters/NONE/api",
            "/clusters/dev%2fx/api");

    /** What takes a while: watches, and a server that says nothing. */
    static final List<String> SLOW = List.of(
            MarkedTraffic.MAPS + "?watch=1&timeoutSeconds=1",
            "/clusters/dev/apis/marked.test/v1/boats?watch=1&timeoutSeconds=1",
            "/clusters/far/api/v1/namespaces?watch=1&timeoutSeconds=1",
            "/clusters/prod/api/v1/silent");

    private MarkedPaths() {}
}
