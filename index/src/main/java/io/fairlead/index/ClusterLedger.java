package io.fairlead.index;

import io.fairlead.model.ClusterName;
import io.fairlead.model.ResourceVersion;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All claims of one cluster, and the only way to change them.
 *
 * <p>A key is counted by the set of its holders, identified by type, name and uid: a repeated event changes nothing, a
 * delete with another uid changes nothing, and evidence never decreases within an epoch. Feeds deliver holders of one
 * or more types each: first a complete list ({@link #relist}), then single changes.
 *
 * <p>Threads: any; writers of one cluster wait for each other on the cluster's stripe. Readers take no lock and see one
 * whole {@link ClusterView} or another, never a mixture.
 */
public final class ClusterLedger implements AutoCloseable {
    private final FleetIndex fleet;
    private final ClusterName cluster;
    private final ReentrantLock stripe;
    private final Set<HolderType> expected;
    private final EnumSet<HolderType> complete = EnumSet.noneOf(HolderType.class);
    private final EnumSet<HolderType> lost = EnumSet.noneOf(HolderType.class);
    /** The newest resource version received for each type in this epoch. */
    private final Map<HolderType, String> heardOf = new EnumMap<>(HolderType.class);

    /** The resource version of the last complete list of each type in this epoch. */
    private final Map<HolderType, String> listedAt = new EnumMap<>(HolderType.class);

    private @Nullable Tombstones tombstones;
    private boolean closed;
    /** The view that the fleet's readers see; written under the stripe. */
    private volatile ClusterView view;

    ClusterLedger(
            FleetIndex fleet, ClusterName cluster, ReentrantLock stripe, Set<HolderType> expected, ClusterView view) {
        this.fleet = fleet;
        this.cluster = cluster;
        this.stripe = stripe;
        this.expected = Set.copyOf(expected);
        this.view = view;
    }

    /** The cluster whose claims these are. */
    public ClusterName cluster() {
        return cluster;
    }

    /** The present view. */
    public ClusterView view() {
        return view;
    }

    /**
     * Replaces all holders of some types by the result of a complete list, in one swap. These types are complete and
     * current from now on; the cluster is synced once every expected type is.
     *
     * @param types the types that the list is complete for
     * @param holders every holder of these types
     * @param resourceVersion the version of the list; empty if it has none
     * @return {@link Outcome.Effect#STALE} if newer evidence of these types is present: list again, or call
     *     {@link #nextEpoch}
     */
    public Outcome relist(Set<HolderType> types, Collection<Holder> holders, String resourceVersion) {
        return write(() -> {
            if (types.stream().anyMatch(type -> isOlderThanHeard(type, resourceVersion))) {
                return Outcome.STALE;
            }
            Admission.Admitted admitted = fleet.admission().list(types, holders);
            if (tombstones != null) {
                tombstones.forget(types);
            }
            complete.addAll(types);
            lost.removeAll(types);
            types.forEach(type -> hear(type, resourceVersion));
            types.forEach(type -> listedAt.put(type, resourceVersion));
            HolderTable table = fleet.shared(view.table.withAll(types, admitted.holders()));
            boolean changed = publish(table, resourceVersion);
            return new Outcome(changed ? Outcome.Effect.CHANGED : Outcome.Effect.UNCHANGED, admitted.problems());
        });
    }

    /** Adds a holder or replaces its earlier claims. One beyond the limits claims nothing and is reported. */
    public Outcome upsert(Holder holder) {
        requireExpected(holder.type());
        return write(() -> {
            Holder held = view.table.find(holder.type(), holder.name());
            if (isLate(held, holder)) {
                return Outcome.STALE;
            }
            hear(holder.type(), holder.resourceVersion());
            var problem = fleet.admission().problem(holder, view.table.size() - (held == null ? 0 : 1));
            HolderTable table = problem.isEmpty()
                    ? view.table.with(fleet.shared(holder))
                    : held == null ? view.table : view.table.without(held);
            boolean changed = publish(table, holder.resourceVersion(), held, problem.isEmpty() ? holder : null);
            Outcome.Effect effect = changed ? Outcome.Effect.CHANGED : Outcome.Effect.UNCHANGED;
            return new Outcome(effect, problem.map(List::of).orElse(List.of()));
        });
    }

    /**
     * Removes a holder if this incarnation is present.
     *
     * @param resourceVersion the version at which it was deleted, or the last one seen; empty if unknown
     */
    public Outcome delete(HolderType type, String name, String uid, String resourceVersion) {
        requireExpected(type);
        return write(() -> {
            tombstones = tombstones == null ? new Tombstones() : tombstones;
            tombstones.bury(type, uid, resourceVersion);
            hear(type, resourceVersion);
            Holder held = view.table.find(type, name);
            if (held == null || !held.uid().equals(uid)) {
                return Outcome.UNCHANGED;
            }
            boolean changed = publish(view.table.without(held), resourceVersion, held, null);
            return changed ? new Outcome(Outcome.Effect.CHANGED, List.of()) : Outcome.UNCHANGED;
        });
    }

    /** Records that nothing else happened to these types up to a resource version. */
    public Outcome bookmark(Set<HolderType> types, String resourceVersion) {
        return write(() -> {
            types.forEach(type -> hear(type, resourceVersion));
            if (!resourceVersion.isEmpty()) {
                view = fleet.advance(view.asOf(newest(resourceVersion), fleet.nowEpochMillis()));
            }
            return Outcome.UNCHANGED;
        });
    }

    /**
     * Records that the feed of these types is interrupted: their claims stay, everything else about them is unknown.
     */
    public Outcome markLost(Set<HolderType> types) {
        return write(() -> resync(() -> lost.addAll(types)));
    }

    /** Records that the feed of these types continues without a gap. */
    public Outcome markCurrent(Set<HolderType> types) {
        return write(() -> resync(() -> lost.removeAll(types)));
    }

    /** Drops everything and starts a new epoch: the cluster's history was rewound or replaced. */
    public Outcome nextEpoch() {
        return write(() -> {
            complete.clear();
            lost.clear();
            heardOf.clear();
            listedAt.clear();
            tombstones = null;
            fleet.types().replace(view.table, HolderTable.EMPTY);
            swap(fleet.emptyView(cluster, view.epoch + 1));
            return new Outcome(Outcome.Effect.CHANGED, List.of());
        });
    }

    /**
     * Compares the view with a fresh list of its source.
     *
     * @param source every holder of the source, of all types, at the time of the view
     */
    public IndexComparison compare(Collection<Holder> source) {
        Set<String> held = claimsInWords(view().holders());
        Set<String> told = claimsInWords(
                fleet.admission().list(EnumSet.allOf(HolderType.class), source).holders());
        IndexComparison compared = new IndexComparison(difference(told, held), difference(held, told));
        if (!compared.isClean()) {
            fleet.metrics()
                    .auditMismatched(
                            compared.missing().size() + compared.surplus().size());
        }
        return compared;
    }

    /** Drops the view and every claim; lookups of the cluster are unknown from now on. */
    @Override
    public void close() {
        write(() -> {
            ClusterView last = view;
            closed = true;
            view = last.closed();
            fleet.types().replace(last.table, HolderTable.EMPTY);
            fleet.forget(last);
            return Outcome.CLOSED;
        });
    }

    /** Throws unless the keys are those that the holders claim. */
    public void assertConsistent() {
        stripe.lock();
        try {
            view.assertConsistent(fleet.vocabulary());
        } finally {
            stripe.unlock();
        }
    }

    private Outcome write(Supplier<Outcome> change) {
        Outcome outcome;
        boolean worthWaking;
        stripe.lock();
        try {
            outcome = closed ? Outcome.CLOSED : change.get();
            worthWaking = closed || view.sync == Sync.SYNCED;
        } finally {
            stripe.unlock();
        }
        if (worthWaking) {
            fleet.waiters().release(cluster);
        }
        return outcome;
    }

    private Outcome resync(Runnable change) {
        change.run();
        boolean changed = publish(view.table, "", null, null);
        return changed ? new Outcome(Outcome.Effect.CHANGED, List.of()) : Outcome.UNCHANGED;
    }

    /** Whether an upsert is older than the present state, or of a deleted object. */
    private boolean isLate(@Nullable Holder held, Holder holder) {
        if (held != null && ResourceVersion.isNewer(held.resourceVersion(), holder.resourceVersion())) {
            return true;
        }
        boolean known = held != null && held.isSameIncarnation(holder);
        return !known && (wasNotListed(holder) || (tombstones != null && tombstones.cover(holder)));
    }

    /** Whether the last complete list, which lacks this incarnation, is at least as new as the event. */
    private boolean wasNotListed(Holder holder) {
        String listed = listedAt.getOrDefault(holder.type(), "");
        return ResourceVersion.isNewer(listed, holder.resourceVersion())
                || (ResourceVersion.isComparable(listed) && listed.equals(holder.resourceVersion()));
    }

    private boolean isOlderThanHeard(HolderType type, String resourceVersion) {
        requireExpected(type);
        return ResourceVersion.isNewer(heardOf.getOrDefault(type, ""), resourceVersion);
    }

    private void hear(HolderType type, String resourceVersion) {
        if (!resourceVersion.isEmpty() && !isOlderThanHeard(type, resourceVersion)) {
            heardOf.put(type, resourceVersion);
        }
    }

    private void requireExpected(HolderType type) {
        if (!expected.contains(type)) {
            throw new IllegalArgumentException("holder type: " + type + " (expected one that cluster " + cluster
                    + " was opened for: " + expected + ")");
        }
    }

    /** Publishes a new set of holders, with claims computed from scratch. */
    private boolean publish(HolderTable table, String resourceVersion) {
        fleet.types().replace(view.table, table);
        return publish(table, resourceVersion, fleet.vocabulary().hold(view.claimed, table.holders()));
    }

    /** Publishes the difference that one holder makes. */
    private boolean publish(
            HolderTable table, String resourceVersion, @Nullable Holder before, @Nullable Holder after) {
        fleet.types().replace(before, after);
        return publish(table, resourceVersion, fleet.vocabulary().hold(view.claimed, before, after));
    }

    /** Publishes a view whose keys are retained already. Returns whether a lookup can see the change. */
    private boolean publish(HolderTable table, String resourceVersion, ClaimedKeys claimed) {
        ClusterView before = view;
        Sync sync = !complete.containsAll(expected) ? Sync.UNSYNCED : lost.isEmpty() ? Sync.SYNCED : Sync.LOST;
        swap(new ClusterView(
                cluster,
                sync,
                before.epoch,
                newest(resourceVersion),
                resourceVersion.isEmpty() ? before.asOfEpochMillis : fleet.nowEpochMillis(),
                table,
                claimed));
        return sync != before.sync || !claimed.keys().equals(before.claimed.keys()) || !table.equals(before.table);
    }

    /** The newest resource version of the view and another one, which may be empty. */
    private String newest(String resourceVersion) {
        String known = view.asOfResourceVersion;
        return resourceVersion.isEmpty() || ResourceVersion.isNewer(known, resourceVersion) ? known : resourceVersion;
    }

    /** The only place where readers get other claims. */
    private void swap(ClusterView next) {
        ClusterView before = view;
        view = next;
        fleet.replace(before, next);
    }

    private static Set<String> claimsInWords(Collection<Holder> holders) {
        Set<String> words = new TreeSet<>();
        for (Holder holder : holders) {
            String by = " by " + holder.type() + " " + holder.name() + " (uid " + holder.uid() + ")";
            Claim.of(holder).forEach(claim -> words.add(claim + by));
            if (holder.defines() != null) {
                words.add("definition " + holder.defines().full() + by);
            }
            if (!holder.implementation().isEmpty()) {
                words.add("implementation " + holder.implementation() + by);
            }
        }
        return words;
    }

    private static List<String> difference(Set<String> from, Set<String> without) {
        return from.stream().filter(word -> !without.contains(word)).toList();
    }
}
