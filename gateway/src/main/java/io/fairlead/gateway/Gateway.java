package io.fairlead.gateway;

import io.fairlead.clustersync.ClusterSync;
import io.fairlead.config.Configuration;
import io.fairlead.config.HostPort;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.pki.Pki;
import io.fairlead.credentials.pki.PkiException;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.ClusterImports;
import io.fairlead.fleet.ClusterKind;
import io.fairlead.fleet.Fleet;
import io.fairlead.fleet.ReadinessCheck;
import io.fairlead.fleet.Registration;
import io.fairlead.fleet.StatusInbox;
import io.fairlead.fleet.aggregation.AggregatedApis;
import io.fairlead.fleet.aggregation.WebhookCalls;
import io.fairlead.fleet.clustersdir.ClusterFiles;
import io.fairlead.fleet.conditions.ConditionRecordKind;
import io.fairlead.fleet.conditions.ConditionRecords;
import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.exclusive.ExclusiveKeyKind;
import io.fairlead.fleet.exclusive.ExclusiveKeys;
import io.fairlead.fleet.exclusive.KeyAdmission;
import io.fairlead.fleet.exclusive.KeyReservationKind;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.pins.PinWarnings;
import io.fairlead.fleet.pins.TypePinKind;
import io.fairlead.fleet.publication.PublicationKind;
import io.fairlead.fleet.publication.PublicationPlans;
import io.fairlead.fleet.publication.Publications;
import io.fairlead.fleet.publication.PublishedNamespaces;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.gateway.admin.FeedCheck;
import io.fairlead.gateway.admin.FilesCheck;
import io.fairlead.gateway.admin.Health;
import io.fairlead.gateway.admin.RootCheck;
import io.fairlead.gateway.admin.StoreCheck;
import io.fairlead.gateway.admin.WorkCheck;
import io.fairlead.gateway.api.FairleadApi;
import io.fairlead.gateway.api.VersionInfo;
import io.fairlead.gateway.authn.ReviewedTokens;
import io.fairlead.gateway.authn.ServiceAccounts;
import io.fairlead.gateway.authn.TokenAuthenticator;
import io.fairlead.gateway.authn.jwt.JwtIssuers;
import io.fairlead.gateway.edge.EdgeParts;
import io.fairlead.gateway.edge.EdgeServer;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.gateway.limits.BufferLimits;
import io.fairlead.gateway.limits.DirectMemory;
import io.fairlead.gateway.limits.RatePerSecond;
import io.fairlead.gateway.listen.BindFailure;
import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.gateway.metrics.ClusterFileMeters;
import io.fairlead.gateway.metrics.ConflictMeters;
import io.fairlead.gateway.metrics.ConnectionCounters;
import io.fairlead.gateway.metrics.FleetMeters;
import io.fairlead.gateway.metrics.HistoryMeters;
import io.fairlead.gateway.metrics.IndexMeters;
import io.fairlead.gateway.metrics.MetricsServer;
import io.fairlead.gateway.metrics.PinMeters;
import io.fairlead.gateway.metrics.StoreMeters;
import io.fairlead.gateway.metrics.TraceMeters;
import io.fairlead.gateway.metrics.UpstreamMeters;
import io.fairlead.gateway.pin.PinCheck;
import io.fairlead.gateway.route.IndexedTypes;
import io.fairlead.gateway.select.BaseDomain;
import io.fairlead.gateway.select.Selector;
import io.fairlead.gateway.tracing.SpanExport;
import io.fairlead.gateway.tracing.Tracing;
import io.fairlead.gateway.usage.Usage;
import io.fairlead.hosted.BuiltInKind;
import io.fairlead.hosted.ConversionWebhooks;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.cluster.ClusterArchives;
import io.fairlead.hosted.cluster.HostedClusters;
import io.fairlead.hosted.view.HostedViews;
import io.fairlead.http.NativeLibraries;
import io.fairlead.http.TlsProvider;
import io.fairlead.http.Transport;
import io.fairlead.http.Via;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.ByteBudget;
import io.fairlead.model.ClusterName;
import io.fairlead.model.FairleadVersion;
import io.fairlead.model.FileFault;
import io.fairlead.model.Recurring;
import io.fairlead.model.Supervised;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.address.AddressPolicy;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.EmbeddedStore;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: the one place that makes every part, connects the parts, and closes them.
 *
 * <p>Threads: the methods are for the thread that started it; signals arrive on threads of the JVM.
 */
