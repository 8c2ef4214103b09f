package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.config.Configuration;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.HistoryModes;
import io.fairlead.fleet.UpstreamIdentity;
import io.fairlead.fleet.pins.judge.Judge;
import io.fairlead.fleet.pins.judge.KnownTypes;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.admin.AdminRequest;
import io.fairlead.gateway.admin.Health;
import io.fairlead.gateway.audit.Audits;
import io.fairlead.gateway.authn.StaticTokens;
import io.fairlead.gateway.authn.TokenAuthenticator;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.limits.BufferLimits;
import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.gateway.metrics.PinMeters;
import io.fairlead.gateway.pin.PinCheck;
import io.fairlead.gateway.select.Selector;
import io.fairlead.gateway.tracing.Tracing;
import io.fairlead.gateway.usage.Usage;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.http.Transport;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.HolderType;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamLimits;
import io.fairlead.net.UpstreamSpec;
import io.fairlead.net.address.AddressPolicy;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A front end on the loopback interface over clusters that a test registers. */
final class TestEdge implements AutoCloseable {
    static final String ADMIN = "Authorization: Bearer admin-token";
    static final String JANE = "Authorization: Bearer jane-token";
    static final String FAIRLEADS_TOKEN = "fairleads-own-token";

    private static final String TOKENS = """
        admin-token,admin,1,"fairlead:admins"
        jane-token,jane,2,"dev,ops"
        """;

    final TestPki pki = new TestPki();
    final FakeHosted root = new FakeHosted("root");
    final Health health = new Health(List.of());
    final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final FleetIndex index = FleetIndex.create();

    /** For how long changes of each cluster's CRDs went unheard. */
    final ConcurrentMap<ClusterName, Long> silentNanos = new ConcurrentHashMap<>();

    /** What was told to be in doubt: cluster and type of holder. */
    final Queue<String> doubts = new ConcurrentLinkedQueue<>();

    final Judge judge = new Judge(
            new KnownTypes(index, cluster -> silentNanos.getOrDefault(cluster, 0L), Duration.ofMinutes(2)),
            index.types());
    final PinCheck pins = new PinCheck(judge, new PinMeters(metrics));
    final ByteBudget buffers;
    final Usage usage;
    final EdgeServer server;
    final InetSocketAddress address;

    private final Transport transport = Transport.preferred();
    private final EventLoopGroup loops = transport.newGroup(2, "test-io");
    private final UpstreamClient upstreams = upstreams(Limited.upstreamsByDefault());
    private final ConcurrentMap<ClusterName, ClusterEntry> clusters = new ConcurrentHashMap<>();
    private final ConcurrentMap<ClusterName, CompletableFuture<Void>> unsynced = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, ClusterEntry.Attached> backends = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, ClusterName> flipped = new ConcurrentHashMap<>();
    final FakeDirectory directory = new FakeDirectory(clusters);
    private final Deque<AutoCloseable> closing = new ArrayDeque<>();
    private volatile Function<AdminRequest, ApiResponse> own = _ -> FakeHosted.json(200, "{\"own\":true}");

    final FakeHistories histories = new FakeHistories();

    /** Of the clusters that are attached next. */
    HistoryModes historyModes = HistoryModes.UNSET;

    TestEdge() throws IOException {
        this(Limited.BY_DEFAULT);
    }

    TestEdge(Configuration configuration) throws IOException {
        this(configuration, headerSelector());
    }

    /** One that asks another authenticator about tokens that are not in the file. */
    TestEdge(Configuration configuration, TokenAuthenticator asked) throws IOException {
        this(configuration, headerSelector(), List.of(StaticTokens.parse(TOKENS), asked), null, null);
    }

    TestEdge(Configuration configuration, Selector selector) throws IOException {
        this(configuration, selector, List.of(StaticTokens.parse(TOKENS)), null, null);
    }

    /** One that has requests recorded. */
    TestEdge(Configuration configuration, Audits audits) throws IOException {
        this(configuration, headerSelector(), List.of(StaticTokens.parse(TOKENS)), audits, null);
    }

