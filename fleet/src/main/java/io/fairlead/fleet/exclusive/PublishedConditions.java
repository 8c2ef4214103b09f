package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.root.Condition;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.ConflictState;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.schema.json.Json;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The condition {@code Conflict} that a rule publishes in the status of objects. One that is in no conflict and has no such
 * condition gets none.
 *
 * <p>Thread-safe; only {@link #publish} waits.
 */
final class PublishedConditions {
    static final String REASON = "ExclusiveKeyConflict";
    private static final String INCUMBENT = "Incumbent";
    private static final String WITHDRAWING = "Withdrawing";
    private static final Set<String> REASONS = Set.of(REASON, INCUMBENT, WITHDRAWING);
    private static final int CONFLICT = 409;
    private static final int ATTEMPTS_MAX = 10;
    private static final String MANAGER = "fairlead-exclusive-keys";

    private final RuleSpec spec;
    private final InstantSource clock;

    /** What the objects that have the condition say; guarded by itself. */
    private final Map<ObjectKey, Stated> stated = new HashMap<>();

    private record Stated(String status, String reason) {}

    PublishedConditions(RuleSpec spec, InstantSource clock) {
        this.spec = spec;
        this.clock = clock;
    }

    /** An object is as it is; whether it says another thing than before. */
    boolean seen(ObjectKey key, JsonNode object) {
        if (!spec.publishesCondition()) {
            return false;
        }
        JsonNode condition = Condition.in(object.path("status"), Condition.CONFLICT);
        synchronized (stated) {
            if (condition.isEmpty()) {
                return stated.remove(key) != null;
            }
            Stated now = new Stated(
                    condition.path("status").asString(""),
                    condition.path("reason").asString(""));
            return !now.equals(stated.put(key, now));
        }
    }

    void forget(ObjectKey key) {
        synchronized (stated) {
            stated.remove(key);
        }
    }

    /** The objects that say something else than that they are in no conflict, by a condition of this kind. */
    List<ObjectKey> toRetract() {
        synchronized (stated) {
            return stated.entrySet().stream()
                    .filter(entry -> REASONS.contains(entry.getValue().reason()))
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /** Says what is so now, unless the object says it already. */
    void publish(ObjectKey key, Map<KeyHash, ObjectConflict> conflicts, ClusterCalls calls)
            throws CallFailure, InterruptedException {
        Finding finding = finding(conflicts);
        Stated said;
        synchronized (stated) {
            said = stated.get(key);
        }
        boolean isSaid = said == null
                ? finding.status() == Finding.Status.FALSE && conflicts.isEmpty()
                : said.equals(new Stated(Condition.spelled(finding.status()), finding.reason()));
        if (isSaid || !ObjectPath.isPlain(key)) {
            return;
        }
        write(ObjectPath.of(spec.resource(), key), finding, calls);
        synchronized (stated) {
            stated.put(key, new Stated(Condition.spelled(finding.status()), finding.reason()));
        }
    }

    /** Another writer may come between. */
    private void write(String target, Finding finding, ClusterCalls calls) throws CallFailure, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            ObjectNode object;
            try (ClusterCalls.Document document = calls.ask(target)) {
                object = (ObjectNode) Json.read(document.read());
            }
            set(object, finding);
            try {
                calls.replace(target + "/status?fieldManager=" + MANAGER, object);
                return;
            } catch (CallFailure failure) {
                if (failure.code() != CONFLICT || attempt == ATTEMPTS_MAX) {
                    throw failure;
                }
            }
        }
    }

    private Finding finding(Map<KeyHash, ObjectConflict> conflicts) {
        if (conflicts.isEmpty()) {
            return Finding.no("NoConflict", "no other object claims a key of this one");
        }
        Collection<ObjectConflict> inOrder = new TreeMap<>(conflicts).values();
        ObjectConflict worst = inOrder.iterator().next();
        for (ObjectConflict conflict : inOrder) {
            if (conflict.state() == ConflictState.WITHDRAWING || !worst.state().isLost()) {
                worst = conflict;
            }
        }
        String message = ConflictText.of(spec, worst);
        return switch (worst.state()) {
            case HELD -> Finding.no(INCUMBENT, message);
            case WITHDRAWING, EVALUATING -> Finding.unknown(WITHDRAWING, message);
            case CONFLICT -> Finding.yes(REASON, message);
        };
    }

    /** Whether an object has lost a key, and its outputs may be live. */
    static boolean isWithdrawing(Collection<ObjectConflict> conflicts) {
        return conflicts.stream().anyMatch(conflict -> conflict.state() == ConflictState.WITHDRAWING);
    }

    /** The other conditions stay as they are. */
    private void set(ObjectNode object, Finding finding) {
        ObjectNode status = object.withObjectProperty("status");
        long generation = object.at("/metadata/generation").asLong(0);
        JsonNode ours = Condition.merge(
                        status, List.of(new Condition(Condition.CONFLICT, finding)), generation, clock.instant())
                .get(0);
        ArrayNode conditions = Json.array();
        status.path("conditions").values().forEach(condition -> {
            if (!condition.path("type").asString("").equals(Condition.CONFLICT)) {
                conditions.add(condition);
            }
        });
        conditions.add(ours);
        status.set("conditions", conditions);
    }
}
