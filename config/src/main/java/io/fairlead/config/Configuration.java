package io.fairlead.config;

import io.fairlead.model.HistoryMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be set for a gateway, read and cross-checked. Each component is a key of the configuration file
 * ({@code securePort}, {@code shutdown.delay}), a flag ({@code --secure-port}, {@code --shutdown-delay}) and an
 * environment variable ({@code FAIRLEAD_SECURE_PORT}, {@code FAIRLEAD_SHUTDOWN_DELAY}).
 */
public record Configuration(
        @Setting(value = "./fairlead-data", meaning = "the folder of everything Fairlead writes; mode 0700")
        Path dataDir,

        @Setting(value = "127.0.0.1", meaning = "the address of the HTTPS endpoint")
        String bindAddress,

        @Setting(value = "6443", meaning = "the port of the HTTPS endpoint; 0 picks a free one")
        int securePort,

        @Setting(
                value = "127.0.0.1:9464",
                meaning = "where /metrics, /livez and /readyz are served by plain HTTP; 'off' to serve them"
                        + " on the secure port only")
        String metricsAddress,

        @Setting(value = "false", meaning = "whether the metrics address may be other than loopback")
        boolean metricsAllowRemote,

        @Setting(meaning = "the PEM certificate chain to serve with; self-made where missing") @Nullable
        Path tlsCertFile,

        @Setting(meaning = "the PEM private key of tlsCertFile") @Nullable
        Path tlsPrivateKeyFile,

        @Setting(meaning = "PEM certificates of the CAs that sign clients, beside the self-made one") @Nullable
        Path clientCaFile,

        @Setting(meaning = "static bearer tokens, in kube-apiserver's format: token,user,uid,\"group1,group2\"")
        @Nullable
        Path tokenAuthFile,

        @Setting(
                meaning = "issuers of bearer tokens (OpenID Connect), in kube-apiserver's format:"
                        + " AuthenticationConfiguration of apiserver.config.k8s.io")
        @Nullable
        Path authenticationConfig,

        @Setting(
                meaning = "which requests are recorded, and at which level, in kube-apiserver's format: Policy of"
                        + " audit.k8s.io/v1")
        @Nullable
        Path auditPolicyFile,

        @Setting(meaning = "where they are recorded, as lines of JSON; - is standard output") @Nullable
        Path auditLogPath,

        @Setting(value = "100", meaning = "MiB of the audit log after which another file is begun; 0 for never")
        int auditLogMaxsize,

        @Setting(value = "366", meaning = "days that its earlier files are kept; 0 for ever")
        int auditLogMaxage,

        @Setting(value = "100", meaning = "how many earlier files are kept; 0 for all")
        int auditLogMaxbackup,

        @Setting(value = "false", meaning = "whether its earlier files are compressed (gzip)")
        boolean auditLogCompress,

        @Setting(
                value = "blocking",
                meaning = "what a request has to do with its record: batch (nothing; what finds no room is left out and"
                        + " counted), blocking (it waits for it; while it cannot be written, what changes something is"
                        + " refused) or blocking-strict (everything is)")
        AuditMode auditLogMode,

        @Setting(value = "embedded", meaning = "where hosted clusters are stored: embedded")
        Storage storage,

        @Setting(meaning = "a folder of YAML files of Cluster and Secret objects, applied and hot-reloaded") @Nullable
        Path clustersDir,

        @Setting(
                value = "localhost",
                meaning = "the host name written into kubeconfigs; added to the serving certificate")
        String advertiseHost,

        @Setting(
                meaning = "selects clusters by host (ID.NAME, but never by advertiseHost); *.NAME is added to the"
                        + " serving certificate")
        @Nullable
        String baseDomain,

        @Setting(value = "auto", meaning = "the form of log lines: text, json, or auto: text on a terminal")
        LogFormat logFormat,

        @Setting(
                value = "0",
                meaning = "how many requests that were answered 401, 403, 412 or 429 are logged a second, with who sent"
                        + " what; 0 for none")
        int logRefusedPerSecondMax,

        @Setting(
                value = "info",
                meaning = "from which level on log lines are written: error, warn, info, debug or trace; read again"
                        + " when the file changes, and on SIGHUP")
        LogLevel logLevel,

        @Setting(
                meaning = "the same for single packages or classes of Fairlead, as {io.fairlead.net: debug}; read again"
                        + " when the file changes, and on SIGHUP")
        LogLevels logLevels,

        RequestHeaderSettings requestheader,
        Selection selection,
        Shutdown shutdown,
        Upstreams upstream,
        AttachedClusterSettings attached,
        HostedClusterSettings hosted,
        StoreSettings store,
        Index index,
        Types types,
        TimeTravel timeTravel,
        History history,
        Tracing tracing,
        LimitSettings limits) {
    /** Where hosted clusters are stored. */
    public enum Storage {
        EMBEDDED
    }

    /** What a request has to do with its record in the audit log; the names are kube-apiserver's. */
    public enum AuditMode {
        BATCH,
        BLOCKING,
        BLOCKING_STRICT;

        @Override
        public String toString() {
            return name().replace('_', '-');
        }
    }

    /** The form of log lines. */
    public enum LogFormat {
        AUTO,
        TEXT,
        JSON
    }

    /** From which level on log lines are written. */
    public enum LogLevel {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    /** How a request names its cluster. */
    public record Selection(
            @Setting(
                    value = "X-Kubernetes-Cluster,X-Cluster",
                    meaning = "the headers that may name a cluster; never forwarded")
            List<String> headers,

            @Setting(
                    value = "root",
                    meaning =
                            "the cluster of requests that name none; none refuses them with 404, so that a client that"
                                    + " drops the path of a server's URL reaches no cluster that it did not mean")
            String defaultCluster) {
        /** The value of {@code defaultCluster} by which there is none. */
        public static final String NO_CLUSTER = "none";

        public Selection {
            headers = List.copyOf(headers);
        }
    }

    /** How the gateway ends. */
    public record Shutdown(
            @Setting(value = "5s", meaning = "how long everything is still served after readiness was withdrawn")
            Duration delay,

            @Setting(value = "30s", meaning = "how long short calls may take to finish after that")
            Duration drainTimeout) {}

    /** What may be connected to. */
    public record Upstreams(
            @Setting(
                    meaning = "whether attached clusters may have loopback addresses; by default only while"
                            + " the endpoint itself is bound to one")
            @Nullable
            Boolean allowLoopback,

            @Setting(meaning = "CIDR blocks that may be connected to; all where empty")
            List<String> allowedAddresses,

            @Setting(meaning = "CIDR blocks that may not be connected to, whatever else allows them")
            List<String> deniedAddresses,

            @Setting(value = "3s", meaning = "until a TCP connection stands")
            Duration connectTimeout,

            @Setting(value = "5s", meaning = "until the TLS handshake is done")
            Duration tlsTimeout,

            @Setting(value = "70s", meaning = "until the answer to a short call begins")
            Duration firstByteTimeout,

            @Setting(value = "55s", meaning = "after which an unused connection is closed")
            Duration idleTimeout,

            @Setting(
                    value = "30s",
                    meaning =
                            "after which a silent HTTP/2 connection with open streams is asked for a sign" + " of life")
            Duration pingInterval,

            @Setting(
                    value = "5s",
                    meaning =
                            "between two probes (/readyz) of an API server of a cluster that has several; a failed one"
                                    + " is repeated sooner")
            Duration probeInterval,

            @Setting(value = "5s", meaning = "until a probe that is not answered has failed")
            Duration probeTimeout,

            @Setting(value = "2", meaning = "probes in a row that fail, after which an API server gets no requests")
            int probeFailures,

            @Setting(value = "1", meaning = "probes in a row that pass, after which an API server gets requests again")
            int probePasses,

            @Setting(
                    value = "3",
                    meaning = "requests or connections in a row that are lost, after which an API server gets no"
                            + " requests until a probe passes")
            int breakerFailures,

            @Setting(
                    value = "30s",
                    meaning =
                            "between two look-ups of an API server's name, after which connections to addresses that it"
                                    + " has no more end with their requests")
            Duration dnsRefresh,

            @Setting(
                    value = "128",
                    meaning = "HTTP/1.1 connections for short calls, per endpoint and event loop; more wait")
            int shortConnectionsMax,

            @Setting(
                    value = "10000",
                    meaning = "HTTP/1.1 connections for streams, per endpoint and event loop; more are 503")
            int longRunningConnectionsMax,

            @Setting(value = "100", meaning = "calls on one HTTP/2 connection, if the peer allows as many")
            int streamsMax,

            @Setting(value = "1000", meaning = "calls that wait for a connection; more are 503")
            int waitingMax,

            @Setting(
                    meaning =
                            "connections to all attached clusters; what would need more is 503; by default half as many"
                                    + " as the process may have descriptors")
            @Nullable
            Integer connectionsMax,

            @Setting(
                    meaning =
                            "connections to one attached cluster; what would need more is 503; by default an eighth of"
                                    + " as many as the process may have descriptors")
            @Nullable
            Integer connectionsPerClusterMax) {
        public Upstreams {
            allowedAddresses = List.copyOf(allowedAddresses);
            deniedAddresses = List.copyOf(deniedAddresses);
        }
    }

    /** The index of served types. */
    public record Index(
            @Setting(
                    value = "2s",
                    meaning = "how long a request waits while it is unknown whether a CRD serves what it asks for, in a"
                            + " hosted cluster or in an attached one with a crdRuntime; then 503")
            Duration unknownWait,

            @Setting(value = "5m", meaning = "how often each view is recomputed from its source and compared")
            Duration auditInterval,

            @Setting(value = "1000", meaning = "requests that wait so at once; more are 503 at once")
            int unknownWaitersMax,

            @Setting(value = "1000", meaning = "the same, for one cluster")
            int unknownWaitersPerClusterMax,

            @Setting(
                    value = "256",
                    meaning =
                            "versions of one CustomResourceDefinition; beyond it none of its types is indexed, and the"
                                    + " cluster's status reports it")
            int versionsPerDefinitionMax,

            @Setting(value = "8192", meaning = "the same, resources of one definition, counted for each version")
            int resourcesPerDefinitionMax,

            @Setting(
                    value = "20000",
                    meaning = "CustomResourceDefinitions and APIServices of one cluster; those beyond, by name, are not"
                            + " indexed, and a list of twice as many is given up")
            int definitionsPerClusterMax) {}

    /** Checks of what types mean. */
    public record Types(
            @Setting(
                    value = "120s",
                    meaning =
                            "after which pins take what is known of a cluster's CRDs for stale: since its watch ended,"
                                    + " or fell silent")
            Duration maxStaleness) {}

    /** Watches of attached clusters that go back in time. */
    public record TimeTravel(
            @Setting(
                    value = "enforce",
                    meaning = "what becomes of an event that goes back: enforce (it is rewritten, left out, or ends the"
                            + " watch with 410), observe (it is counted) or off; spec.historyMode and"
                            + " spec.historyModes of a Cluster come before it")
            HistoryMode mode,

            @Setting(
                    value = "4Mi",
                    meaning = "how much of an event is held until its end comes; what is larger is forwarded as it"
                            + " comes, and the watch ends after it if it went back")
            ByteSize eventBytesMax,

            @Setting(
                    meaning = "what all events take of which the end has not come; beyond it they are forwarded as they"
                            + " come; by default an eighth of the direct memory")
            @Nullable
            ByteSize heldBytesMax) {}

    /** The histories of attached clusters. */
    public record History(
            @Setting(
                    value = "60s",
                    meaning = "for how long after a cluster's history proved to be rewound requests are 410 that name a"
                            + " resourceVersion of the ended history which the new one gives out again; later they are"
                            + " accepted and counted")
            Duration rewindGrace) {}

    /** Traces of requests. */
    public record Tracing(
            @Setting(
                    meaning = "the URL of a collector, such as http://127.0.0.1:4318, that gets the spans of traced"
                            + " requests (OpenTelemetry, OTLP over HTTP); nothing is traced without it")
            @Nullable
            String endpoint,

            @Setting(
                    value = "10000",
                    meaning = "how many are traced of a million requests whose clients have no trace; those of a client"
                            + " that has one are if the client's is")
            int samplingRatePerMillion) {}

    /** Whether the HTTPS endpoint is bound to a loopback address. */
    public boolean isBoundToLoopback() {
        return Addresses.isLoopback(bindAddress);
    }

    /** Whether attached clusters may have loopback addresses. */
    public boolean allowsLoopbackUpstreams() {
        Boolean allowLoopback = upstream.allowLoopback();
        return allowLoopback == null ? isBoundToLoopback() : allowLoopback;
    }

    /** Where metrics and health are served apart, or null if nowhere. */
    public @Nullable HostPort metricsListener() {
        return metricsAddress.equals("off") ? null : HostPort.parse(metricsAddress);
    }
}
