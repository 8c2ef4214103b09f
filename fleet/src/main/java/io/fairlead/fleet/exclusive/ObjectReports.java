package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Informs the objects of one rule in one cluster: an Event for each conflict that one comes into or out of, the condition if
 * the rule publishes it, and the deletion of a loser's outputs. It compares what should be said with what was said, so that
 * a failure is tried again and nothing is said twice.
 *
 * <p>Threads: one virtual thread, which waits for the cluster; the other methods are for any.
 */
final class ObjectReports implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectReports.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);
    private static final Duration RETRACT_TIMEOUT = Duration.ofSeconds(30);
    private static final int CONFLICT = 409;
    private static final Set<Integer> FINAL = Set.of(400, 403, 404, 405, CONFLICT, 422);

    private final ClusterName cluster;
    private final RuleSpec spec;
    private final KeyHoldings holdings;
    private final Informers informers;
    private final BooleanSupplier isComplete;
    private final ObjectEvents events;
    private final PublishedConditions conditions;
    private final Repetitions failures = new Repetitions();
    private final ClusterOutputs outputs;
    private final Supervised work;

    /** Done once all conditions are taken back after the end. */
    private final CompletableFuture<Void> retracted = new CompletableFuture<>();

    private volatile Retraction retraction = Retraction.NONE;

    private enum Retraction {
        NONE,
        OF_CONDITIONS,
        OF_ALL
    }

    /** What waits, each object once; guarded by itself. */
    private final LinkedHashSet<ObjectKey> waiting = new LinkedHashSet<>();

    /** Of which conflicts each object was told. Confined to the thread. */
    private final Map<ObjectKey, Map<KeyHash, ObjectConflict>> told = new HashMap<>();

    private volatile String kind = "";

    /** @param isComplete whether all objects of the rule are compared: before, none is told that it is in no conflict */
    ObjectReports(
            ClusterName cluster,
            RuleSpec spec,
            KeyHoldings holdings,
            BooleanSupplier isComplete,
            Informers informers,
            InstantSource clock) {
        this.cluster = cluster;
        this.spec = spec;
        this.holdings = holdings;
        this.isComplete = isComplete;
        this.informers = informers;
        this.events = new ObjectEvents(spec, clock);
        this.conditions = new PublishedConditions(spec, clock);
        this.outputs = new ClusterOutputs(cluster, spec, () -> kind, this::outputsChanged);
        this.work = new Supervised(
                "exclusive-reports-" + spec.name() + "-" + cluster, Thread.ofVirtual(), this::run, new WorkLog());
    }

    void start() {
        work.start();
    }

    /** What objects say of conflicts is looked at again: by now it is known which of them are in one. */
    void lookAgain() {
        conditions.concerned().forEach(this::mayDiffer);
    }

    /** Follows outputs from now on, which only hosted clusters have. */
    void followOutputs() {
        outputs.start(informers);
    }

    /** Whether all is observed that must be gone before an object is in conflict. */
    Finding outputs() {
        return outputs.state();
    }

    /**
     * Takes the conditions of objects away, and ends then.
     *
     * @param isOver whether the objects are told that their conflicts are over, since no other rule takes this one's place
     * @return completed when all of them were told, or after a limited time
     */
    CompletableFuture<Void> retract(boolean isOver) {
        synchronized (waiting) {
            waiting.addAll(conditions.concerned());
            retraction = isOver ? Retraction.OF_ALL : Retraction.OF_CONDITIONS; // not before what waits is known
            waiting.notifyAll();
        }
        return retracted
                .completeOnTimeout(null, RETRACT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((_, _) -> close());
    }

    @Override
    public void close() {
        work.close();
        outputs.close();
    }

    private void outputsChanged(ObjectKey owner) {
        outputs.tell(owner, holdings::setLive);
        mayDiffer(owner);
    }

    /** What becomes of an object may be another thing than it was told. */
    void mayDiffer(ObjectKey object) {
        synchronized (waiting) {
            waiting.add(object);
            waiting.notifyAll();
        }
    }

    /** What a comparison tells. */
    ClusterComparison.Observer observer(Runnable changed) {
        return new ClusterComparison.Observer() {
            @Override
            public void changed() {
                changed.run();
            }

            @Override
            public void seen(ObjectKey key, JsonNode object) {
                outputs.tell(key, holdings::setLive);
                if (conditions.seen(key, object)) {
                    mayDiffer(key);
                }
            }

            @Override
            public void removed(ObjectKey key) {
                conditions.forget(key);
                mayDiffer(key);
            }

            @Override
            public void kind(String name) {
                boolean isNews = kind.isEmpty() && !name.isEmpty();
                kind = name;
                if (isNews) {
                    outputs.kindIsKnown();
                }
            }
        };
    }

    private void run() throws InterruptedException {
        for (ObjectKey object = next(); object != null && !work.isClosed(); object = next()) {
            boolean isDone = false;
            try {
                inform(object, informers.calls(cluster));
                isDone = true;
            } catch (CallFailure failure) {
                log(object, failure);
                work.pause(RETRY_AFTER);
            } finally {
                if (!isDone) {
                    mayDiffer(object);
                }
            }
        }
        work.close(); // all is taken back
    }

    /** Null once all is taken back. */
    private @Nullable ObjectKey next() throws InterruptedException {
        synchronized (waiting) {
            while (waiting.isEmpty()) {
                if (retraction == Retraction.OF_ALL && !told.isEmpty()) {
                    waiting.addAll(told.keySet());
                } else if (retraction != Retraction.NONE) {
                    retracted.complete(null);
                    return null;
                } else {
                    waiting.wait();
                }
            }
            return waiting.removeFirst();
        }
    }

    private void inform(ObjectKey object, ClusterCalls calls) throws CallFailure, InterruptedException {
        if (retraction == Retraction.OF_ALL) {
            informOfConflicts(object, Map.of(), calls);
        }
        if (retraction != Retraction.NONE) {
            attempt(object, () -> conditions.retract(object, calls));
            return;
        }
        Map<KeyHash, ObjectConflict> now = holdings.of(object);
        informOfConflicts(object, now, calls);
        Optional<ObjectConflict> lost = PublishedConditions.withdrawing(now.values());
        CallFailure notWithdrawn = null;
        if (lost.isPresent()) {
            try {
                withdraw(object, lost.get(), calls);
            } catch (CallFailure failure) {
                notWithdrawn = failure; // tried again, once the object is told
            }
        }
        boolean isKnown = !now.isEmpty() || isComplete.getAsBoolean();
        if (spec.publishesCondition() && isKnown && holdings.has(object)) {
            attempt(object, () -> conditions.publish(object, now, holdings.problem(object), calls));
        }
        if (notWithdrawn != null) {
            throw notWithdrawn;
        }
    }

    private void withdraw(ObjectKey object, ObjectConflict lost, ClusterCalls calls)
            throws CallFailure, InterruptedException {
        List<String> deleted = outputs.withdraw(object, calls);
        if (!deleted.isEmpty()) {
            attempt(object, () -> events.withdrawn(object, lost, deleted, kind, calls));
        }
    }

    /** An Event for each conflict that it was not told of, and for each that is over. */
    private void informOfConflicts(ObjectKey object, Map<KeyHash, ObjectConflict> now, ClusterCalls calls)
            throws CallFailure, InterruptedException {
        Map<KeyHash, ObjectConflict> before = told.getOrDefault(object, Map.of());
        for (ObjectConflict each : now.values()) {
            if (!before.containsKey(each.conflict().key())) {
                attempt(object, () -> events.began(object, each, kind, calls));
                told.computeIfAbsent(object, _ -> new HashMap<>())
                        .put(each.conflict().key(), each);
            }
        }
        for (ObjectConflict each : List.copyOf(before.values())) {
            if (!now.containsKey(each.conflict().key())) {
                if (holdings.has(object) || retraction != Retraction.NONE) {
                    attempt(object, () -> events.ended(object, each, kind, calls));
                }
                told.computeIfPresent(object, (_, keys) -> {
                    keys.remove(each.conflict().key());
                    return keys.isEmpty() ? null : keys;
                });
            }
        }
    }

    /** A request to the cluster. */
    @FunctionalInterface
    private interface Step {
        void run() throws CallFailure, InterruptedException;
    }

    /** What the cluster refuses for good is not tried again: the status of the rule has it all the same. */
    private void attempt(ObjectKey object, Step step) throws CallFailure, InterruptedException {
        try {
            step.run();
        } catch (CallFailure failure) {
            if (!FINAL.contains(failure.code())) {
                throw failure;
            }
            if (failure.code() != CONFLICT) {
                log(object, failure);
            }
        }
    }

    private void log(ObjectKey object, CallFailure failure) {
        failures.next(failure.reason())
                .ifPresent(leftOut -> LOG.atInfo()
                        .addKeyValue("rule", spec.name())
                        .addKeyValue("cluster", cluster)
                        .addKeyValue("object", object.path())
                        .addKeyValue("reason", failure.reason())
                        .addKeyValue("problem", failure.message())
                        .addKeyValue("leftOut", leftOut)
                        .log("An object cannot be told of its conflict"));
    }
}
