package io.fairlead.index;

import io.fairlead.model.ClusterName;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * What every cluster of the fleet serves.
 *
 * <p>Feeds write through one {@link ClusterLedger} for each cluster. A lookup takes no lock, allocates nothing and is
 * linearizable: it answers what was true at one moment between its call and its return. Safe for any thread.
 */
public final class FleetIndex {
    private static final int STRIPES = 64;

    private final IndexMetrics metrics;
    private final InstantSource clock;
    private final Admission admission;
    private final Waiters waiters;
    private final KeyTable vocabulary = new KeyTable();
    private final ReentrantLock[] stripes =
            Stream.generate(ReentrantLock::new).limit(STRIPES).toArray(ReentrantLock[]::new);
    private final ViewTable views = new ViewTable();

    private final LongAdder claims = new LongAdder();
    private final AtomicLong changes = new AtomicLong();
    private final Interner<HolderTable> tables = new Interner<>();
    private final Interner<Holder> builtIns = new Interner<>();
    private final Interner<List<Contribution>> contributions = new Interner<>();
    private final Interner<String> names = new Interner<>();
    private final TypeStore types;

    public FleetIndex(IndexLimits limits, IndexMetrics metrics, InstantSource clock) {
        this.metrics = metrics;
        this.clock = clock;
        this.admission = new Admission(limits);
        this.waiters = new Waiters(limits.waitersPerClusterMax());
        this.types = new TypeStore(clock);
    }

    /** With the system's clock, no limits and no metrics. */
    public static FleetIndex create() {
        return new FleetIndex(IndexLimits.NONE, IndexMetrics.NONE, InstantSource.system());
    }

    /**
     * Starts to index a cluster; unsynced until every expected type has been listed.
     *
     * @param expected the types of holder that the cluster's feeds deliver, together
     * @throws IllegalStateException if the cluster is open already
     */
    public ClusterLedger open(ClusterName cluster, Set<HolderType> expected) {
        return open(cluster, expected, 1);
    }

    /**
     * As {@link #open(ClusterName, Set)}.
     *
     * @param epoch the count of the cluster's histories so far
     */
    public ClusterLedger open(ClusterName cluster, Set<HolderType> expected, long epoch) {
        ReentrantLock stripe = stripes[Math.floorMod(cluster.hashCode(), STRIPES)];
        stripe.lock();
        try {
            if (views.find(cluster) != null) {
                throw new IllegalStateException("cluster " + cluster + " is indexed already");
            }
            ClusterView empty = emptyView(cluster, epoch);
            views.put(empty);
            changes.incrementAndGet();
            return new ClusterLedger(this, cluster, stripe, expected, empty);
        } finally {
            stripe.unlock();
        }
    }

    /** Whether a cluster serves a group/version. */
    public Answer lookup(ClusterName cluster, String group, String version) {
        return lookup(cluster, group, version, Key.GROUP_VERSION);
    }

    /**
     * Whether a cluster serves a resource in a version. A group/version with a router serves every name; one that the
     * API server serves with an unknown list of resources leaves every name unknown.
     *
     * @param group empty for the core group
     * @param resource the plural name; empty to ask for the group/version
     */
    public Answer lookup(ClusterName cluster, String group, String version, String resource) {
        Answer answer = peek(cluster, group, version, resource);
        metrics.looked(answer);
        return answer;
    }

    /** The same answer, not counted as a look-up: for internal checks, not for a request. */
    public Answer peek(ClusterName cluster, String group, String version, String resource) {
        while (true) {
            int retirements = vocabulary.retirements();
            ClusterView view = views.find(cluster);
            if (view == null) {
                return Answer.UNKNOWN;
            }
            Answer answer = view.answer(vocabulary, group, version, resource);
            if (vocabulary.retirements() == retirements) { // otherwise a number may belong to another key by now
                return answer;
            }
        }
    }

    /**
     * The same with the holder that requests go to, from one view. Counts as a look-up; allocates little, in constant
     * time.
     *
     * @param resource the plural name
     */
    public Location locate(ClusterName cluster, String group, String version, String resource) {
        while (true) {
            int retirements = vocabulary.retirements();
            ClusterView view = views.find(cluster);
            Location location = view == null
                    ? new Location(null, Answer.UNKNOWN, null, Lookup.Reason.NO_SUCH_CLUSTER, group, version, resource)
                    : locate(view, group, version, resource);
            if (vocabulary.retirements() == retirements) {
                metrics.looked(location.answer());
                return location;
            }
        }
    }

    private Location locate(ClusterView view, String group, String version, String resource) {
        Answer answer = view.answer(vocabulary, group, version, resource);
        Holder holder = answer == Answer.SERVED ? view.holderOf(vocabulary, group, version, resource) : null;
        Lookup.Reason reason = answer == Answer.UNKNOWN ? view.unknown(vocabulary, group, version, resource) : null;
        return new Location(view, answer, holder, reason, group, version, resource);
    }

    /** The same answer with its holders and evidence, for tools. */
    public Lookup explain(ClusterName cluster, String group, String version, String resource) {
        ClusterView view = views.find(cluster);
        if (view == null) {
            return new Lookup.Unknown(Lookup.Reason.NO_SUCH_CLUSTER, Evidence.NONE);
        }
        return explain(view, group, version, resource);
    }

