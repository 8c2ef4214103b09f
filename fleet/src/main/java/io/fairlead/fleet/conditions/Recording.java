package io.fairlead.fleet.conditions;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.informers.Subscription;
import io.fairlead.index.conditions.ConditionStore;
import io.fairlead.index.conditions.ConditionVerdict;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One record in force: its time lines, their file, and the observations that fill them.
 *
 * <p>Threads: the controller's begins and ends observations, for which informers' threads add rows; {@link #store} is for any.
 */
final class Recording implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Recording.class);
    private static final int PROBLEMS_TOLD_MAX = 3;

    private final RecordSpec spec;
    private final ConditionStore store;
    private final ConditionJournal journal;
    private final Informers informers;
    private final InstantSource clock;
    private final TravelCounts counts;
    private final TravelEvents events;
    private final Repetitions failures = new Repetitions();

    /** Confined to the controller. */
    private final Map<ClusterName, Subscription> observations = new HashMap<>();

    Recording(
            RecordSpec spec,
            Path folder,
            String file,
            Informers informers,
            InstantSource clock,
            TravelCounts counts,
            TravelEvents events) {
        this.spec = spec;
        this.store = new ConditionStore(spec.conditions(), spec.bytesMax());
        this.journal = new ConditionJournal(folder, file, clock);
        this.informers = informers;
        this.clock = clock;
        this.counts = counts;
        this.events = events;
        attempt(() -> journal.open(store));
    }

    RecordSpec spec() {
        return spec;
    }

    ConditionStore store() {
        return store;
    }

    /** Observes these clusters, and forgets those that it has observed before. */
    void observe(Set<ClusterName> clusters) {
        for (ClusterName cluster : Set.copyOf(observations.keySet())) {
            if (!clusters.contains(cluster)) {
                end(cluster);
            }
        }
        for (ClusterName cluster : clusters) {
            if (!observations.containsKey(cluster)) {
                Observation begun = new Observation(cluster, store, clock, this::added);
                spec.conditions().forEach(condition -> counts.observed(series(cluster, condition)));
                observations.put(cluster, informers.follow(spec.objects(cluster), begun));
            }
        }
    }

    /** Drops what was restored of clusters that it does not observe. */
    void retainOnly(Set<ClusterName> clusters) {
        store.all().stream()
                .map(row -> row.object().cluster())
                .distinct()
                .filter(cluster -> !clusters.contains(cluster))
                .forEach(store::forget);
        attempt(() -> journal.rewrite(store));
    }

    /** Whether all clusters are observed, for the object's status. */
    Finding state() {
        List<String> problems = new ArrayList<>();
        @Nullable Finding first = null;
        for (Map.Entry<ClusterName, Subscription> each : new TreeMap<>(observations).entrySet()) {
            Finding state = each.getValue().state();
            if (state.status() != Finding.Status.TRUE) {
                first = first == null ? state : first;
                problems.add("cluster \"" + each.getKey() + "\": " + state.reason() + ": " + state.message());
            }
        }
        if (first == null) {
            return observations.isEmpty()
                    ? Finding.yes("NoCluster", "no registered cluster is one that it selects")
                    : Finding.yes("Observing", "its objects are observed in every cluster that it selects");
        }
        int more = problems.size() - PROBLEMS_TOLD_MAX;
        String told = String.join("; ", problems.subList(0, Math.min(problems.size(), PROBLEMS_TOLD_MAX)));
        return new Finding(first.status(), first.reason(), more > 0 ? told + "; and " + more + " more" : told);
    }

    int clusters() {
        return observations.size();
    }

    @Override
    public void close() {
        observations.values().forEach(Subscription::close);
        observations
                .keySet()
                .forEach(cluster -> spec.conditions().forEach(condition -> counts.forget(series(cluster, condition))));
        observations.clear();
        attempt(() -> journal.rewrite(store)); // an observation may have been ended while it wrote
        journal.close();
    }

    /** Closes it, and deletes its file. */
    void delete(Path file) {
        close();
        attempt(() -> Files.deleteIfExists(file));
    }

    private void end(ClusterName cluster) {
        Subscription ended = observations.remove(cluster);
        if (ended != null) {
            ended.close();
        }
        store.forget(cluster);
        attempt(() -> journal.rewrite(store));
        spec.conditions().forEach(condition -> counts.forget(series(cluster, condition)));
    }

    private void added(List<ConditionStore.Added> rows, String kind, ClusterCalls calls) throws InterruptedException {
        attempt(() -> journal.append(rows, store));
        for (ConditionStore.Added row : rows) {
            if (row.row().verdict() == ConditionVerdict.TRAVELLED) {
                ObjectKey object = row.object();
                counts.travelled(series(object.cluster(), row.condition()));
                events.travelled(row, spec.resource().groupVersion().apiVersion(), kind, calls);
            }
        }
    }

    private TravelCounts.Series series(ClusterName cluster, String condition) {
        return new TravelCounts.Series(cluster, spec.resource().groupResource().toString(), condition);
    }

    /** A step that needs the disk. */
    @FunctionalInterface
    private interface DiskStep {
        void run() throws IOException;
    }

    private void attempt(DiskStep step) {
        try {
            step.run();
        } catch (IOException failure) {
            failures.next(spec.name())
                    .ifPresent(leftOut -> LOG.atWarn()
                            .addKeyValue("record", spec.name())
                            .setCause(failure)
                            .addKeyValue("leftOut", leftOut)
                            .log("What a record has observed cannot be stored or read"));
        }
    }
}
