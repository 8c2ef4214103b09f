package io.fairlead.clustersync;

import io.fairlead.clustersync.fabric8.KubernetesTypeSources;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TypeReader;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.index.ClusterLedger;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.HolderType;
import io.fairlead.index.IndexComparison;
import io.fairlead.index.history.Histories;
import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.index.history.KnownHistory;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.net.ConnectionMetrics;
import io.fairlead.net.Upstream;
import io.fairlead.net.UpstreamClient;
import io.fairlead.net.UpstreamSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Synchronises the index with every cluster: one {@link ClusterScope} for each, over shared threads. Thread-safe.
 *
 * <p>Close it before the index's readers and after the component that registers clusters; it closes the remaining
 * scopes.
 */
public final class ClusterSync implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterSync.class);
    private static final Duration SECOND_LOOK = Duration.ofSeconds(2);

    private final FleetIndex index;
    private final UpstreamClient upstreams;
    private final Function<ClusterName, ConnectionMetrics> connectionMetrics;
    private final SyncSettings settings;
    private final ClusterStatusSink sink;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final ScheduledThreadPoolExecutor scheduler;
    private final ExecutorService executor;
    private final TypeReader types;
    private final KubernetesTypeSources sources;
    private final HistoryMetrics historyMetrics;
    private final Duration rewindGrace;
    private final LongSupplier nanoTime;
    private final ClusterHistories histories;
    private final AtomicLong readings = new AtomicLong();
    private final ConcurrentMap<ClusterName, ClusterScope> scopes = new ConcurrentHashMap<>();

    /**
     * @param upstreams creates connections; owned by the caller
     * @param connectionMetrics counts a cluster's connections
     * @param sink where clusters' health is reported
     * @param random spreads attempts; thread-safe
     * @param historyMetrics counts what is noticed of clusters' histories
     * @param rewindGrace for how long all resourceVersions that a rewound history had given out are expired
     */
    public ClusterSync(
            FleetIndex index,
            UpstreamClient upstreams,
            Function<ClusterName, ConnectionMetrics> connectionMetrics,
            SyncSettings settings,
            ClusterStatusSink sink,
            InstantSource clock,
            RandomGenerator random,
            HistoryMetrics historyMetrics,
            Duration rewindGrace) {
        this(
                index,
                upstreams,
                connectionMetrics,
                settings,
                sink,
                clock,
                random,
                historyMetrics,
                rewindGrace,
                System::nanoTime);
    }

    /** @param nanoTime the clock for the silence of watches */
    ClusterSync(
            FleetIndex index,
            UpstreamClient upstreams,
            Function<ClusterName, ConnectionMetrics> connectionMetrics,
            SyncSettings settings,
            ClusterStatusSink sink,
            InstantSource clock,
            RandomGenerator random,
            HistoryMetrics historyMetrics,
            Duration rewindGrace,
            LongSupplier nanoTime) {
        this.index = index;
        this.upstreams = upstreams;
        this.connectionMetrics = connectionMetrics;
        this.settings = settings;
        this.sink = sink;
        this.clock = clock;
        this.random = random;
        this.historyMetrics = historyMetrics;
        this.rewindGrace = rewindGrace;
        this.nanoTime = nanoTime;
        this.histories = new ClusterHistories(historyMetrics);
        this.scheduler = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("cluster-sync-timer").factory());
        this.scheduler.setRemoveOnCancelPolicy(true);
        this.executor = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("cluster-sync-", 0).factory());
        this.types = new TypeReader(index.types());
        this.sources = new KubernetesTypeSources(types, index::shared, settings, scheduler, executor, random, nanoTime);
    }

    /**
     * Starts to index an attached cluster; returns before any request to it.
     *
     * @throws IllegalArgumentException if the registration cannot be used, naming the field
     * @throws IllegalStateException if a cluster of that name is indexed already
     */
    public AttachedScope attach(AttachedCluster cluster) {
        return attach(cluster, KnownHistory.NONE, "");
    }

    /**
     * As {@link #attach(AttachedCluster)}.
     *
     * @param known of the cluster's histories from before
     * @param knownUid the uid that was last read of its namespace kube-system; empty if none was
     */
    public AttachedScope attach(AttachedCluster cluster, KnownHistory known, String knownUid) {
        ConnectionMetrics metrics = connectionMetrics.apply(cluster.name());
        AtomicReference<@Nullable AttachedScope> scope = new AtomicReference<>();
        EndpointBoard endpoints = new EndpointBoard();
        Upstream upstream = upstreams.openProbed(
                cluster.upstream(), new NewConnections(metrics, () -> connected(scope.get()), endpoints::told));
        TypeSource source = sources.of(
                upstream, () -> tokenOf(scope.get()), new TravelLog(cluster.name(), historyMetrics)::travelled);
        ClusterLedger ledger = open(cluster.name(), source.types(), upstream, known.epoch());
        HeadQuestion question = new HeadQuestion(upstream, () -> tokenOf(scope.get()), settings.probeTimeout());
        Tasks tasks = new Tasks(cluster.name(), scheduler, executor, random);
        SeenHead seen = new SeenHead(
                ledger,
                question::ask,
                nanoTime,
                epoch -> tasks.execute(() -> Objects.requireNonNull(scope.get()).fellBehind(epoch)));
        ClusterHistory history = new ClusterHistory(ledger, known, question::ask, clock, rewindGrace, seen);
        StatusBoard board = board(ledger, source, true);
        board.rewound(known.rewound());
        endpoints.show(board);
        IndexFeed feed = new IndexFeed(ledger, board, executor, (shared, head) -> {
            history.rewound(shared, head);
            board.rewound(history.rewound());
            tasks.execute(() -> wasRewound(cluster.name(), scope.get()));
        });
        AttachedScope made = new AttachedScope(
                cluster,
                upstream,
                feed,
                board,
                tasks,
                settings.probeTimeout(),
                (spec, introduction) -> upstreams.open(spec, metrics, introduction),
                readings,
                knownUid,
                () -> forget(cluster.name()));
        scope.set(made);
        histories.put(cluster.name(), history);
        scopes.put(cluster.name(), made);
        feed.follow(source);
        tasks.execute(made::probe);
        tasks.every(settings.probeInterval(), made::probe);
        tasks.every(settings.lookInterval(), made::look);
        tasks.every(settings.identityInterval(), made::checkIdentity);
        tasks.every(settings.auditInterval(), () -> compare(cluster.name(), feed, tasks));
        return made;
    }

    /**
     * Follows of an attached cluster only which one it is; it must not be attached.
     *
     * @param known of the cluster's histories from before
     * @throws IllegalArgumentException if the registration cannot be used, naming the field
     */
    public WithheldScope withhold(AttachedCluster cluster, KnownHistory known) {
        Upstream upstream = upstreams.open(cluster.upstream(), connectionMetrics.apply(cluster.name()));
        Tasks tasks = new Tasks(cluster.name(), scheduler, executor, random);
        WithheldScope made =
                new WithheldScope(cluster, upstream, known.rewound(), sink, tasks, settings.probeTimeout(), readings);
        tasks.execute(made::probe);
        tasks.every(settings.probeInterval(), made::probe);
        tasks.every(settings.identityInterval(), made::checkIdentity);
        return made;
    }

    /**
     * Validates a specification; connects to nothing.
     *
     * @throws IllegalArgumentException if it cannot be used, naming the field
     */
    public void requireUsable(UpstreamSpec spec) {
        upstreams.open(spec).close();
    }

    /**
     * Starts to index a hosted cluster.
     *
     * @param source reports its types; what it opened is closed with the scope
     * @throws IllegalStateException if a cluster of that name is indexed already
     */
    public HostedScope follow(ClusterName name, TypeSource source) {
        ClusterLedger ledger = index.open(name, source.types());
        StatusBoard board = board(ledger, source, false);
        IndexFeed feed = new IndexFeed(ledger, board, executor, (_, _) -> {});
        Tasks tasks = new Tasks(name, scheduler, executor, random);
        HostedScope made = new HostedScope(name, feed, board, tasks, () -> scopes.remove(name));
        scopes.put(name, made);
        feed.follow(source);
        tasks.every(settings.auditInterval(), () -> compare(name, feed, tasks));
        return made;
    }

    /** The histories of all clusters. */
    public Histories histories() {
        return histories;
    }

    /** The reader of all clusters' definitions. */
    public TypeReader types() {
        return types;
    }

    /** The difference between a cluster's index and the cluster, which is asked; empty if it is not followed or does not say. Blocks. */
    public Optional<IndexComparison> verify(ClusterName name) {
        return Optional.ofNullable(scopes.get(name)).flatMap(ClusterScope::verify);
    }

    /**
     * The resources of a group/version in an attached cluster's current discovery; empty for any other cluster, and
     * without an answer. Blocks.
     */
    public Optional<Set<String>> resources(ClusterName name, GroupVersion groupVersion) {
        return scopes.get(name) instanceof AttachedScope attached ? attached.resources(groupVersion) : Optional.empty();
    }

    /**
     * For how many nanoseconds changes of a cluster's CRDs and APIServices may have been missed: 0 while a watch
     * reports them, {@link Long#MAX_VALUE} before the first complete list, while the index is in doubt, and for a
     * cluster that is not indexed. Never blocks.
     */
    public long silentNanos(ClusterName name) {
        ClusterScope scope = scopes.get(name);
        return scope == null ? Long.MAX_VALUE : scope.silentNanos();
    }

    @Override
    public void close() {
        scopes.values().forEach(ClusterScope::close);
        scheduler.shutdownNow();
        executor.shutdownNow();
    }

    private ClusterLedger open(ClusterName name, Set<HolderType> types, Upstream upstream, long epoch) {
        try {
            return index.open(name, types, epoch);
        } catch (IllegalStateException e) {
            upstream.close();
            throw e;
        }
    }

    private StatusBoard board(ClusterLedger ledger, TypeSource source, boolean probed) {
        return new StatusBoard(
                ledger, source.types(), sink, clock, scheduler, executor, settings.statusDelay(), probed);
    }

    /** What looks wrong is looked at again before it is counted: a source may be a moment ahead of what it told. */
    private static void compare(ClusterName name, IndexFeed feed, Tasks tasks) {
        if (feed.matchesSource().equals(Optional.of(false))) {
            tasks.later(SECOND_LOOK, () -> feed.compare().ifPresent(compared -> report(name, compared)));
        }
    }

    private static void report(ClusterName name, IndexComparison compared) {
        if (!compared.isClean()) {
            LOG.atError()
                    .addKeyValue("cluster", name)
                    .addKeyValue("missing", compared.missing().size())
                    .addKeyValue("surplus", compared.surplus().size())
                    .log("the index differs from its source");
        }
    }

    private void wasRewound(ClusterName cluster, @Nullable AttachedScope scope) {
        if (scope != null) {
            scope.doubtIdentity();
        }
        histories.wasRewound(cluster);
    }

    private void forget(ClusterName cluster) {
        histories.remove(cluster);
        scopes.remove(cluster);
    }

    private void connected(@Nullable AttachedScope scope) {
        if (scope != null) {
            scope.connected(settings.lookInterval());
        }
    }

    private static @Nullable String tokenOf(@Nullable AttachedScope scope) {
        return scope == null ? null : scope.bearerToken();
    }
}