public final class Gateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
    private static final int HEALTH_LOOK_SECONDS = 2;
    private static final int DELETED_TYPES_LOOK_SECONDS = 20;
    private static final int INTERRUPTED_EXIT_CODE = 1;
    private static final int LOOPS_END_SECONDS = 2;

    private final Configuration configuration;
    private final ConfigurationSource source;
    private final InstantSource clock = Clock.systemUTC();

    /** Random, so that no other gateway has it. */
    private final Via via = new Via("fairlead-" + HexFormat.of().toHexDigits(new SecureRandom().nextLong()));

    private final Closing closing = new Closing();
    private final StartPhases phases = new StartPhases();
    private final PinWarnings pinWarnings = new PinWarnings();
    private final KeyAdmission keyAdmission = new KeyAdmission();
    /** Nothing is called before clusters can be asked for their Services. */
    private volatile ConversionWebhooks webhooks = ConversionWebhooks.NONE;

    private final PublicationPlans publicationPlans = new PublicationPlans();
    private final List<InetSocketAddress> ownListeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch termination = new CountDownLatch(1);

    /** Set as soon as the gateway serves; signals may arrive earlier. */
    private final CompletableFuture<Reloading> reloading = new CompletableFuture<>();

    /** Services that run as long as the gateway. */
    private final List<Supervised> work = new CopyOnWriteArrayList<>();

    private @Nullable EdgeServer edge;
    private String endpoint = "";
    private Path kubeconfig = Path.of("");
    private boolean isFirstStart;

    private Gateway(Configuration configuration, ConfigurationSource source) {
        this.configuration = configuration;
        this.source = source;
    }

    /** Loads what takes long, TLS and JSON, while everything else is read and opened; its first user waits for it. */
    public static void preload() {
        DirectMemory.limit();
        Thread.ofPlatform().name("tls-loading").daemon().start(TlsProvider::preferred);
        Thread.ofPlatform().name("json-loading").daemon().start(() -> Json.read("0"));
    }

    /** Unpacks the native libraries of the network into a folder, for {@code java.library.path} to name. */
    public static void unpackLibraries(Path folder) throws IOException {
        NativeLibraries.unpackInto(folder);
    }

    /**
     * Starts a gateway; it serves when this returns. On failure, everything started is closed again.
     *
     * @param source where the configuration is read again on SIGHUP
     */
    public static Gateway start(Configuration configuration, ConfigurationSource source) throws StartFailure {
        DirectMemory.limit();
        Carriers.provide();
        Gateway gateway = new Gateway(configuration, source);
        gateway.catchSignals(); // before any client can read that it is ready
        try {
            gateway.open();
            return gateway;
        } catch (StartFailure | RuntimeException | Error failure) { // Threads that go on would keep the process.
            gateway.close();
            throw failure;
        }
    }

    /** The URL of the HTTPS endpoint. */
    public String endpoint() {
        return endpoint;
    }

    /** The path of the administrator's kubeconfig. */
    public Path kubeconfig() {
        return kubeconfig;
    }

    /** Whether its data directory is new. */
    public boolean isFirstStart() {
        return isFirstStart;
    }

    /**
     * Waits for SIGTERM or SIGINT, which may have arrived since the start, then drains. A second signal ends the
     * process at once.
     */
    public void awaitTermination() throws InterruptedException {
        termination.await();
        Configuration.Shutdown times = configuration.shutdown();
        LOG.atInfo()
                .addKeyValue(
                        "secondsMax", times.delay().plus(times.drainTimeout()).toSeconds())
                .log("Draining: what runs may end, nothing new is taken after a delay; another signal ends it at once");
        Objects.requireNonNull(edge).drain(times.delay(), times.drainTimeout());
    }

    @Override
    public void close() {
        closing.close();
    }

    private void catchSignals() {
        AtomicInteger signals = new AtomicInteger();
        Signals.onTermination(() -> {
            if (signals.incrementAndGet() > 1) {
                Runtime.getRuntime().halt(INTERRUPTED_EXIT_CODE);
            }
            termination.countDown();
        });
        Signals.onHangUp(this::reload);
    }

    /** Reloads the files; before the gateway serves, as soon as it does. */
    void reload() {
        var _ = reloading.thenAccept(Reloading::soon);
    }

    /** In the order of dependence; the listeners last. */
    private void open() throws StartFailure {
        DataDirectory data = closing.add(DataDirectory.open(configuration.dataDir(), Limits.ofStore(configuration)));
        isFirstStart = data.isNew();
        kubeconfig = data.adminKubeconfig();
        StartTask<Kubeconfig> present =
                closing.add(StartTask.begin("kubeconfig-reading", () -> AdminKubeconfig.read(kubeconfig)));
        StartTask<EmbeddedStore> opening = closing.add(StartTask.begin("store-opening", () -> store(data)));
        Pki pki = pki(data);
        ServingIdentity identity = new ServingIdentity(configuration, pki, clock);
        TlsMaterial tls = identity.current();
        phases.done("certificates");
        PrometheusMeterRegistry metrics = metrics();
        ByteBudget buffers =
                ByteBudget.of(BufferLimits.of(configuration.limits()).bytesMax());
        ScheduledExecutorService scheduler = scheduler("scheduler");
        Network network = network();
        TokenFiles tokens = TokenFiles.open(
                configuration,
                new JwtIssuers.Maker(network.upstreams(), Gateway::readKeys, clock, System::nanoTime),
                clock);
        Auditing auditing = Auditing.open(configuration, metrics, clock, System::nanoTime, new WorkLog());
        if (auditing != null) { // Closed after the server, whose last requests it records.
            closing.add(auditing);
            work.addAll(auditing.work());
        }
        Tracing tracing = tracing(metrics); // Closed after the server, whose last spans it sends.
        AtomicReference<HostedClusters> hostedClusters = new AtomicReference<>();
        List<BuiltInKind> kindsOfRoot =
                kindsOfRoot(() -> Objects.requireNonNull(hostedClusters.get()), network.addresses());
        EmbeddedStore store = opening.opened();
        phases.done("store");
        HostedClusters hosted = closing.add(
                hostedClusters(store, kindsOfRoot, scheduler, identity.trustedByClients(), buffers, metrics));
        hostedClusters.set(hosted);
        ClusterAccess access = new ClusterAccess(hosted.open(ClusterName.ROOT));
        phases.done("root cluster");
        FleetIndex index = index(metrics);
        ConflictMeters conflicts = new ConflictMeters(metrics);
        ClusterIdentities identities = conflicts.bind(new ClusterIdentities(clock, conflicts));
        Fleet fleet = fleet(hosted, index, identities, network, metrics);
        Controllers controllers =
                new Controllers(hosted.open(ClusterName.ROOT), fleet, index, clock, closing::add, work::add);
        PinCheck pins = controllers.pins(configuration.types().maxStaleness(), pinWarnings, new PinMeters(metrics));
        Informers informers = informers(fleet, index);
        ConditionRecords records = controllers.records(informers, data, metrics);
        ExclusiveKeys exclusive =
                controllers.exclusiveKeys(informers, access, data, keyAdmission, conflicts, new Random());
        phases.done("clusters");
        Health health = new Health(readinessChecks(store, hosted, fleet, tokens, auditing, metrics), hosted::shutDown);
        UpstreamClient backends = reaching(network, UpstreamAddresses.ofBackends(configuration, ownListeners));
        webhooks = closing.add(new WebhookCalls(informers, backends));
        AggregatedApis aggregated = controllers.aggregatedApis(
                informers, backends, !configuration.hosted().backendAddresses().isEmpty());
        EdgeSecrets secrets = new EdgeSecrets(
                tls,
                tokens.authenticators(
                        new ServiceAccounts(fleet),
                        new ReviewedTokens(
                                fleet,
                                fleet.facts()::reviewerFor,
                                hosted::hasSigningKey,
                                configuration.limits(),
                                limit -> ConnectionCounters.reached(metrics, limit.key())
                                        .increment())));
        EdgeServer server = frontEnd(
                secrets,
                network,
                access,
                fleet,
                index,
                new Reported(hosted.archives(), identities, exclusive, records),
                informers,
                aggregated,
                pins,
                auditing,
                tracing,
                health,
                buffers,
                metrics);
        listen(server, metrics, health);
        Publications published = controllers.publications(
                informers,
                new PublicationDoor(identity, server::publish, clock),
                // Probes reach the gateway's own listener, which no attached cluster may lead to.
                reaching(network, UpstreamAddresses.policy(configuration, List.of())),
                publicationPlans,
                metrics);
        controllers.requiredServices(informers, published, aggregated);
        phases.done("listeners");
        writeFiles(data, present, pki, identity);
        fleet.start(endpoint);
        DefaultCluster.tell(configuration, fleet);
        scheduler.scheduleWithFixedDelay(
                new Recurring("health", health::look, new WorkLog()),
                HEALTH_LOOK_SECONDS,
                HEALTH_LOOK_SECONDS,
                TimeUnit.SECONDS);
        scheduler.scheduleWithFixedDelay(
                new Recurring("series", server::forgetUnused, new WorkLog()),
                DELETED_TYPES_LOOK_SECONDS,
                DELETED_TYPES_LOOK_SECONDS,
                TimeUnit.SECONDS);
        CertificateRenewal certificates = new CertificateRenewal(server, identity, tls);
        // Its own thread: where a file system hangs, nothing else must wait for it.
        Reloading files = new Reloading(scheduler("reloading"), certificates, tokens, auditing, configuration, source);
        files.start();
        reloading.complete(files);
        phases.done("ready");
    }

    /** The identity of the server, and the CAs of callers. */
    private record EdgeSecrets(TlsMaterial tls, List<TokenAuthenticator> tokens) {}

    /** Inbound and outbound connections. */
    private record Network(
            Transport transport, EventLoopGroup loops, AddressPolicy addresses, UpstreamClient upstreams) {}

    private Pki pki(DataDirectory data) throws StartFailure {
        try {
            return Pki.open(data.pki(), clock);
        } catch (PkiException unusable) {
            throw new StartFailure(String.valueOf(unusable.getMessage()), "");
        }
    }

    private static void readKeys(Runnable reading) {
        Thread.ofVirtual().name("issuer-keys").start(reading);
    }

    private EmbeddedStore store(DataDirectory data) throws StartFailure {
        data.requireNoUnfinishedStore();
        try {
            return EmbeddedStore.open(data.store(), Limits.ofStore(configuration));
        } catch (StoreException unusable) {
            String why = unusable.getCause() instanceof IOException io ? " (" + FileFault.of(io) + ")" : "";
            throw new StartFailure(unusable.getMessage() + why, "");
        }
    }

    private ScheduledExecutorService scheduler(String name) {
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name(name).daemon().factory());
        scheduler.setRemoveOnCancelPolicy(true);
        closing.add(scheduler::shutdownNow);
        return scheduler;
    }

    /** What the root cluster serves beside the built-in kinds. */
    private List<BuiltInKind> kindsOfRoot(Supplier<HostedClusters> hosted, AddressPolicy addresses) {
        Registration registration = new Registration(
                () -> hosted.get().open(ClusterName.ROOT),
                url -> UpstreamAddresses.refusal(addresses, URI.create(url)));
        return List.of(
                ClusterKind.of(registration),
                TypePinKind.of(pinWarnings),
                ConditionRecordKind.of(),
                ExclusiveKeyKind.of(),
                KeyReservationKind.of(),
                PublicationKind.of(),
                PublicationKind.plans(publicationPlans),
                ClusterImports.of(hosted));
    }

    private HostedClusters hostedClusters(
            EmbeddedStore store,
            List<BuiltInKind> kindsOfRoot,
            ScheduledExecutorService scheduler,
            String rootCertificates,
            ByteBudget buffers,
            PrometheusMeterRegistry metrics) {
        return new HostedClusters(
                store,
                Limits.ofHostedClusters(
                        configuration,
                        buffers,
                        key -> ConnectionCounters.reached(metrics, key).increment()),
                HostedViews.factory(clock),
                keyAdmission,
                (cluster, client, review, bytesMax) -> webhooks.call(cluster, client, review, bytesMax),
                kindsOfRoot,
                rootCertificates,
                clock,
                scheduler);
    }

    private Network network() {
        Transport transport = Transport.preferred();
        EventLoopGroup loops = loops(transport);
        AddressPolicy addresses = UpstreamAddresses.policy(configuration, ownListeners);
        return new Network(
                transport,
                loops,
                addresses,
                closing.add(new UpstreamClient(loops, transport, addresses, Limits.ofUpstreams(configuration), via)));
    }

    private List<ReadinessCheck> readinessChecks(
            EmbeddedStore store,
            HostedClusters hosted,
            Fleet fleet,
            TokenFiles tokens,
            @Nullable Auditing auditing,
            PrometheusMeterRegistry metrics)
            throws StartFailure {
        StoreCheck ofStore = new StoreCheck(store);
        StoreMeters.bind(metrics, ofStore::isDiskFull);
        List<ReadinessCheck> checks =
                new ArrayList<>(List.of(ofStore, new FeedCheck(hosted::isCurrent), new WorkCheck(work)));
        checks.add(new FilesCheck(() -> tokens.isAnyRefused() || (auditing != null && auditing.isPolicyRefused())));
        if (auditing != null) {
            checks.add(auditing.check());
        }
        checks.add(new RootCheck(() -> fleet.lookup(ClusterName.ROOT) instanceof ClusterEntry.Hosted));
        clusterFiles(hosted.open(ClusterName.ROOT), metrics).ifPresent(checks::add);
        return checks;
    }

    private Optional<ClusterFiles> clusterFiles(HostedCluster root, PrometheusMeterRegistry metrics)
            throws StartFailure {
        Path folder = configuration.clustersDir();
        if (folder == null) {
            return Optional.empty();
        }
        ClusterFiles files = closing.add(new ClusterFiles(
                folder, new RootApi(root), configuration.limits().clusterFilesMax()));
        ClusterFileMeters.bind(metrics, files);
        try {
            files.start();
            work.add(files.work());
            return Optional.of(files);
        } catch (IOException unreadable) {
            throw new StartFailure(
                    "clustersDir: " + folder + " cannot be read (" + FileFault.of(unreadable) + ")",
                    "it is a folder of YAML files; leave --clusters-dir out if there are none");
        }
    }

    /** Its classes are loaded only if it is wanted. */
    private @Nullable Tracing tracing(PrometheusMeterRegistry metrics) {
        String endpoint = configuration.tracing().endpoint();
        if (endpoint == null) {
            return null;
        }
        TraceMeters meters = new TraceMeters(metrics);
        SpanExport export = closing.add(SpanExport.start(
                endpoint,
                FairleadVersion.NUMBER,
                via.pseudonym(),
                configuration.limits().traceQueueBytesMax().intBytes(),
                meters,
                new WorkLog()));
        meters.bind(export);
        work.add(export.work());
        return new Tracing(
                configuration.tracing().samplingRatePerMillion(),
                new RatePerSecond<>(configuration.limits().tracesAskedForPerSecondMax(), System::nanoTime),
                export,
                meters,
                clock,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextLong());
    }

    private EventLoopGroup loops(Transport transport) {
        int threads = Runtime.getRuntime().availableProcessors();
        EventLoopGroup loops = transport.newGroup(threads, "io");
        closing.add(() ->
                Transport.end(loops, Duration.ofSeconds(LOOPS_END_SECONDS)).await(LOOPS_END_SECONDS, TimeUnit.SECONDS));
        return loops;
    }

    private PrometheusMeterRegistry metrics() {
        PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        closing.add(metrics::close);
        return metrics;
    }

    private FleetIndex index(PrometheusMeterRegistry metrics) {
        IndexMeters meters = new IndexMeters(metrics);
        FleetIndex index = new FleetIndex(Limits.ofIndex(configuration), meters, clock);
        meters.bind(index);
        return index;
    }

    private Fleet fleet(
            HostedClusters hosted,
            FleetIndex index,
            ClusterIdentities identities,
            Network network,
            PrometheusMeterRegistry metrics) {
        UpstreamMeters upstreamMeters = new UpstreamMeters(metrics);
        HistoryMeters historyMeters = new HistoryMeters(
                metrics,
                cluster ->
                        index.view(cluster).map(view -> view.evidence().epoch()).orElse(0L));
        StatusInbox inbox = new StatusInbox();
        ClusterSync sync = closing.add(new ClusterSync(
                index,
                network.upstreams(),
                upstreamMeters::of,
                Limits.ofAttachedClusters(
                        configuration,
                        key -> ConnectionCounters.reached(metrics, key).increment()),
                inbox,
                clock,
                new Random(),
                historyMeters,
                configuration.history().rewindGrace()));
        Fleet fleet = closing.add(new Fleet(hosted, sync, index, inbox, clock, identities, cluster -> {
            upstreamMeters.forget(cluster);
            historyMeters.forget(cluster);
            forget(cluster);
        }));
        FleetMeters.bind(metrics, fleet);
        fleet.register();
        work.addAll(fleet.work());
        return fleet;
    }

    /** Closed after all that follow objects by them. */
    private Informers informers(Fleet fleet, FleetIndex index) {
        return closing.add(new Informers(
                fleet::lookup,
                name -> new History(
                        fleet.facts().which(name),
                        index.view(name).map(view -> view.evidence().epoch()).orElse(0L)),
                clock));
    }

    /** One history of one cluster, which may have the name of an earlier one and count its histories alike. */
    private record History(String cluster, long epoch) {}

    /** What {@code /fairlead/v1/} reports of the fleet. */
    private record Reported(
            ClusterArchives archives,
            ClusterIdentities identities,
            ExclusiveKeys exclusive,
            ConditionRecords records) {}

    /** Reaches addresses that others than attached clusters have. */
    private UpstreamClient reaching(Network network, AddressPolicy addresses) {
        return closing.add(
                new UpstreamClient(network.loops(), network.transport(), addresses, Limits.ofUpstreams(configuration)));
    }

    private Selector selector() {
        Configuration.Selection selection = configuration.selection();
        String domain = configuration.baseDomain();
        String defaultCluster = selection.defaultCluster();
        return new Selector(
                defaultCluster.equals(Configuration.Selection.NO_CLUSTER) ? null : new ClusterName(defaultCluster),
                selection.headers(),
                domain == null ? null : new BaseDomain(domain, configuration.advertiseHost()),
                via);
    }

    private EdgeServer frontEnd(
            EdgeSecrets secrets,
            Network network,
            ClusterAccess access,
            Fleet fleet,
            FleetIndex index,
            Reported reported,
            Informers informers,
            AggregatedApis aggregated,
            PinCheck pins,
            @Nullable Auditing auditing,
            @Nullable Tracing tracing,
            Health health,
            ByteBudget buffers,
            PrometheusMeterRegistry metrics) {
        Usage usage = new Usage(configuration.limits());
        EdgeServer server = closing.add(new EdgeServer(new EdgeParts(
                network.transport(),
                network.loops(),
                new InetSocketAddress(configuration.bindAddress(), configuration.securePort()),
                secrets.tls(),
                secrets.tokens(),
                access,
                selector(),
                fleet,
                new IndexedTypes(index, fleet::silentNanos),
                aggregated::served,
                fleet.histories(),
                pins,
                new PublishedNamespaces(informers),
                auditing == null ? null : auditing.audits(),
                tracing,
                usage,
                new FairleadApi(
                        fleet,
                        access,
                        reported.archives(),
                        index,
                        reported.records(),
                        reported.identities(),
                        reported.exclusive()::conflicts,
                        usage,
                        clock,
                        configuration.selection().defaultCluster(),
                        configuration.baseDomain()),
                health,
                VersionInfo.json(),
                configuration,
                buffers,
                metrics)));
        edge = server;
        return server;
    }

    private void listen(EdgeServer server, PrometheusMeterRegistry metrics, Health health) throws StartFailure {
        try {
            InetSocketAddress bound = server.start();
            ownListeners.add(bound);
            endpoint = endpoint(configuration, bound.getPort());
            HostPort address = configuration.metricsListener();
            if (address != null) {
                MetricsServer scraped = closing.add(new MetricsServer(
                        new InetSocketAddress(address.host(), address.port()),
                        metrics,
                        health,
                        configuration.limits().headTimeout()));
                ownListeners.add(scraped.start());
            }
        } catch (BindFailure taken) {
            throw new StartFailure(String.valueOf(taken.getMessage()), taken.hint());
        } catch (IllegalArgumentException unusable) {
            throw new StartFailure(String.valueOf(unusable.getMessage()), "");
        }
    }

    private void writeFiles(DataDirectory data, StartTask<Kubeconfig> present, Pki pki, ServingIdentity identity)
            throws StartFailure {
        try {
            AdminKubeconfig.write(kubeconfig, present.opened(), endpoint, identity.trustedByClients(), pki.admin());
            data.writeEndpoint(endpoint);
        } catch (PkiException unusable) {
            throw new StartFailure(String.valueOf(unusable.getMessage()), "");
        } catch (IOException unwritable) {
            throw new StartFailure(
                    configuration.dataDir() + " cannot be written (" + FileFault.of(unwritable) + ")", "");
        }
    }

    private void forget(ClusterName cluster) {
        EdgeServer server = edge;
        if (server != null) {
            server.forget(cluster);
        }
    }

    /** The URL by which clients are told to reach a port. */
    static String endpoint(Configuration configuration, int port) {
        String host = configuration.advertiseHost();
        return "https://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
