package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A rule in force: what the objects of its clusters claim, and who compares and informs them.
 *
 * <p>Threads: the controller's begins and ends clusters and settles conflicts; look-ups are for any.
 */
final class Exclusion implements AutoCloseable {
    private static final int PROBLEMS_TOLD_MAX = 3;
    private static final long CLAIMS_BYTES_MAX = 64L * 1024 * 1024;
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

    /**
     * What all rules share.
     *
     * @param isHosted whether Fairlead itself serves a cluster
     * @param changed reports that there is something to settle; must not wait
     */
    record Tools(
            Informers informers,
            AuthorRights rights,
            Predicate<ClusterName> isHosted,
            Runnable changed,
            InstantSource clock,
            Random chance) {}

    /** @param since when conflicts began that a process before this one has seen */
    Exclusion(RuleSpec spec, KeyRule rule, Map<KeyHash, Instant> since, Tools tools) {
        this.spec = spec;
        this.rule = rule;
        this.tools = tools;
        this.holdings = new KeyHoldings(spec.name(), spec.onConflict(), since, CLAIMS_BYTES_MAX, tools.chance());
    }

    RuleSpec spec() {
        return spec;
    }

    KeyHoldings holdings() {
        return holdings;
    }

    int clusters() {
        return clusters.size();
    }

    /** Compares the objects of these clusters, and forgets those of others. */
    void observe(Set<ClusterName> selected) {
        for (ClusterName cluster : Set.copyOf(clusters.keySet())) {
            if (!selected.contains(cluster)) {
                var _ = Objects.requireNonNull(clusters.remove(cluster)).retract();
                holdings.forget(cluster);
            }
        }
        for (ClusterName cluster : selected) {
            if (!clusters.containsKey(cluster)) {
                ObjectReports reports =
                        new ObjectReports(cluster, spec, holdings, () -> isComplete, tools.informers(), tools.clock());
                ClusterRule begun =
                        new ClusterRule(cluster, this, tools.informers(), tools.rights(), tools.changed(), reports);
                clusters.put(cluster, begun);
                begun.start();
            }
        }
    }

    /** Evaluates what has changed, and has the objects informed. */
    void settle(ConflictTransitions transitions) {
        boolean wasComplete = isComplete;
        isComplete = observing().status() == Finding.Status.TRUE;
        for (ObjectKey object : holdings.settle(tools.clock().instant(), transitions)) {
            ClusterRule cluster = clusters.get(object.cluster());
            if (cluster != null) {
                cluster.reports().mayDiffer(object);
            }
        }
        if (isComplete && !wasComplete) {
            clusters.values().forEach(cluster -> cluster.reports().lookAgain());
        }
    }

    /** Whether all objects are compared. */
    Finding observing() {
        List<String> problems = new ArrayList<>();
        Finding.Status worst = Finding.Status.TRUE;
        String reason = "Observing";
        for (Map.Entry<ClusterName, ClusterRule> each : new TreeMap<>(clusters).entrySet()) {
            Finding state = each.getValue().state();
            if (state.status() != Finding.Status.TRUE) {
                if (problems.isEmpty()) {
                    worst = state.status();
                    reason = state.reason();
                }
                problems.add("cluster \"" + each.getKey() + "\": " + state.reason() + ": " + state.message());
            }
        }
        if (holdings.summary(0, 0).isFull()) {
            return Finding.no(
                    "TooManyObjects",
                    "there are more objects than " + CLAIMS_BYTES_MAX + " bytes have room for; some are not compared");
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
        return tools.isHosted().test(cluster);
    }

    /** Ends it, and takes back what was said to objects; completed when that is done. */
    CompletableFuture<Void> retract() {
        CompletableFuture<?>[] all =
                clusters.values().stream().map(ClusterRule::retract).toArray(CompletableFuture<?>[]::new);
        clusters.clear();
        return CompletableFuture.allOf(all);
    }

    @Override
    public void close() {
        clusters.values().forEach(ClusterRule::close);
        clusters.clear();
    }
}
