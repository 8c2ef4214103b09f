package io.fairlead.config;

import io.fairlead.model.ClusterName;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks that involve several values, or go beyond a type. */
final class CrossChecks {
    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");
    private static final Pattern HOST =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*");
    private static final long HELD_WHOLE_BYTES_MAX = 1L << 30;
    private static final long COMMIT_QUEUE_BYTES_LEAST = 9L << 20;
    private static final long BLOCK_CACHE_BYTES_LEAST = 1L << 20;
    private static final int MILLION = 1_000_000;
    private static final Duration PROBE_INTERVAL_LEAST = Duration.ofMillis(100);
    private static final Duration DNS_REFRESH_LEAST = Duration.ofSeconds(1);
    private static final Set<String> HEADERS_TAKEN = Set.of(
            "host",
            "authorization",
            "connection",
            "content-length",
            "content-type",
            "transfer-encoding",
            "upgrade",
            "accept",
            "cookie",
            "te",
            "trailer",
            "expect");

    private final Configuration configuration;
    private final Findings findings;

    private CrossChecks(Configuration configuration, Findings findings) {
        this.configuration = configuration;
        this.findings = findings;
    }

    static void check(Configuration configuration, Findings findings) {
        CrossChecks checks = new CrossChecks(configuration, findings);
        checks.listeners();
        checks.logLevels();
        checks.metrics();
        checks.certificates();
        checks.auditing();
        checks.tracing();
        checks.names();
        checks.frontProxies();
        checks.upstreams();
        checks.amounts(configuration.limits(), "limits.");
        checks.amounts(configuration.upstream(), "upstream.");
        checks.amounts(configuration.attached(), "attached.");
        checks.amounts(configuration.hosted(), "hosted.");
        checks.amounts(configuration.store(), "store.");
        checks.store();
        checks.amounts(configuration.index(), "index.");
        checks.amounts(configuration.types(), "types.");
        checks.amounts(configuration.timeTravel(), "timeTravel.");
        checks.amounts(configuration.history(), "history.");
        checks.whatIsHeldWhole();
    }

    private void listeners() {
        require(
                Addresses.isLiteral(configuration.bindAddress())
                        || configuration.bindAddress().equals("localhost"),
                "bindAddress",
                configuration.bindAddress(),
                "an IP address");
        int port = configuration.securePort();
        require(port >= 0 && port <= 65535, "securePort", port, "a port from 0 to 65535");
        requireCount("logRefusedPerSecondMax", configuration.logRefusedPerSecondMax());
    }

    private void logLevels() {
        for (String name : configuration.logLevels().unknown()) {
            require(false, "logLevels", name, "the name of a package or class of Fairlead, such as io.fairlead.net");
        }
    }

    private void metrics() {
        HostPort metrics;
        try {
            metrics = configuration.metricsListener();
        } catch (IllegalArgumentException invalid) {
            require(false, "metricsAddress", configuration.metricsAddress(), "host:port, or off");
            return;
        }
        if (metrics == null) {
            return;
        }
        require(
                configuration.metricsAllowRemote()
                        || findings.isRefused("metricsAllowRemote")
                        || Addresses.isLoopback(metrics.host()),
                "metricsAddress",
                configuration.metricsAddress(),
                "a loopback address; any other needs metricsAllowRemote: true, since it is plain HTTP");
        require(
                metrics.port() == 0
                        || findings.isRefused("securePort")
                        || metrics.port() != configuration.securePort()
                        || !metrics.host().equals(configuration.bindAddress()),
                "metricsAddress",
                configuration.metricsAddress(),
                "another port than securePort");
    }

    private void certificates() {
        Path certificate = configuration.tlsCertFile();
        Path key = configuration.tlsPrivateKeyFile();
        requireBeside("tlsCertFile", certificate, "tlsPrivateKeyFile", key);
        requireBeside("tlsPrivateKeyFile", key, "tlsCertFile", certificate);
    }

    /** One without the other would record nothing. */
    private void auditing() {
        Path policy = configuration.auditPolicyFile();
        Path log = configuration.auditLogPath();
        requireBeside("auditPolicyFile", policy, "auditLogPath", log);
        requireBeside("auditLogPath", log, "auditPolicyFile", policy);
        requireCount("auditLogMaxsize", configuration.auditLogMaxsize());
        requireCount("auditLogMaxage", configuration.auditLogMaxage());
        requireCount("auditLogMaxbackup", configuration.auditLogMaxbackup());
    }

    private void tracing() {
        String endpoint = configuration.tracing().endpoint();
        require(
                endpoint == null || isCollector(endpoint),
                "tracing.endpoint",
                endpoint,
                "the URL of a collector such as http://127.0.0.1:4318, without a user, a query or a fragment");
        int rate = configuration.tracing().samplingRatePerMillion();
        require(rate >= 0 && rate <= MILLION, "tracing.samplingRatePerMillion", rate, "0 to 1000000");
    }

    private static boolean isCollector(String endpoint) {
        try {
            URI url = new URI(endpoint);
            return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null;
        } catch (URISyntaxException malformed) {
            return false;
        }
    }

    private void requireCount(String path, int count) {
        require(count >= 0, path, count, "0 or more");
    }

    private void requireBeside(String path, @Nullable Path value, String otherPath, @Nullable Path other) {
        require(value == null || other != null || findings.isRefused(otherPath), path, value, otherPath + " beside it");
    }

