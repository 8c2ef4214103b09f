package io.fairlead.config;

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
                meaning = "from which level on log lines are written: error, warn, info, debug or trace; read again on"
                        + " SIGHUP")
        LogLevel logLevel,

        Selection selection,
        Shutdown shutdown,
        Upstreams upstream,
        AttachedClusterSettings attached,
        HostedClusterSettings hosted,
        StoreSettings store,
        Index index,
        Types types,
        Limits limits) {
    /** Where hosted clusters are stored. */
    public enum Storage {
        EMBEDDED
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

    /** The bounds of the front end. */
    public record Limits(
            @Setting(
                    value = "20000",
                    meaning = "open connections, fewer where the process has not the descriptors or the direct memory"
                            + " for them; beyond it one on which no caller has authenticated is closed, the oldest"
                            + " of the address that has most of these, or the new one if there is none")
            int connectionsMax,

            @Setting(value = "2000", meaning = "open connections of one client address")
            int connectionsPerAddressMax,

            @Setting(
                    meaning =
                            "open connections of one caller, which are those on which it was the first to authenticate;"
                                    + " beyond it 429; by default a quarter of how many there may be")
            @Nullable
            Integer connectionsPerCallerMax,

            @Setting(value = "10s", meaning = "until a client's TLS handshake is done; then closed")
            Duration handshakeTimeout,

            @Setting(value = "3m", meaning = "after which a client's connection without a request is closed")
            Duration connectionIdleTimeout,

            @Setting(value = "10s", meaning = "until a request's head is complete; then 408")
            Duration headTimeout,

            @Setting(value = "8Ki", meaning = "a request's target; beyond it 414")
            ByteSize targetBytesMax,

            @Setting(value = "64Ki", meaning = "all header fields of a request; beyond it 431")
            ByteSize headBytesMax,

            @Setting(value = "200", meaning = "header fields of a request; beyond it 431")
            int headerFieldsMax,

            @Setting(
                    meaning = "what all connections hold of records, heads and frames that are not complete; beyond it"
                            + " those that hold most for longest are closed; by default a quarter of the direct memory")
            @Nullable
            ByteSize unparsedBytesMax,

            @Setting(value = "250", meaning = "concurrent streams of an HTTP/2 connection")
            int streamsMax,

            @Setting(value = "30s", meaning = "in which the frames of an HTTP/2 connection are counted")
            Duration floodWindow,

            @Setting(
                    value = "200",
                    meaning = "requests that one caller gives up in a floodWindow, on all connections, be it by a"
                            + " reset over HTTP/2 or by leaving over HTTP/1.1, ten times as many once their answers"
                            + " have begun; beyond it the connection is closed, and the caller refused until the"
                            + " window is over")
            int streamResetsMax,

            @Setting(
                    value = "1000",
                    meaning = "HTTP/2 frames in a floodWindow that belong to no request, such as SETTINGS and PING, and"
                            + " WINDOW_UPDATE beyond two for each frame that was sent to the client and one for each"
                            + " KiB; beyond it the connection is closed")
            int controlFramesMax,

            @Setting(value = "10", meaning = "empty DATA frames in a row; beyond it the connection is closed")
            int emptyFramesMax,

            @Setting(value = "16", meaning = "small CONTINUATION frames of a head; beyond it the connection is closed")
            int continuationsMax,

            @Setting(
                    value = "3Mi",
                    meaning = "a request's body to a hosted cluster, and no more than a tenth of"
                            + " bufferedBytesPerCallerMax; beyond it 413")
            ByteSize hostedBodyBytesMax,

            @Setting(
                    meaning = "the part of bufferedBytesMax that lists and watches of hosted clusters may take, their"
                            + " history included; beyond it 429; by default five eighths of it")
            @Nullable
            ByteSize hostedBytesMax,

            @Setting(meaning = "of it lists and watches of one cluster; by default a quarter of hostedBytesMax")
            @Nullable
            ByteSize hostedBytesPerClusterMax,

            @Setting(
                    meaning = "the same, of one caller in all hosted clusters together; by default an eighth of"
                            + " hostedBytesMax")
            @Nullable
            ByteSize hostedBytesPerCallerMax,

            @Setting(
                    value = "2",
                    meaning = "pages of lists that one hosted cluster encodes at once; others wait, then 429")
            int hostedPagesPerClusterMax,

            @Setting(
                    value = "4Mi",
                    meaning = "of a hosted resource's changes are kept in memory for watches; older ones are read from"
                            + " the store")
            ByteSize watchHistoryBytesPerResourceMax,

            @Setting(value = "1024", meaning = "the same, their number")
            int watchHistoryEventsPerResourceMax,

            @Setting(
                    value = "4Mi",
                    meaning = "by which a watch of a hosted cluster may fall behind; beyond it the watch ends")
            ByteSize watchBufferBytesMax,

            @Setting(value = "1024", meaning = "the same, their number; beyond it the watch ends")
            int watchBufferEventsMax,

            @Setting(
                    meaning = "CustomResourceDefinitions of all hosted clusters, as they are stored; beyond it a new or"
                            + " larger one is 403; by default a fortieth of the heap, since what is made of them"
                            + " takes twelve times as much")
            @Nullable
            ByteSize hostedDefinitionBytesMax,

            @Setting(meaning = "of it those of one cluster; by default half of hostedDefinitionBytesMax") @Nullable
            ByteSize hostedDefinitionBytesPerClusterMax,

            @Setting(value = "100Mi", meaning = "a request's body to an attached cluster; beyond it 413")
            ByteSize proxiedBodyBytesMax,

            @Setting(value = "1Ki", meaning = "a second of a request's body that is waited for; below it 408")
            ByteSize bodyBytesPerSecondMin,

            @Setting(value = "30s", meaning = "over which the pace of a body is judged")
            Duration bodyPaceWindow,

            @Setting(
                    meaning =
                            "what requests that are under way keep in the heap: bodies, ten times their size once they"
                                    + " are complete, lists and watches of hosted clusters and their history; beyond it"
                                    + " 429; by default a quarter of the heap")
            @Nullable
            ByteSize bufferedBytesMax,

            @Setting(meaning = "of it bodies of requests to one cluster; by default three eighths of bufferedBytesMax")
            @Nullable
            ByteSize bufferedBytesPerClusterMax,

            @Setting(meaning = "of it bodies of requests of one caller; by default a quarter of bufferedBytesMax")
            @Nullable
            ByteSize bufferedBytesPerCallerMax,

            @Setting(value = "64Ki", meaning = "of an answer wait for its reader; more is held back at its source")
            ByteSize answerQueueBytesMax,

            @Setting(
                    value = "60s",
                    meaning = "after which an answer is ended whose client reads nothing of a full queue; logs and"
                            + " upgrades wait for ever")
            Duration stalledReaderTimeout,

            @Setting(value = "20", meaning = "failed authentications of one client address a second; then 429")
            int failedAuthenticationsPerSecondMax,

            @Setting(value = "2000", meaning = "short calls that are answered at once; beyond it 429")
            int shortCallsMax,

            @Setting(value = "400", meaning = "the same, of one cluster")
            int shortCallsPerClusterMax,

            @Setting(value = "200", meaning = "the same, of one caller in one cluster")
            int shortCallsPerCallerMax,

            @Setting(value = "20000", meaning = "open watches of one cluster; beyond it 429")
            int watchesPerClusterMax,

            @Setting(
                    value = "1000",
                    meaning = "open logs, proxied calls and upgraded streams of one cluster; beyond it 429")
            int upgradesPerClusterMax,

            @Setting(
                    value = "100",
                    meaning = "requests that wait to hear of one attached cluster whether they may impersonate; beyond"
                            + " it 429")
            int accessReviewsPerClusterMax,

            @Setting(value = "25", meaning = "the same, of one caller")
            int accessReviewsPerCallerMax,

            @Setting(
                    value = "10s",
                    meaning = "until an attached cluster has said whether a caller may impersonate; then 504")
            Duration accessReviewTimeout,

            @Setting(
                    value = "10s",
                    meaning = "how long what it said is held for true, so that a right that was taken away holds on")
            Duration accessReviewLifetime,

            @Setting(value = "1000", meaning = "files of clustersDir; beyond it no change of the folder is applied")
            int clusterFilesMax,

            @Setting(
                    meaning = "one page of an attached cluster's list of definitions; beyond it smaller pages are asked"
                            + " for, then the cluster is left alone for five minutes; by default 8Mi to 64Mi, by"
                            + " the heap")
            @Nullable
            ByteSize definitionPageBytesMax,

            @Setting(meaning = "all pages of such a list together; by default a quarter of the heap, 64Mi at least")
            @Nullable
            ByteSize definitionListBytesMax,

            @Setting(value = "8Mi", meaning = "one event of a watch of definitions; beyond it the watch starts again")
            ByteSize definitionEventBytesMax) {}

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
