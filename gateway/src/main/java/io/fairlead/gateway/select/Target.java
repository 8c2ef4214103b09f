package io.fairlead.gateway.select;

import io.fairlead.model.ClusterName;

/** The addressee of a request. */
public sealed interface Target {
    /** The path below the prefix, as received. */
    String path();

    /** The query without its question mark, as received; empty if none. */
    String query();

    /** The gateway itself, outside any cluster. */
    record Gateway(String path, String query) implements Target {
        private static final String API = "/fairlead/v1/";
        private static final String METRICS = "/metrics";

        /** Whether it is the gateway's own API; otherwise it is a probe, the version or the metrics. */
        public boolean isApi() {
            return path.startsWith(API);
        }

        /** Whether it asks for the metrics of the gateway. */
        public boolean isMetrics() {
            return path.equals(METRICS);
        }

        /** Whether a path that names no cluster is of the gateway. */
        public static boolean claims(String path) {
            return path.startsWith(API)
                    || path.equals(METRICS)
                    || isProbeWithParts(path)
                    || path.equals("/healthz")
                    || path.equals("/version");
        }

        /** Whether a path asks for a probe that has parts, or for one of these. */
        public static boolean isProbeWithParts(String path) {
            return isOrIsBelow(path, "/livez") || isOrIsBelow(path, "/readyz");
        }

        private static boolean isOrIsBelow(String path, String prefix) {
            return path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
        }
    }

    /**
     * Nothing: a published name serves only front proxies, and which cluster it stands for depends on which of them asks.
     */
    record Unproven(String path, String query) implements Target {}

    /**
     * A cluster.
     *
     * @param prefix the part of the target's path that selected the cluster, as received; empty for the default cluster
     */
    record Cluster(ClusterName name, String prefix, String path, String query) implements Target {
        /** Path and query for the cluster: as received, without the prefix, byte for byte. */
        public String forwarded() {
            return query.isEmpty() ? path : path + "?" + query;
        }
    }
}
