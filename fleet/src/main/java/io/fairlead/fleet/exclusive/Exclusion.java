package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.RegisteredClusters;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.fleet.exclusive.RuleSpec.Scope;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A rule in force: what the objects of its clusters claim, and who compares and informs them.
 *
 * <p>Threads: the controller's begins and ends clusters and settles conflicts; look-ups are for any.
 */
final class Exclusion implements AutoCloseable {
    private static final int PROBLEMS_TOLD_MAX = 3;
    private static final long LOOKUPS_BYTES_MAX = 64L * 1024 * 1024;

    private final RuleSpec spec;
    private final KeyRule rule;
    private final KeyHoldings holdings;
    private final AtomicLong keptBytes = new AtomicLong();
    private final Tools tools;

    /** Whether all objects were compared when it was settled last; written by the controller alone. */
    private volatile boolean isComplete;

    /** Changed by the controller alone. */
    private final Map<ClusterName, ClusterRule> clusters = new ConcurrentSkipListMap<>();

    /** Of clusters that are yet to be compared, the writes that the rule was not asked about. Confined to the controller. */
    private final Map<ClusterName, Set<WriteUnderWay>> unasked = new HashMap<>();

    /** Whether all hosted clusters are compared. */
    private volatile boolean isFleetKnown;

    /**
     * What all rules share.
     *
     * @param clusters the registered ones
     * @param claimsBytesMax about what the claims of one rule may take
     * @param changed reports that there is something to settle; must not wait
     */
    record Tools(
            Informers informers,
            RegisteredClusters clusters,
            Function<ClusterName, ClusterEntry> lookup,
            AuthorRights rights,
            KeyAdmission admission,
            long claimsBytesMax,
            Runnable changed,
            InstantSource clock,
            Random chance) {}

    /** @param since when conflicts began that a process before this one has seen */
    Exclusion(RuleSpec spec, KeyRule rule, Map<KeyHash, Instant> since, Tools tools) {
        this.spec = spec;
        this.rule = rule;
        this.tools = tools;
        this.holdings = new KeyHoldings(spec.name(), spec.onConflict(), since, tools.claimsBytesMax(), tools.chance());
    }

    RuleSpec spec() {
        return spec;
    }

    KeyRule rule() {
        return rule;
    }

    KeyHoldings holdings() {
        return holdings;
    }

    /** Whether the rule is about the objects of a cluster, from the moment of its registration. */
    boolean selects(ClusterName cluster) {
        return spec.clusters().has(cluster) && tools.clusters().get().containsKey(cluster);
    }

    /** Whether a write to a hosted cluster can be judged. */
    Knowledge knowledge(ClusterName written) {
        ClusterRule own = clusters.get(written);
        Knowledge there = own == null ? Knowledge.UNKNOWN : own.knowledge();
        boolean isKnown = spec.scope() != Scope.FLEET || isFleetKnown;
        return there == Knowledge.KNOWN && !isKnown ? Knowledge.UNKNOWN : there;
    }

    /** Another object that claims a key, as far as that is known: of a hosted cluster one that still does. */
    Optional<ObjectKey> claimant(KeyHash key, ObjectKey than, StoredKeys stored) throws InterruptedException {
        for (ObjectKey claimant : holdings.claimants(key)) {
            boolean isAttached = tools.lookup().apply(claimant.cluster()) instanceof ClusterEntry.Attached;
            if (!claimant.equals(than)
                    && (isAttached || !(stored.holding(this, key, claimant) instanceof StoredKeys.Holding.Left))) {
                return Optional.of(claimant);
            }
        }
        return Optional.empty();
    }

    /** Whether its author may not read the objects of any cluster. */
    boolean isForbidden() {
        return !clusters.isEmpty()
                && clusters.values().stream().allMatch(each -> each.knowledge() == Knowledge.NOT_APPLIED);
    }

    int clusters() {
        return clusters.size();
    }