    /** One that has requests traced, and asks another authenticator about tokens that are not in the file. */
    TestEdge(Configuration configuration, Tracing tracing, TokenAuthenticator asked) throws IOException {
        this(configuration, headerSelector(), List.of(StaticTokens.parse(TOKENS), asked), null, tracing);
    }

    private static Selector headerSelector() {
        return new Selector(ClusterName.ROOT, List.of("X-Kubernetes-Cluster", "X-Cluster"), null);
    }

    private TestEdge(
            Configuration configuration,
            Selector selector,
            List<TokenAuthenticator> tokens,
            @Nullable Audits audits,
            @Nullable Tracing tracing)
            throws IOException {
        buffers = ByteBudget.of(BufferLimits.of(configuration.limits()).bytesMax());
        usage = new Usage(configuration.limits());
        clusters.put(ClusterName.ROOT, new ClusterEntry.Hosted(root));
        X509Bundle serving = pki.server();
        server = new EdgeServer(new EdgeParts(
                transport,
                loops,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new TlsMaterial(serving.getCertificatePathPEM(), serving.getPrivateKeyPEM(), pki.caPem(), null),
                tokens,
                new ClusterAccess(root),
                selector,
                directory,
                new FakeTypeIndex(index, clusters, unsynced, flipped, silentNanos),
                (cluster, uid) -> Optional.ofNullable(backends.get(uid)),
                histories,
                pins,
                (target, source, namespace) -> {},
                audits,
                tracing,
                usage,
                request -> own.apply(request),
                health,
                "{\"gitVersion\":\"test\"}".getBytes(UTF_8),
                configuration,
                buffers,
                metrics));
        address = server.start();
    }

    /** The connections to an attached cluster. */
    Upstream upstreamOf(String name) {
        return ((ClusterEntry.Attached) directory.lookup(new ClusterName(name)))
                .base()
                .upstream();
    }

    FakeHosted host(String name) {
        FakeHosted cluster = new FakeHosted(name);
        clusters.put(cluster.name(), new ClusterEntry.Hosted(cluster));
        return cluster;
    }

    RawUpstream attach(String name) {
        return attach(name, new UpstreamIdentity.Impersonate(false, Set.of()));
    }

    RawUpstream attach(String name, UpstreamIdentity identity) {
        RawUpstream upstream = new RawUpstream(pki.server());
        closing.push(upstream);
        attach(name, upstream.url(), identity);
        return upstream;
    }

    /** The backend of an APIService of a hosted cluster. */
    RawUpstream aggregate(String cluster, String uid) {
        RawUpstream server = new RawUpstream(pki.server());
        closing.push(server);
        aggregate(new ClusterName(cluster), uid, server.url());
        return server;
    }

    void aggregate(ClusterName cluster, String uid, URI url) {
        ClusterEntry.Backend backend = backend(url, new UpstreamIdentity.Aggregated(), null, upstreams);
        backends.put(uid, new ClusterEntry.Attached(cluster, backend, null, doubt(cluster), historyModes));
    }

    /** A cluster that is waited for otherwise than the others. */
    RawUpstream attach(String name, UpstreamLimits limits) {
        RawUpstream upstream = new RawUpstream(pki.server());
        closing.push(upstream);
        attach(name, upstream.url(), limits);
        return upstream;
    }

    void attach(String name, URI url, UpstreamLimits limits) {
        UpstreamClient client = upstreams(limits);
        closing.push(client);
        attach(name, url, new UpstreamIdentity.Impersonate(false, Set.of()), client);
    }

    void attach(String name, URI url, UpstreamIdentity identity) {
        attach(name, url, identity, upstreams);
    }

    private void attach(String name, URI url, UpstreamIdentity identity, UpstreamClient client) {
        register(new ClusterName(name), backend(url, identity, FAIRLEADS_TOKEN, client), null);
    }

    private ClusterEntry.Backend backend(
            URI url, UpstreamIdentity identity, @Nullable String token, UpstreamClient client) {
        Upstream upstream = client.open(new UpstreamSpec(List.of(url), pki.caPem(), null, null, null, token));
        closing.push(upstream);
        return new ClusterEntry.Backend(upstream, List.of(url), identity);
    }