    /** The view of a cluster; empty if no ledger is open for it. */
    public Optional<ClusterView> view(ClusterName cluster) {
        return Optional.ofNullable(views.find(cluster));
    }

    /**
     * Completes when the cluster's view is complete, at once if it is; look up again afterwards. Completes on the
     * writer's thread: continue elsewhere. A caller that stops waiting must cancel it.
     *
     * @return fails with {@link java.util.concurrent.RejectedExecutionException} if too many wait for the cluster
     */
    public CompletionStage<Void> synced(ClusterName cluster) {
        CompletableFuture<Void> waiter = waiters.add(cluster);
        if (isSynced(cluster)) {
            waiter.complete(null);
        }
        return waiter;
    }

    /** Counts the changes of all views: results derived from them are valid while this stays the same. */
    public long changeCount() {
        return changes.get();
    }

    /** How many distinct keys the fleet serves ({@code fairlead_index_keys}). */
    public int keyCount() {
        return vocabulary.size();
    }

    /** How many keys the clusters of the fleet serve, each counted for itself ({@code fairlead_index_claims}). */
    public long claimCount() {
        return claims.sum();
    }

    /** Throws unless every ledger and the shared tables agree. Blocks every writer meanwhile; for tests. */
    public void assertConsistent() {
        for (ReentrantLock stripe : stripes) {
            stripe.lock();
        }
        try {
            assertConsistent(views.views());
        } finally {
            for (ReentrantLock stripe : stripes) {
                stripe.unlock();
            }
        }
    }

    private void assertConsistent(List<ClusterView> all) {
        types.assertConsistent(all.stream().map(view -> view.table).toList());
        all.forEach(view -> view.assertConsistent(vocabulary));
        List<KeySet> held = all.stream().map(view -> view.claimed.keys()).toList();
        vocabulary.assertConsistent(held);
        long counted = held.stream().mapToLong(KeySet::size).sum();
        if (counted != claims.sum()) {
            throw new AssertionError("index: " + claims.sum() + " claims are counted, " + counted + " are held");
        }
    }

    private Lookup explain(ClusterView view, String group, String version, String resource) {
        Evidence evidence = view.evidence();
        if (view.sync == Sync.UNSYNCED) {
            return new Lookup.Unknown(Lookup.Reason.NOT_SYNCED, evidence);
        }
        List<Holder> holders = view.serving(group, version, resource);
        if (!holders.isEmpty()) {
            return new Lookup.Served(holders, evidence);
        }
        if (!resource.isEmpty() && !view.holdersOf(group, version, Key.UNLISTED).isEmpty()) {
            return new Lookup.Unknown(Lookup.Reason.RESOURCES_UNLISTED, evidence);
        }
        return view.sync == Sync.LOST ? new Lookup.Unknown(Lookup.Reason.LOST, evidence) : new Lookup.Absent(evidence);
    }

    private boolean isSynced(ClusterName cluster) {
        ClusterView view = views.find(cluster);
        return view != null && view.sync == Sync.SYNCED;
    }

    /** An empty view; retains its keys, as every view does. */
    ClusterView emptyView(ClusterName cluster, long epoch) {
        return new ClusterView(
                cluster, Sync.UNSYNCED, epoch, "", clock.millis(), HolderTable.EMPTY, vocabulary.holdNone());
    }

    /** Replaces a view; its keys are released once readers cannot see it; those of the new one are retained already. */
    void replace(ClusterView before, ClusterView after) {
        views.put(after);
        changes.incrementAndGet();
        claims.add(after.claimed.keys().size() - (long) before.claimed.keys().size());
        vocabulary.release(before.claimed, after.claimed);
    }

    /** Shows the same claims with newer evidence, which no derived result depends on. */
    ClusterView advance(ClusterView after) {
        views.put(after);
        return after;
    }

    /** Removes a cluster's last view. */
    void forget(ClusterView last) {
        views.remove(last.cluster);
        changes.incrementAndGet();
        claims.add(-last.claimed.keys().size());
        vocabulary.releaseAll(last.claimed);
    }

    /** Shares one object among all clusters with equal holders, such as hosted clusters without CRDs. */
    HolderTable shared(HolderTable table) {
        return tables.intern(table.map(this::shared));
    }

    /**
     * An equal holder whose parts are shared with other clusters; the holder itself if they are already. Saves memory
     * in sources that keep reported holders.
     */
    public Holder shared(Holder holder) {
        Holder shared = new Holder(
                holder.type(),
                names.intern(holder.name()),
                holder.uid(),
                holder.resourceVersion(),
                contributions.intern(holder.contributions()),
                holder.defines(),
                holder.implementation().isEmpty() ? "" : names.intern(holder.implementation()));
        if (holder.type() == HolderType.BUILT_IN) {
            return builtIns.intern(shared);
        }
        return shared.hasPartsOf(holder) ? holder : shared;
    }

    /** The types that the fleet's clusters define. */
    public TypeStore types() {
        return types;
    }

    /** The view of every cluster, each at its own moment. */
    public List<ClusterView> views() {
        return views.views();
    }

    Admission admission() {
        return admission;
    }

    IndexMetrics metrics() {
        return metrics;
    }

    KeyTable vocabulary() {
        return vocabulary;
    }

    Waiters waiters() {
        return waiters;
    }

    long nowEpochMillis() {
        return clock.millis();
    }
}