    private void names() {
        String advertised = configuration.advertiseHost();
        require(
                Addresses.isLiteral(advertised) || HOST.matcher(advertised).matches(),
                "advertiseHost",
                advertised,
                "a host name in lower case, or an IP address");
        String domain = configuration.baseDomain();
        require(domain == null || HOST.matcher(domain).matches(), "baseDomain", domain, "a domain in lower case");
        String cluster = configuration.selection().defaultCluster();
        require(
                ClusterName.isValid(cluster),
                "selection.defaultCluster",
                cluster,
                "none, or a cluster id: a DNS-1123 label");
        headers("selection.headers", configuration.selection().headers());
    }

    private void headers(String path, List<String> headers) {
        for (String header : headers) {
            boolean free = !HEADERS_TAKEN.contains(header.toLowerCase(Locale.ROOT));
            require(
                    free && HEADER.matcher(header).matches(),
                    path,
                    header,
                    "the name of a header that has no other use");
        }
    }

    /** Without a header that names the user no front proxy could name one. */
    private void frontProxies() {
        RequestHeaderSettings settings = configuration.requestheader();
        headers("requestheader.usernameHeaders", settings.usernameHeaders());
        headers("requestheader.uidHeaders", settings.uidHeaders());
        headers("requestheader.groupHeaders", settings.groupHeaders());
        headers("requestheader.extraHeadersPrefix", settings.extraHeadersPrefix());
        require(
                !settings.usernameHeaders().isEmpty(),
                "requestheader.usernameHeaders",
                "",
                "at least one header that names the user");
    }

    private void upstreams() {
        requireBlocks("upstream.allowedAddresses", configuration.upstream().allowedAddresses());
        requireBlocks("upstream.deniedAddresses", configuration.upstream().deniedAddresses());
        requireBlocks("hosted.backendAddresses", configuration.hosted().backendAddresses());
        Duration probes = configuration.upstream().probeInterval();
        Duration lookUps = configuration.upstream().dnsRefresh();
        require(isAtLeast(probes, PROBE_INTERVAL_LEAST), "upstream.probeInterval", probes, "at least 100ms");
        require(isAtLeast(lookUps, DNS_REFRESH_LEAST), "upstream.dnsRefresh", lookUps, "at least 1s");
    }

    /** Zero and less are told of among the amounts. */
    private static boolean isAtLeast(Duration value, Duration least) {
        return !value.isPositive() || value.compareTo(least) >= 0;
    }

    /** The queue has room for the largest write, which is a value of 8 MiB and its key. */
    private void store() {
        StoreSettings store = configuration.store();
        require(
                store.commitQueueBytesMax().bytes() >= COMMIT_QUEUE_BYTES_LEAST,
                "store.commitQueueBytesMax",
                store.commitQueueBytesMax(),
                "at least 9Mi");
        require(
                store.blockCacheBytes().bytes() >= BLOCK_CACHE_BYTES_LEAST,
                "store.blockCacheBytes",
                store.blockCacheBytes(),
                "at least 1Mi");
    }

    /** Nothing works with a limit or a timeout of zero; an audit may be rare, but it has an interval. */
    private void amounts(Record section, String prefix) {
        for (RecordComponent component : section.getClass().getRecordComponents()) {
            String path = prefix + component.getName();
            switch (value(section, component)) {
                case Integer amount -> require(amount > 0, path, amount, "a positive number");
                case ByteSize size -> require(size.bytes() > 0, path, size, "a positive size");
                case Duration time -> require(time.isPositive(), path, time, "a positive duration");
                case null, default -> {}
            }
        }
    }

    /** These are array sizes, or int counters. */
    private void whatIsHeldWhole() {
        LimitSettings limits = configuration.limits();
        requireHeldWhole("limits.targetBytesMax", limits.targetBytesMax());
        requireHeldWhole("limits.headBytesMax", limits.headBytesMax());
        requireHeldWhole("limits.hostedBodyBytesMax", limits.hostedBodyBytesMax());
        requireHeldWhole("limits.bodyBytesPerSecondMin", limits.bodyBytesPerSecondMin());
        requireHeldWhole("limits.answerQueueBytesMax", limits.answerQueueBytesMax());
        requireHeldWhole("limits.auditQueueBytesMax", limits.auditQueueBytesMax());
        requireHeldWhole("limits.auditBodyBytesMax", limits.auditBodyBytesMax());
        requireHeldWhole("limits.traceQueueBytesMax", limits.traceQueueBytesMax());
        requireHeldWhole("limits.definitionEventBytesMax", limits.definitionEventBytesMax());
    }

    private void requireHeldWhole(String path, ByteSize size) {
        require(size.bytes() <= HELD_WHOLE_BYTES_MAX, path, size, "at most 1Gi");
    }

    private static @Nullable Object value(Record section, RecordComponent component) {
        try {
            return component.getAccessor().invoke(section);
        } catch (ReflectiveOperationException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private void requireBlocks(String path, List<String> blocks) {
        for (String block : blocks) {
            require(Addresses.isCidr(block), path, block, "an address block such as 10.0.0.0/8");
        }
    }

    private void require(boolean holds, String path, @Nullable Object value, String expected) {
        if (!holds) {
            findings.refuse(path, path + ": \"" + value + "\" (expected " + expected + ")");
        }
    }
}
