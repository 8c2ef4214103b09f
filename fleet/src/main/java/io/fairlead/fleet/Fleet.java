package io.fairlead.fleet;

import io.fairlead.clustersync.ClusterSync;
import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.availability.AvailabilityLog;
import io.fairlead.fleet.availability.Requirement;
import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.conflicts.IdentityVerdict;
import io.fairlead.fleet.root.Finalizers;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.fleet.root.RootWatch;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.hosted.cluster.HostedClusters;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.IndexComparison;
import io.fairlead.index.history.Histories;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.Supervised;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/*
 * The controller is level-triggered: its queue holds names, never events, and each turn reads the Cluster object again.
 * A name is in the queue at most once, so the queue is bounded by the number of clusters. What a turn cannot do is
 * reported in the object's conditions and tried again with the next change or the periodic sweep; one cluster's failure
 * ends only that cluster's turn.
 *
 * Nothing here waits for another machine: upstreams connect when they are first used, observations report by calling
 * back. So one thread is enough, and it is the only writer of members, of the directory and of Cluster status.
 */
/**
 * The registered clusters, reconciled from the {@code Cluster} objects of the root cluster.
 *
 * <p>Threads: one controller thread writes; {@link #lookup} and the other readers see an immutable snapshot.
 */
public final class Fleet implements ClusterDirectory, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Fleet.class);
    private static final Duration END = Duration.ofSeconds(5);

    private final HostedClusters hosted;
    private final RootApi api;
    private final ClusterSync sync;
    private final StatusInbox inbox;
    private final Consumer<ClusterName> forgotten;
    private final FleetLog log = new FleetLog();

    /** Written only by the controller. */
    private final Map<ClusterName, Member> members = new ConcurrentHashMap<>();

    private final ClusterTurns turns;
    private final ClusterReports reports;
    private final RootWatch clusterWatch;
    private final RootWatch secretWatch;
    private final Attaching attaching;
    private final TokenRenewals renewals;
    private final Hosting hosting;
    private final Identification identification;
    private final Supervised controller;

    /** Held while a cluster is registered or its data deleted, so that the two never overlap. */
    private final Object turn = new Object();

    private final Directory directory = new Directory();

    /** Covers at least each cluster of the directory, so that none is served with unknown labels. */
    private final ClusterFacts facts = new ClusterFacts();

    /**
     * A fleet; nothing runs before {@link #start}.
     *
     * @param sync indexes each cluster's types
     * @param inbox receives its reports
     * @param identities which registrations lead to one cluster
     * @param forgotten called for every removed cluster
     */
    public Fleet(
            HostedClusters hosted,
            ClusterSync sync,
            FleetIndex index,
            StatusInbox inbox,
            InstantSource clock,
            ClusterIdentities identities,
            Consumer<ClusterName> forgotten) {
        this(hosted, sync, index, inbox, clock, identities, forgotten, System::nanoTime);
    }

    Fleet(
            HostedClusters hosted,
            ClusterSync sync,
            FleetIndex index,
            StatusInbox inbox,
            InstantSource clock,
            ClusterIdentities identities,
            Consumer<ClusterName> forgotten,
            LongSupplier nanoTime) {
        this.hosted = hosted;
        this.api = new RootApi(hosted.open(ClusterName.ROOT));
        this.sync = sync;
        this.inbox = inbox;
        this.forgotten = forgotten;
        this.turns = new ClusterTurns(nanoTime);
        this.clusterWatch = new RootWatch(api, ClusterKind.CLUSTERS, "", this::enqueue);
        this.secretWatch = new RootWatch(api, RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, this::enqueueUsersOf);
        this.attaching = new Attaching(api, sync, clock);
        this.renewals = new TokenRenewals(api, clock, turns::add);
        this.reports = new ClusterReports(api, inbox, index, renewals, log, facts, clock);
        this.hosting = new Hosting(hosted, sync, turns::add);
        this.identification = new Identification(
                identities,
                inbox,
                turns::add,
                name -> Optional.ofNullable(members.get(name)).ifPresent(Member::checkIdentity));
        this.controller = new Supervised("fleet", Thread.ofPlatform().daemon(), this::run, new WorkLog());
    }

    /** Registers the clusters of the root cluster. Opens none: a start does not wait for its clusters. */
    public void register() {
        api.createIfAbsent(RootApi.NAMESPACES, "", OwnObjects.namespace());
        api.createIfAbsent(ClusterKind.CLUSTERS, "", OwnObjects.rootCluster());
        List<ObjectNode> registered = clusters();
        registered.forEach(cluster -> identification.observe(nameOf(cluster), cluster));
        registered.forEach(this::registerSafely);
        inbox.tell(turns::add);
    }

    /**
     * Watches the root cluster from now on, and opens hosted clusters in the background; those with waiting requests
     * first.
     *
     * @param endpointUrl the gateway's own URL, the prefix of each cluster's URL in its status
     */
    public void start(String endpointUrl) {
        reports.below(endpointUrl);
        hosting.start();
        controller.start();
        clusterWatch.start();
        secretWatch.start();
    }

    /** The supervised threads, for readiness. */
    public List<Supervised> work() {
        return List.of(controller, clusterWatch.work(), secretWatch.work());
    }

    @Override
    public ClusterEntry lookup(ClusterName name) {
        return directory.lookup(name);
    }

    @Override
    public void whenWithheld(Consumer<ClusterName> listener) {
        directory.whenWithheld(listener);
    }

    /** The {@code Cluster} objects of all registered clusters, by name. Blocks. */
    public List<ObjectNode> clusters() {
        return api.list(ClusterKind.CLUSTERS, "").path("items").values().stream()
                .map(ObjectNode.class::cast)
                .toList();
    }

    /** The {@code Cluster} object of a name, if it is registered. Blocks. */
    public Optional<ObjectNode> cluster(ClusterName name) {
        return api.get(ClusterKind.CLUSTERS, "", name.value());
    }

    /** Of each registered cluster, at its last turn. */
    public Map<ClusterName, Health> health() {
        return reports.health();
    }

    /** When each registered cluster was Ready. */
    public AvailabilityLog availability() {
        return reports.availability();
    }

    /** The counts of renewals of attached clusters' tokens. */
    public TokenRenewals renewals() {
        return renewals;
    }

    /** What the objects of the clusters say to others. */
    public ClusterFacts facts() {
        return facts;
    }

    /** Sets whether what each cluster requires is available; it counts as long as the cluster requires the same. */
    public void servicesAvailable(Map<ClusterName, Requirement.Look> looks) {
        reports.servicesAvailable(looks).forEach(turns::add);
    }

    @Override
    public Vouching vouching(ClusterName name) {
        return facts.vouching(name).whileOpening(directory.isAnyOpening());
    }

    @Override
    public boolean isWaiting(ClusterName name) {
        return reports.isWaiting(name);
    }

    /** Sets the findings about clusters whose types pins require to be equal; each becomes a condition. */
    public void typesConsistent(Map<ClusterName, Finding> findings) {
        reports.typesConsistent(findings).forEach(turns::add);
    }

    /** The hosted clusters with data but without a registration. Blocks. */
    public Set<ClusterName> retained() {
        Set<ClusterName> retained = new HashSet<>(hosted.stored());
        retained.removeAll(directory.names());
        return retained;
    }

    /** The difference between a cluster's view and the cluster, which is asked; empty if it does not say. Blocks. */
    public Optional<IndexComparison> compareIndex(ClusterName name) {
        return sync.verify(name);
    }

    /** As {@link ClusterSync#resources}. Blocks. */
    public Optional<Set<String>> resources(ClusterName name, GroupVersion groupVersion) {
        return sync.resources(name, groupVersion);
    }

    /** The histories of all clusters. Never blocks. */
    public Histories histories() {
        return sync.histories();
    }

    /** As {@link ClusterSync#silentNanos}. Never blocks. */
    public long silentNanos(ClusterName name) {
        return sync.silentNanos(name);
    }

    /**
     * Deletes the data of a hosted cluster unless it is registered; a registration made meanwhile finds it empty.
     * Blocks.
     *
     * @return whether it was not registered
     */
    public boolean purge(ClusterName name) {
        synchronized (turn) {
            if (members.containsKey(name) || cluster(name).isPresent()) {
                return false;
            }
            hosted.delete(name);
            return true;
        }
    }

    @Override
    public void close() {
        controller.close();
        clusterWatch.close();
        secretWatch.close();
        controller.close(END);
        hosting.close();
        members.values().forEach(Member::close);
        members.clear();
    }

    private void enqueue(String name) {
        if (ClusterName.isValid(name)) {
            turns.add(new ClusterName(name), !members.containsKey(new ClusterName(name)));
        }
    }

    /** Credentials change rarely and are read where they are used: requeue every attached cluster. */
    private void enqueueUsersOf(String secret) {
        directory.attached().forEach(turns::add);
    }

    private void run() throws InterruptedException {
        turns.take(name -> safely(name, () -> reconcile(name)), members::keySet, controller::isClosed);
    }

    /** Registers a cluster at the start; its first turn does the rest. */
    private void registerSafely(ObjectNode cluster) {
        ClusterName name = nameOf(cluster);
        safely(name, () -> {
            if (!cluster.path("metadata").has("deletionTimestamp")) {
                join(name, cluster);
            }
        });
        turns.add(name);
    }

    private void safely(ClusterName name, Runnable step) {
        turns.attempt(
                name,
                () -> {
                    synchronized (turn) {
                        step.run();
                    }
                },
                controller::isClosed);
    }

    /** One turn: serves what the object specifies, then writes the observed state to it. */
    private void reconcile(ClusterName name) {
        Optional<ObjectNode> cluster = api.get(ClusterKind.CLUSTERS, "", name.value());
        if (cluster.isEmpty()) {
            leave(name);
        } else if (cluster.get().path("metadata").has("deletionTimestamp")) {
            finishDeletion(name, cluster.get());
        } else {
            if (facts.isOfAnother(name, cluster.get())) {
                leave(name); // Deleted and registered anew since its last turn: nothing of before counts.
            }
            Member member = join(name, cluster.get());
            Optional<IdentityVerdict> settled = identification.settle(name, member);
            if (reports.isObserved(name, member)) {
                // Until then the last observed status stays.
                reports.report(cluster.get(), member, settled);
            }
        }
    }

    private Member join(ClusterName name, ObjectNode cluster) {
        facts.put(name, cluster);
        Optional<IdentityVerdict> verdict = identification.observe(name, cluster);
        Member before = members.get(name);
        if (before == null) {
            reports.registered(name, cluster.path("status"));
        }
        Member after = next(name, cluster, verdict, before);
        if (!after.equals(before)) {
            members.put(name, after);
            directory.publish(name, after);
            if (before == null) {
                log.registered(name, after);
            } else if (before instanceof Member.Opening opening && opening.became(after)) {
                LOG.atDebug().addKeyValue("cluster", name).log("A hosted cluster is open");
            } else {
                log.changed(name, after);
                directory.endRequests(name, after);
                before.makeWayFor(after);
            }
        }
        return after;
    }

    private Member next(
            ClusterName name, ObjectNode cluster, Optional<IdentityVerdict> verdict, @Nullable Member before) {
        ClusterSpec spec = ClusterSpec.of(cluster);
        if (spec.paused()) {
            return new Member.Unready(name, "Paused", "spec.paused is true");
        }
        return switch (spec) {
            case ClusterSpec.Hosted registered -> hosting.host(name, registered.builtIns(), before);
            case ClusterSpec.Attached attached ->
                attaching.attach(name, attached, cluster.path("status"), verdict.orElseThrow(), before);
        };
    }

    private void leave(ClusterName name) {
        Member member = members.remove(name);
        if (member != null) {
            directory.withdraw(name);
            end(name, member);
        }
        reports.left(name);
        facts.remove(name);
    }

    private void end(ClusterName name, Member member) {
        member.close();
        if (!name.equals(ClusterName.ROOT)) {
            hosted.close(name);
        }
        identification.forget(name);
        reports.forget(name);
        forgotten.accept(name);
    }

    private void finishDeletion(ClusterName name, ObjectNode cluster) {
        leave(name);
        if (Finalizers.has(cluster, ClusterRules.DELETE_DATA)) {
            hosted.delete(name);
            Finalizers.set(cluster, ClusterRules.DELETE_DATA, false);
            api.update(ClusterKind.CLUSTERS, "", cluster, "");
        }
    }

    private static ClusterName nameOf(ObjectNode cluster) {
        return new ClusterName(cluster.at("/metadata/name").asString(""));
    }
}
