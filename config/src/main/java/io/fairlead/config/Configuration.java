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

        @Setting(
                value = "localhost",
                meaning = "the host name written into kubeconfigs; added to the serving certificate")
        String advertiseHost,

        @Setting(meaning = "selects clusters by host (ID.NAME); *.NAME is added to the serving certificate") @Nullable
        String baseDomain,

        @Setting(value = "auto", meaning = "the form of log lines: text, json, or auto: text on a terminal")
        LogFormat logFormat,

        Selection selection,
        Shutdown shutdown,
        Upstreams upstream,
        Index index,
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

    /** How a request names its cluster. */
    public record Selection(
            @Setting(
                    value = "X-Kubernetes-Cluster,X-Cluster",
                    meaning = "the headers that may name a cluster; never forwarded")
            List<String> headers,

            @Setting(value = "root", meaning = "the cluster of requests that name none")
            String defaultCluster) {
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
            List<String> deniedAddresses) {
        public Upstreams {
            allowedAddresses = List.copyOf(allowedAddresses);
            deniedAddresses = List.copyOf(deniedAddresses);
        }
    }

    /** The index of served types. */
    public record Index(
            @Setting(
                    value = "2s",
                    meaning = "how long a request to a hosted cluster waits while it is unknown what is served")
            Duration unknownWait,

            @Setting(value = "5m", meaning = "how often each view is recomputed from its source and compared")
            Duration auditInterval) {}

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