    /** The connections to a cluster that the test registers. */
    Upstream open(UpstreamSpec spec) {
        Upstream upstream = upstreams.open(spec);
        closing.push(upstream);
        return upstream;
    }

    private UpstreamClient upstreams(UpstreamLimits limits) {
        return new UpstreamClient(loops, transport, new AddressPolicy(List.of(), List.of(), true, List::of), limits);
    }

    void attach(String name, Upstream upstream) {
        ClusterName cluster = new ClusterName(name);
        register(
                cluster,
                new ClusterEntry.Backend(
                        upstream,
                        List.of(URI.create("https://upstream.test")),
                        new UpstreamIdentity.Impersonate(false, Set.of())),
                null);
    }

    /** A cluster whose custom resources have an API server of their own; that for everything else comes first. */
    List<RawUpstream> attachWithCrdRuntime(String name) {
        List<RawUpstream> servers = List.of(new RawUpstream(pki.server()), new RawUpstream(pki.server()));
        List<ClusterEntry.Backend> backends =
                servers.stream().map(this::backend).toList();
        servers.forEach(closing::push);
        register(new ClusterName(name), backends.getFirst(), backends.getLast());
        return servers;
    }

    private ClusterEntry.Backend backend(RawUpstream server) {
        return backend(server.url(), new UpstreamIdentity.Impersonate(false, Set.of()), FAIRLEADS_TOKEN, upstreams);
    }

    /** The index answers for a resource of a cluster as if another cluster had been asked about. */
    void flip(String cluster, String resource, String asOf) {
        flipped.put(cluster + "/" + resource, new ClusterName(asOf));
    }

    private void register(ClusterName cluster, ClusterEntry.Backend base, ClusterEntry.@Nullable Backend crdRuntime) {
        clusters.put(cluster, new ClusterEntry.Attached(cluster, base, crdRuntime, doubt(cluster), historyModes));
    }

    private Consumer<HolderType> doubt(ClusterName cluster) {
        return type -> doubts.add(cluster + " " + type);
    }

    void register(ClusterEntry entry) {
        clusters.put(entry.name(), entry);
    }

    void remove(String name) {
        clusters.remove(new ClusterName(name));
        server.forget(new ClusterName(name));
    }

    void answerOwn(Function<AdminRequest, ApiResponse> answer) {
        own = answer;
    }

    /** The cluster's types are unknown until the returned future is completed. */
    CompletableFuture<Void> unsync(String name) {
        CompletableFuture<Void> synced = new CompletableFuture<>();
        unsynced.put(new ClusterName(name), synced);
        return synced;
    }

    /** Closes the connections to every attached cluster, as if they had all been deleted. */
    void closeUpstreams() throws IOException {
        while (!closing.isEmpty()) {
            close(closing.pop());
        }
    }

    /** Waits until no new connection is taken. */
    void awaitRefusal() {
        Await.until(() -> !isListening());
    }

    private boolean isListening() {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    RawClient client() throws IOException {
        return new RawClient(tls(null), address, null);
    }

    RawClient client(X509Bundle certificate) throws IOException {
        return new RawClient(tls(certificate), address, null);
    }

    /** A client that asks for a host in its handshake. */
    RawClient client(@Nullable X509Bundle certificate, String serverName) throws IOException {
        return new RawClient(tls(certificate), address, serverName);
    }

    HttpClient http2() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_2)
                .sslContext(tls(null))
                .build();
    }

    URI uri(String target) {
        return URI.create("https://localhost:" + address.getPort() + target);
    }

    SSLContext tls(@Nullable X509Bundle certificate) {
        return pki.tls(certificate);
    }

    /** How often a limit was reached, as Prometheus reads it. */
    double reached(String limit) {
        String line = "fairlead_limit_reached_total{limit=\"" + limit + "\"} ";
        return metrics.scrape()
                .lines()
                .filter(sample -> sample.startsWith(line))
                .mapToDouble(sample -> Double.parseDouble(sample.substring(line.length())))
                .sum();
    }

    @Override
    public void close() throws IOException {
        server.close();
        closeUpstreams();
        upstreams.close();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    private static void close(AutoCloseable part) throws IOException {
        try {
            part.close();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
