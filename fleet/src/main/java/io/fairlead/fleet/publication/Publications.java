package io.fairlead.fleet.publication;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.RegisteredClusters;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.publication.BackendWork.Task;
import io.fairlead.fleet.publication.BackendWorks.Place;
import io.fairlead.fleet.root.Finalizers;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootWatch;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The {@code APIPublication} objects of the root cluster: publishes them in their targets, withdraws those that are deleted
 * or select a target no more, and writes to the objects what is observed.
 *
 * <p>Threads: one, the only writer of the objects' status, and one for each backend in a target.
 */
public final class Publications implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Publications.class);
    private static final long LOOK_SECONDS = 1;
    private static final Duration END = Duration.ofSeconds(5);

    private final RootApi api;
    private final TargetClusters clusters;
    private final String installation;
    private final TargetWatches watches;
    private final BackendAuthorities authorities;
    private final OpenBackends backends;
    private final TargetLooks looks;
    private final Planner planner;
    private final InstantSource clock;
    private final RootWatch watch;
    private final BlockingQueue<Boolean> changed = new ArrayBlockingQueue<>(1);
    private final BlockingQueue<Boolean> wake = new ArrayBlockingQueue<>(1);

    /** In which something that is published was made, changed or deleted. */
    private final Set<ClusterName> changedTargets = ConcurrentHashMap.newKeySet();

    private final PublicationCounts counts = new PublicationCounts();
    private final Repetitions failures = new Repetitions();
    private final Supervised work;

    /** Confined to the thread. */
    private List<Held> held = List.of();

    /** Confined to the thread. */
    private final BackendWorks works;

    /** Written by the thread alone. */
    private volatile Map<ClusterName, Peers> peers = Map.of();

    /** Whether the publications were looked at once. */
    private volatile boolean isLooked;

    /** Written by the thread alone. */
    private volatile RequiredPublications required = RequiredPublications.NOT_LOOKED;

    /** A publication and its object. */
    private record Held(Publication publication, ObjectNode object) {
        JsonNode status() {
            return object.path("status");
        }
    }

    /**
     * Nothing runs before {@link #start}.
     *
     * @param clusters the registered clusters
     * @param which cluster has a name now; empty if none is registered under it
     * @param lookup the registration of a cluster
     * @param informers follow what is published
     * @param probe asks backends
     */
    public Publications(
            HostedCluster root,
            RegisteredClusters clusters,
            Function<ClusterName, String> which,
            Function<ClusterName, ClusterEntry> lookup,
            Informers informers,
            Door door,
            BackendProbe probe,
            InstantSource clock) {
        this(root, clusters, which, lookup, informers, informers::calls, door, probe, clock);
    }

    /** With calls and probes of a test. */
    Publications(
            HostedCluster root,
            RegisteredClusters clusters,
            Function<ClusterName, String> which,
            Function<ClusterName, ClusterEntry> lookup,
            Informers informers,
            HostedSource.Calls calls,
            Door door,
            Probe probe,
            InstantSource clock) {
        this.api = new RootApi(root);
        this.clusters = new TargetClusters(clusters, which, lookup);
        this.authorities = new BackendAuthorities(api, clock);
        this.backends = new OpenBackends(door, authorities);
        this.clock = clock;
        this.works = new BackendWorks(this::look, () -> wake.offer(true), clock);
        this.installation = installation();
        this.looks = new TargetLooks(
                this.clusters,
                this::peers,
                installation,
                calls::to,
                (publication, cluster) -> source(publication, cluster, calls, probe));
        this.planner = new Planner(
                api, this.clusters, () -> peers, installation, calls, backends, probe, Planner.Limits.OF_A_REQUEST);
        this.watches = new TargetWatches(informers, installation, this::changedIn);
        this.watch = new RootWatch(api, PublicationKind.PUBLICATIONS, "", _ -> readAgain(), this::readAgain);
        this.work = new Supervised("publications", Thread.ofPlatform().daemon(), this::run, new WorkLog());
    }

    /** The uid of a namespace that is as old as this Fairlead's data. */
    private String installation() {
        return api.get(RootApi.NAMESPACES, "", "kube-system")
                .map(namespace -> namespace.at("/metadata/uid").asString(""))
                .filter(uid -> !uid.isEmpty())
                .orElseThrow(() -> new IllegalStateException("the root cluster has no namespace kube-system"));
    }

    public void start() {
        work.start();
        watch.start();
    }

    /** The supervised threads, for readiness. */
    public List<Supervised> work() {
        return List.of(work, watch.work());
    }

    /** Says what would be done; empty until the publications were looked at once. */
    Optional<Planner> planner() {
        return isLooked ? Optional.of(planner) : Optional.empty();
    }

    /** How far all are, for metrics. */
    public PublicationCounts counts() {
        return counts;
    }

    /**
     * The publications that are required in a cluster, and whether each is available there; by its name.
     *
     * @return empty as long as the publications were not looked at since the cluster is registered
     */
    public Optional<Map<String, Finding>> required(ClusterName cluster) {
        return required.in(cluster, clusters.which(cluster));
    }

    @Override
    public void close() {
        work.close();
        watch.close();
        work.close(END);
        watches.close();
        works.close();
    }

    /** After any interruption, all publications are read again. */
    private void run() throws InterruptedException {
        changed.offer(true);
        while (!work.isClosed()) {
            try {
                turn(changed.poll() != null);
            } catch (RuntimeException failure) {
                if (!work.isClosed()) {
                    log("", failure);
                    changed.offer(true);
                    work.pause(Duration.ofSeconds(LOOK_SECONDS));
                }
            }
            wake.poll(LOOK_SECONDS, TimeUnit.SECONDS);
        }
    }

    /**
     * Nothing is made in a target before the status names it: of a publication that is deleted, what is there says where
     * something may be left.
     */
    private void turn(boolean isChanged) {
        Map<ClusterName, String> looked = clusters.registered();
        if (isChanged) {
            held = api.list(PublicationKind.PUBLICATIONS, "").path("items").values().stream()
                    .map(object -> new Held(Publication.of(object, clusters.all()), (ObjectNode) object))
                    .toList();
        }
        Set<ClusterName> news = Set.copyOf(changedTargets);
        changedTargets.removeAll(news);
        SortedMap<ClusterName, List<Peers.Peer>> in = new TreeMap<>();
        SortedMap<Place, List<Task>> tasks = new TreeMap<>();
        Map<OpenBackends.Key, ClusterName> sources = new HashMap<>();
        for (Held each : held) {
            Publication publication = each.publication();
            NavigableSet<ClusterName> named = PublicationStatus.clusters(each.status());
            for (ClusterName cluster : targets(each)) {
                if (clusters.isServed(cluster)) {
                    publication
                            .source()
                            .ifPresent(source -> sources.put(new OpenBackends.Key(publication.uid(), cluster), source));
                }
                boolean isRegistered = PublicationStatus.isRegistered(each.status(), cluster);
                in.computeIfAbsent(cluster, _ -> new ArrayList<>()).add(new Peers.Peer(publication, isRegistered));
                if (named.contains(cluster)) {
                    tasks.computeIfAbsent(
                                    new Place(cluster, publication.backend().path()), _ -> new ArrayList<>())
                            .add(new Task(
                                    publication,
                                    !clusters.isTarget(publication, cluster),
                                    looked.getOrDefault(cluster, "")));
                }
            }
        }
        Map<ClusterName, Peers> now = new HashMap<>();
        in.forEach((cluster, all) -> now.put(cluster, new Peers(cluster, all)));
        peers = Map.copyOf(now);
        watches.follow(in.keySet());
        backends.retain(sources);
        works.assign(tasks);
        works.wake(news);
        RequiredPublications.Builder all = new RequiredPublications.Builder(looked);
        PublicationCounts.Turn counted = counts.turn(clock.instant());
        held.forEach(each -> report(each, all, counted));
        required = all.build();
        isLooked = true;
        counted.end();
        if (authorities.turn(this::untrusting)) {
            works.wake(in.keySet());
        }
        backends.renew();
    }

    /** What is published into a target whose APIServices are not known to trust some certificates; empty if all do. */
    private Optional<String> untrusting(String caBundle) {
        for (Held each : held) {
            Publication publication = each.publication();
            boolean isServedHere = publication.source().isPresent();
            for (ClusterName cluster : isServedHere ? targets(each) : Set.<ClusterName>of()) {
                Place place = new Place(cluster, publication.backend().path());
                Progress progress = works.progress(place, publication.uid());
                boolean isRegistered =
                        progress.registered().orElse(false) || PublicationStatus.isRegistered(each.status(), cluster);
                if (isRegistered
                        && clusters.isTarget(publication, cluster)
                        && !progress.trusted().equals(caBundle)) {
                    return Optional.of(publication.name() + " in " + cluster);
                }
            }
        }
        return Optional.empty();
    }

    /** Where it is wanted, and where something of it may be left. */
    private NavigableSet<ClusterName> targets(Held each) {
        NavigableSet<ClusterName> all = PublicationStatus.clusters(each.status());
        all.addAll(clusters.of(each.publication()));
        return all;
    }

    /** On the thread of a backend. */
    private Progress look(Task task, ClusterName cluster) throws InterruptedException {
        Publication publication = task.publication();
        Progress progress = looks.at(publication, task.isWithdrawn(), cluster);
        counts.looked(progress);
        if (progress.isDone(Step.WITHDRAWN)) {
            if (!clusters.isRegistered(cluster)) {
                LOG.atWarn()
                        .addKeyValue("publication", publication.name())
                        .addKeyValue("cluster", cluster)
                        .log("A cluster is registered no more; what was published in it is left behind");
            }
            backends.close(publication.uid(), cluster);
        }
        return progress;
    }

    /** With nothing else in the target if it is not known yet what there is. */
    private Peers peers(ClusterName cluster, Publication publication) {
        return peers.getOrDefault(cluster, new Peers(cluster, List.of(new Peers.Peer(publication, true))));
    }

    private Source source(Publication publication, ClusterName cluster, HostedSource.Calls calls, Probe probe) {
        return publication
                .source()
                .<Source>map(source -> new HostedSource(cluster, source, calls, backends, probe))
                .orElseGet(() -> new ExternalSource(probe));
    }

    private void readAgain() {
        changed.offer(true);
        wake.offer(true);
    }

    /** On a thread of the informers. */
    private void changedIn(ClusterName cluster) {
        changedTargets.add(cluster);
        wake.offer(true);
    }

    private void report(Held each, RequiredPublications.Builder required, PublicationCounts.Turn counted) {
        Publication publication = each.publication();
        ObjectNode object = each.object();
        SortedMap<ClusterName, Progress> seen = new TreeMap<>();
        for (ClusterName cluster : targets(each)) {
            Progress progress =
                    works.progress(new Place(cluster, publication.backend().path()), publication.uid());
            boolean isWanted = clusters.isTarget(publication, cluster);
            if (isWanted) {
                required.add(cluster, publication, progress);
            }
            boolean isGone = !isWanted && progress.isDone(Step.WITHDRAWN);
            if (!isGone) {
                seen.put(cluster, progress);
                counted.add(publication.uid(), cluster, progress);
            }
        }
        if (publication.isDeleted() && seen.isEmpty()) {
            write(publication, object, "");
            return;
        }
        ObjectNode status = PublicationStatus.of(object, seen, clock.instant());
        if (!status.equals(object.path("status"))) {
            ObjectNode updated = object.deepCopy();
            updated.set("status", status);
            write(publication, updated, "status");
        }
    }

    /** Writes a status, or lets go of a publication of which nothing is left. */
    private void write(Publication publication, ObjectNode object, String subresource) {
        try {
            ObjectNode written = object.deepCopy();
            if (subresource.isEmpty()) {
                Finalizers.set(written, PublicationRules.WITHDRAW, false);
            }
            api.updateUnlessChanged(PublicationKind.PUBLICATIONS, "", written, subresource);
        } catch (RuntimeException failure) {
            if (!work.isClosed()) {
                log(publication.name(), failure);
            }
        }
    }

    private void log(String publication, RuntimeException failure) {
        failures.next(publication + failure.getClass())
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("publication", publication)
                        .setCause(failure)
                        .addKeyValue("leftOut", leftOut)
                        .log("A publication cannot be worked on; trying again"));
    }
}