    /** Compares the objects of these clusters, and forgets those of others. */
    void observe(Set<ClusterName> selected) {
        for (ClusterName cluster : Set.copyOf(clusters.keySet())) {
            if (!selected.contains(cluster)) {
                end(Objects.requireNonNull(clusters.remove(cluster)), cluster, selected);
                holdings.forget(cluster);
            }
        }
        unasked.keySet().retainAll(selected);
        for (ClusterName cluster : selected) {
            if (!clusters.containsKey(cluster) && isAskedAboutAllWrites(cluster)) {
                ObjectReports reports =
                        new ObjectReports(cluster, spec, holdings, () -> isComplete, tools.informers(), tools.clock());
                ClusterRule begun =
                        new ClusterRule(cluster, this, tools.informers(), tools.rights(), tools.changed(), reports);
                clusters.put(cluster, begun);
                begun.start();
            }
        }
        isFleetKnown = clusters.keySet().containsAll(selected)
                && clusters.entrySet().stream().allMatch(each -> isKnown(each.getKey(), each.getValue()));
    }

    /** What is said to objects of an alias stays where another registration of the cluster goes on saying it. */
    private void end(ClusterRule left, ClusterName cluster, Set<ClusterName> selected) {
        ClusterName primary = tools.clusters().aliasOf(cluster);
        if (primary != null && selected.contains(primary)) {
            left.close();
        } else {
            var _ = left.retract(true);
        }
    }

    /** Attached clusters only report: one that is silent holds up no write. */
    private boolean isKnown(ClusterName cluster, ClusterRule each) {
        return switch (tools.lookup().apply(cluster)) {
            case ClusterEntry.Hosted _, ClusterEntry.Opening _ ->
                each.knowledge() != Knowledge.UNKNOWN || each.isWithoutObjects();
            case ClusterEntry.Attached _, ClusterEntry.Unready _, ClusterEntry.NotRegistered _ -> true;
        };
    }

    /**
     * A write that began before the rule was there is not asked about: its object is found by the list if it is stored before
     * that begins. So the list waits for the end of such writes.
     */
    private boolean isAskedAboutAllWrites(ClusterName cluster) {
        if (!spec.denies()) {
            return true;
        }
        Set<WriteUnderWay> writes =
                unasked.computeIfAbsent(cluster, _ -> tools.admission().unasked(this, cluster));
        if (tools.admission().haveEnded(writes, this, cluster)) {
            unasked.remove(cluster);
            return true;
        }
        tools.changed().run();
        return false;
    }

    /** Evaluates what has changed, and has the objects informed; the keys that others may claim than before. */
    Set<KeyHash> settle(ConflictTransitions transitions) {
        boolean wasComplete = isComplete;
        isComplete = observing().status() == Finding.Status.TRUE;
        KeyHoldings.Settled settled = holdings.settle(tools.clock().instant(), transitions);
        for (ObjectKey object : settled.objects()) {
            ClusterRule cluster = clusters.get(object.cluster());
            if (cluster != null) {
                cluster.reports().mayDiffer(object);
            }
        }
        if (isComplete && !wasComplete) {
            clusters.values().forEach(cluster -> cluster.reports().lookAgain());
        }
        return settled.keys();
    }

    /** Whether objects are denied, and where they are not. */
    Finding enforced() {
        int attached = 0;
        for (Map.Entry<ClusterName, ClusterRule> each : clusters.entrySet()) {
            switch (tools.lookup().apply(each.getKey())) {
                case ClusterEntry.Attached _ -> attached++;
                case ClusterEntry.Hosted _, ClusterEntry.Opening _, ClusterEntry.Unready _ -> {
                    Finding state = each.getValue().state();
                    if (each.getValue().knowledge() == Knowledge.NOT_APPLIED) {
                        return Finding.no(
                                state.reason(),
                                "it is not in force in cluster \"" + each.getKey() + "\": " + state.message());
                    }
                    if (!isKnown(each.getKey(), each.getValue())) {
                        return holdings.isFull()
                                ? Finding.no("TooManyObjects", "writes are refused: " + tooMany())
                                : Finding.unknown(
                                        "NotKnownYet",
                                        "writes wait, since what is claimed in cluster \"" + each.getKey()
                                                + "\" is not known: " + state.message());
                    }
                }
                case ClusterEntry.NotRegistered _ -> {}
            }
        }
        return attached == 0
                ? Finding.yes("Enforced", "an object whose key another one has is denied")
                : Finding.yes(
                        "ReportedInAttachedClusters",
                        "hosted clusters deny an object whose key another one has; " + attached
                                + " attached clusters only report it");
    }

