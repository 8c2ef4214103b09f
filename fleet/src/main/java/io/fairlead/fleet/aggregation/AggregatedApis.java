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
 * Has the APIServices of all hosted clusters looked at once a second, each cluster by itself: whether the backend of each is
 * available, which its condition {@code Available} and discovery say, and to which requests are sent as long as it is.
 *
 * <p>Threads: one begins looks; any asks.
 */
public final class AggregatedApis implements AutoCloseable, ClusterBackends.Work {
    private static final Logger LOG = LoggerFactory.getLogger(AggregatedApis.class);
    private static final long LOOK_NANOS = 1_000_000_000;
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration END = Duration.ofSeconds(5);
    private static final Duration SWEEP = Duration.ofMinutes(10);

    /** Looks and checks that run at once, of which each may hold some megabytes. */
    private static final int TASKS_MAX = 32;

    private final Supplier<Set<ClusterName>> registered;
    private final ClusterDirectory directory;
    private final Informers informers;
    private final UpstreamClient client;
    private final FrontProxies proxies;
    private final boolean isAllowed;
    private final InstantSource clock;
    private final BlockingQueue<Boolean> wake = new ArrayBlockingQueue<>(1);
    private final Semaphore tasks = new Semaphore(TASKS_MAX);
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
    public void begin(ClusterName cluster, ClusterBackends.Task task) {
        if (!tasks.tryAcquire()) {
            throw new RejectedExecutionException("as much runs as may");
        }
        boolean hasBegun = false;
        try {
            Thread.ofVirtual().name("backends-" + cluster).start(() -> run(cluster, task));
            hasBegun = true;
        } finally {
            if (!hasBegun) {
                tasks.release();
            }
        }
    }

    private void run(ClusterName cluster, ClusterBackends.Task task) {
        try {
            task.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            failures.next(cluster)
                    .ifPresent(leftOut -> LOG.atError()
                            .setCause(failure)
                            .addKeyValue("cluster", cluster)
                            .addKeyValue("leftOut", leftOut)
                            .log("The look at backends of APIServices ended by a failure and begins again"));
        } finally {
            tasks.release();
        }
    }

    @Override
    public void wake() {
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
            // Until the next second clusters are looked at only as their checks end.
            for (long end = nanoTime() + LOOK_NANOS; end - nanoTime() > 0; ) {
                if (wake.poll(end - nanoTime(), TimeUnit.NANOSECONDS) != null) {
                    clusters.values().stream()
                            .map(Opened::backends)
                            .filter(ClusterBackends::isDue)
                            .forEach(ClusterBackends::begin);
                    work.pause(PAUSE);
                }
            }
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
                Optional<FrontProxies.Proof> proof =
                        isAllowed ? Optional.of(proxies.of(name, calls)) : Optional.empty();
                opened = new Opened(cluster, new ClusterBackends(name, services, calls, client, proof, this, clock));
                clusters.put(name, opened);
            }
            opened.backends().begin();
        } catch (CallFailure | RuntimeException failure) {
            if (work.isClosed()) {
                return;
            }
            failures.next(name)
                    .ifPresent(leftOut -> LOG.atWarn()
                            .addKeyValue("cluster", name)
                            .addKeyValue("problem", failure.getMessage())
                            .addKeyValue("leftOut", leftOut)
                            .log("Backends of APIServices cannot be looked at"));
        }
    }
}
