package io.fairlead.fleet.aggregation;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.hosted.ApiServices;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import io.fairlead.net.UpstreamClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the APIServices of all hosted clusters once a second: whether the backend of each is available, which its condition
 * {@code Available} and discovery say, and to which requests are sent as long as it is.
 *
 * <p>Threads: one looks; any asks.
 */
public final class AggregatedApis implements AutoCloseable, ServiceBackend.Checks {
    private static final Logger LOG = LoggerFactory.getLogger(AggregatedApis.class);
    private static final long LOOK_MILLIS = 1_000;
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration END = Duration.ofSeconds(5);
    private static final Duration SWEEP = Duration.ofMinutes(10);

    /** That run at once; each lasts for some seconds at most. */
    private static final int CHECKS_MAX = 64;

    private final Supplier<Set<ClusterName>> registered;
    private final ClusterDirectory directory;
    private final Informers informers;
    private final UpstreamClient client;
    private final FrontProxies proxies;
    private final boolean isAllowed;
    private final InstantSource clock;
    private final BlockingQueue<Boolean> wake = new ArrayBlockingQueue<>(1);
    private final Semaphore checks = new Semaphore(CHECKS_MAX);
    private final Repetitions failures = Repetitions.ofChanges();
    private final ConcurrentMap<ClusterName, Opened> clusters = new ConcurrentHashMap<>();
    private final Supervised work;
    private long sweptNanos = nanoTime();

    /** A cluster as it is open now. */
    private record Opened(HostedCluster cluster, ClusterBackends backends) {}

    /**
     * Nothing runs before {@link #start}.
     *
     * @param registered the names of all clusters
     * @param client which connects to backends, and to nothing else
     * @param isAllowed whether there are addresses that backends may have; otherwise none is prepared for
     */
    public AggregatedApis(
            Supplier<Set<ClusterName>> registered,
            ClusterDirectory directory,
            Informers informers,
            UpstreamClient client,
            HostedCluster root,
            boolean isAllowed,
            InstantSource clock) {
        this.registered = registered;
        this.directory = directory;
        this.informers = informers;
        this.client = client;
        this.proxies = new FrontProxies(new RootApi(root), clock);
        this.isAllowed = isAllowed;
        this.clock = clock;
        this.work = new Supervised("aggregated-apis", Thread.ofPlatform().daemon(), this::run, new WorkLog());
    }

    public void start() {
        work.start();
    }

    /** The supervised thread, for readiness. */
    public Supervised work() {
        return work;
    }

    /**
     * Where requests for the version of an APIService go, in the form of an attached cluster; empty while it is not available.
     *
     * @param uid of the APIService
     */
    public Optional<ClusterEntry.Attached> served(ClusterName cluster, String uid) {
        Opened opened = clusters.get(cluster);
        return opened == null ? Optional.empty() : opened.backends().served(uid);
    }

    /** Whether an APIService that names a service is available; empty if the cluster has none of the name. */
    public Optional<Finding> finding(ClusterName cluster, String name) {
        Opened opened = clusters.get(cluster);
        return opened == null ? Optional.empty() : opened.backends().finding(name);
    }

    @Override
    public void run(Runnable check) {
        if (!checks.tryAcquire()) {
            throw new RejectedExecutionException("as many checks run as may");
        }
        Thread.ofVirtual().name("backend-check").start(() -> {
            try {
                check.run();
            } finally {
                checks.release();
            }
        });
    }

    @Override
    public void ended() {
        wake.offer(true);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void close() {
        work.close(END);
        clusters.values().forEach(opened -> opened.backends().close());
    }

    private void run() throws InterruptedException {
        while (!work.isClosed()) {
            look();
            wake.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            // However many checks end, there are no more looks than these.
            work.pause(PAUSE);
        }
    }

    private void look() throws InterruptedException {
        Set<ClusterName> names = registered.get();
        clusters.forEach((name, opened) -> {
            boolean isSame = directory.lookup(name) instanceof ClusterEntry.Hosted(HostedCluster cluster)
                    && cluster.equals(opened.cluster());
            if (!isSame) {
                clusters.remove(name);
                opened.backends().close();
            }
        });
        for (ClusterName name : names) {
            if (directory.lookup(name) instanceof ClusterEntry.Hosted(HostedCluster cluster)) {
                Optional<ApiServices> services = cluster.apiServices();
                if (services.isPresent() && (isAllowed || !services.get().all().isEmpty())) {
                    look(name, cluster, services.get());
                }
            }
        }
        if (nanoTime() - sweptNanos > SWEEP.toNanos()) {
            sweptNanos = nanoTime();
            proxies.sweep(names);
        }
    }

    /** One cluster whose part fails leaves the others as they are. */
    private void look(ClusterName name, HostedCluster cluster, ApiServices services) throws InterruptedException {
        try {
            Opened opened = clusters.get(name);
            if (opened == null) {
                ClusterCalls calls = informers.calls(name);
                FrontProxies.Proof proof = proxies.of(name, calls);
                opened = new Opened(cluster, new ClusterBackends(name, services, calls, client, proof, this, clock));
                clusters.put(name, opened);
            }
            opened.backends().look();
        } catch (CallFailure | IllegalArgumentException | RootApi.RootApiException failure) {
            failures.next(name)
                    .ifPresent(leftOut -> LOG.atWarn()
                            .addKeyValue("cluster", name)
                            .addKeyValue("problem", failure.getMessage())
                            .addKeyValue("leftOut", leftOut)
                            .log("Backends of APIServices cannot be looked at"));
        }
    }
}