    /** Whether all objects are compared. */
    Finding observing() {
        List<String> problems = new ArrayList<>();
        Finding.Status worst = Finding.Status.TRUE;
        String reason = "Observing";
        int withoutObjects = 0;
        for (Map.Entry<ClusterName, ClusterRule> each : new TreeMap<>(clusters).entrySet()) {
            Finding state = each.getValue().state();
            if (each.getValue().isWithoutObjects()) {
                withoutObjects++;
            } else if (state.status() != Finding.Status.TRUE) {
                if (problems.isEmpty()) {
                    worst = state.status();
                    reason = state.reason();
                }
                problems.add("cluster \"" + each.getKey() + "\": " + state.reason() + ": " + state.message());
            }
        }
        for (ClusterName missing : missing()) {
            if (problems.isEmpty()) {
                worst = Finding.Status.FALSE;
                reason = "NotRegistered";
            }
            problems.add("cluster \"" + missing + "\": NotRegistered: there is no cluster of this name");
        }
        if (holdings.isFull()) {
            return Finding.no("TooManyObjects", tooMany());
        }
        if (problems.isEmpty() && withoutObjects > 0 && withoutObjects == clusters.size()) {
            return Finding.no(
                    "NotServed",
                    "no cluster that it selects serves " + ConflictText.resource(spec.resource())
                            + " (expected group, version and plural name as 'kubectl api-resources' shows them)");
        }
        if (problems.isEmpty()) {
            return clusters.isEmpty()
                    ? Finding.yes("NoCluster", "no registered cluster is one that it selects")
                    : Finding.yes("Observing", "the objects of every cluster that it selects are compared");
        }
        int more = problems.size() - PROBLEMS_TOLD_MAX;
        String told = String.join("; ", problems.subList(0, Math.min(problems.size(), PROBLEMS_TOLD_MAX)));
        return new Finding(worst, reason, more > 0 ? told + "; and " + more + " more" : told);
    }

    private String tooMany() {
        return "there are more objects than " + tools.claimsBytesMax()
                + " bytes have room for, and some are not compared (expected fewer of them, and the rule written"
                + " again)";
    }

    /** What it names that is not registered. */
    private Set<ClusterName> missing() {
        Set<ClusterName> missing = new TreeSet<>(spec.clusters().names());
        missing.removeAll(tools.clusters().get().keySet());
        return missing;
    }

    ClusterComparison comparison(ClusterName cluster, ObjectReports reports) {
        return new ClusterComparison(
                cluster,
                spec,
                rule,
                holdings,
                new KeptObjects(spec.lookups().size(), keptBytes, LOOKUPS_BYTES_MAX),
                reports.observer(tools.changed()));
    }

    /** Whether Fairlead itself serves a cluster. */
    boolean isHosted(ClusterName cluster) {
        return tools.lookup().apply(cluster) instanceof ClusterEntry.Hosted;
    }

    /**
     * Ends it, and takes back what was said to objects; completed when that is done.
     *
     * @param isOver whether no other rule takes its place
     */
    CompletableFuture<Void> retract(boolean isOver) {
        CompletableFuture<?>[] all = clusters.values().stream()
                .map(cluster -> cluster.retract(isOver))
                .toArray(CompletableFuture<?>[]::new);
        clusters.clear();
        return CompletableFuture.allOf(all);
    }

    @Override
    public void close() {
        clusters.values().forEach(ClusterRule::close);
        clusters.clear();
    }
}
