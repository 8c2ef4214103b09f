package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fairlead.clustersync.source.SyncSettings;
import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.history.InformerDecision;
import io.fairlead.net.Upstream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The types of an attached cluster, from informers on its CustomResourceDefinitions and APIServices. */
final class KubernetesTypeSource implements TypeSource {
    private static final Subject<ApiServiceObject> API_SERVICES = new Subject<>(
            ApiServiceObject.class,
            "/apis/apiregistration.k8s.io/v1/apiservices",
            Set.of(HolderType.BUILT_IN, HolderType.API_SERVICE),
            Claims::of,
            service -> "",
            ApiServiceObject::new);

    private final KubernetesSerialization serialization;
    private final UnaryOperator<Holder> shared;
    private final Upstream upstream;
    private final Supplier<@Nullable String> bearerToken;
    private final SyncSettings settings;
    private final WatchPace watchPace = new WatchPace();
    private final ListLimiter turns;
    private final KeptTypes kept;
    private final ScheduledExecutorService scheduler;
    private final Executor executor;
    private final RandomGenerator random;
    private final LongSupplier nanoTime;
    private final Consumer<InformerDecision> travels;

    /**
     * @param serialization decodes the objects
     * @param shared interns the parts of a holder across clusters
     * @param upstream the connections; owned by the caller
     * @param bearerToken read for each request; null if the connections' client certificate is the credential
     * @param turns shared by all clusters of a fleet, as what is kept
     * @param scheduler schedules retries; owned by the caller
     * @param executor runs the informers' blocking work; owned by the caller
     * @param random adds jitter
     * @param nanoTime the elapsed time, as {@link System#nanoTime}
     * @param travels receives each event that is behind one before it; must not block
     */
    KubernetesTypeSource(
            KubernetesSerialization serialization,
            UnaryOperator<Holder> shared,
            Upstream upstream,
            Supplier<@Nullable String> bearerToken,
            SyncSettings settings,
            ListLimiter turns,
            KeptTypes kept,
            ScheduledExecutorService scheduler,
            Executor executor,
            RandomGenerator random,
            LongSupplier nanoTime,
            Consumer<InformerDecision> travels) {
        this.serialization = serialization;
        this.shared = shared;
        this.upstream = upstream;
        this.bearerToken = bearerToken;
        this.settings = settings;
        this.turns = turns;
        this.kept = kept;
        this.scheduler = scheduler;
        this.executor = executor;
        this.random = random;
        this.nanoTime = nanoTime;
        this.travels = travels;
    }

    @Override
    public Set<HolderType> types() {
        return Set.of(HolderType.BUILT_IN, HolderType.CRD, HolderType.API_SERVICE);
    }

    @Override
    public Feed open(Consumer<TypeChange> changes) {
        Informers informers = new Informers(changes);
        informers.restart();
        return informers;
    }

    /** Both informers and their shared state. */
    private final class Informers implements Feed, WatchObserver, ControllerImages.Definitions {
        private final HistoryReports reports;
        private final KubernetesClient client;
        private final FeedContext context;
        private final ControllerImages implementations;
        private final InformerFeed<CrdObject> crds;
        private final List<InformerFeed<?>> feeds;

        Informers(Consumer<TypeChange> changes) {
            this.reports = new HistoryReports(changes);
            this.client = client(this, this::turn);
            this.context = new FeedContext(
                    client,
                    settings,
                    turns,
                    kept,
                    new Censuses(upstream, bearerToken, settings, turns, executor),
                    scheduler,
                    executor,
                    nanoTime,
                    upstream::withoutCredential,
                    travels);
            this.implementations = new ControllerImages(client, executor, scheduler, this);
            this.crds = feed(crds(implementations, settings.index().versionsPerHolderMax()));
            this.feeds = List.of(crds, feed(API_SERVICES));
        }

        @Override
        public Optional<Collection<Holder>> recount() {
            List<Holder> holders = new ArrayList<>();
            for (InformerFeed<?> feed : feeds) {
                Optional<List<Holder>> some = feed.recount();
                if (some.isEmpty()) {
                    return Optional.empty();
                }
                holders.addAll(some.get());
            }
            return Optional.of(holders);
        }

        @Override
        public synchronized Optional<Collection<Holder>> ask() {
            try (KubernetesClient asking = client(WatchObserver.NONE, (path, firstPage) -> null)) {
                List<Holder> holders = new ArrayList<>();
                for (InformerFeed<?> feed : feeds) {
                    holders.addAll(feed.ask(asking));
                }
                return Optional.of(holders);
            } catch (KubernetesClientException refused) {
                return Optional.empty();
            }
        }

        /** A type taken over by an APIService no longer follows its CRD, so both must be indexed. */
        @Override
        public long silentNanos() {
            long longest = 0;
            for (InformerFeed<?> feed : feeds) {
                longest = Math.max(longest, feed.silentNanos());
            }
            return longest;
        }

        @Override
        public void forget() {
            reports.nextHistory();
        }

        @Override
        public void restart() {
            feeds.forEach(InformerFeed::start);
        }

        @Override
        public void hurry() {
            feeds.forEach(InformerFeed::hurry);
        }

        @Override
        public boolean look() {
            boolean away = false;
            for (InformerFeed<?> feed : feeds) {
                away |= feed.look();
            }
            return away;
        }

        @Override
        public void doubt(HolderType type) {
            feeds.stream()
                    .filter(feed -> feed.subject().holderTypes().contains(type))
                    .forEach(InformerFeed::doubt);
        }

        @Override
        public void close() {
            reports.close();
            implementations.close();
            feeds.forEach(InformerFeed::close);
            client.close();
        }

        @Override
        public String begins(String path, String resourceVersion) {
            return feed(path).map(feed -> feed.watchBegins(resourceVersion)).orElse(resourceVersion);
        }

        @Override
        public void stands(String path) {
            feed(path).ifPresent(InformerFeed::watchStands);
        }

        @Override
        public void opened(String path, String resourceVersion) {
            feed(path).ifPresent(feed -> feed.watchOpened(resourceVersion));
        }

        @Override
        public void heard(String path) {
            feed(path).ifPresent(InformerFeed::heard);
        }

        @Override
        public void ended(String path, boolean stood, boolean orderly) {
            feed(path).ifPresent(feed -> feed.watchEnded(stood, orderly));
        }

        @Override
        public void closed(String path) {
            feed(path).ifPresent(InformerFeed::watchClosed);
        }

        private Optional<InformerFeed<?>> feed(String path) {
            for (InformerFeed<?> feed : feeds) {
                if (feed.subject().path().equals(path)) {
                    return Optional.of(feed);
                }
            }
            return Optional.empty();
        }

        private ListLimiter.@Nullable Turn turn(String path, boolean firstPage) {
            return feed(path).map(feed -> feed.turn(firstPage)).orElse(null);
        }

        @Override
        public void implemented(String revision, String implementation) {
            crds.implemented(revision, implementation);
        }

        @Override
        public Set<String> revisions() {
            return crds.controllers();
        }

        private static Subject<CrdObject> crds(ControllerImages implementations, int versionsMax) {
            return new Subject<>(
                    CrdObject.class,
                    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                    Set.of(HolderType.CRD),
                    crd -> Claims.of(crd, versionsMax, implementations.of(crd.getMetadata())),
                    crd -> implementations.revisionOf(crd.getMetadata()),
                    CrdObject::new);
        }

        private <T extends HasMetadata> InformerFeed<T> feed(Subject<T> subject) {
            return new InformerFeed<>(subject, shared, context, new ListPace(settings, random, nanoTime), reports);
        }
    }

    private KubernetesClient client(WatchObserver watches, ListPermit turnOf) {
        BodyLimits limits = new BodyLimits(settings.answers(), settings.pageTimeout(), watchPace);
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://cluster.invalid/")
                .withOnlyHttpWatches(true)
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(0) // its timer would retain each page until the timeout
                .withWatchReconnectInterval(
                        Math.toIntExact(settings.retryFirst().toMillis()))
                .build();
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(
                        new NettyHttpClientFactory(upstream, bearerToken, executor, limits, watches, turnOf))
                .withTaskExecutor(executor)
                .withKubernetesSerialization(serialization)
                .build();
    }
}
