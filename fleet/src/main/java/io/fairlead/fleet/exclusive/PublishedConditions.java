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
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The condition {@code Conflict} that a rule publishes in the status of objects. One that is in no conflict and has no such
 * condition gets none, unless the rule withdraws outputs: then its controller waits for the word that there is no conflict.
 *
 * <p>Thread-safe; only {@link #publish} waits.
 */
final class PublishedConditions {
    static final String REASON = "ExclusiveKeyConflict";
    private static final String INCUMBENT = "Incumbent";
    private static final String WITHDRAWING = "Withdrawing";
    private static final String NO_CONFLICT = "NoConflict";
    private static final String NOT_RENDERED = "NotRendered";
    private static final Set<String> REASONS = Set.of(REASON, INCUMBENT, WITHDRAWING, NO_CONFLICT, NOT_RENDERED);

    /** Of an object without the condition. */
    private static final Stated NOTHING = new Stated("", "");

    /** What more objects say is not known. */
    private static final int STATED_MAX = 100_000;

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
        Stated now = condition.isEmpty()
                ? NOTHING
                : new Stated(
                        condition.path("status").asString(""),
                        condition.path("reason").asString(""));
        synchronized (stated) {
            if (now.equals(NOTHING) && !isForAll()) {
                return stated.remove(key) != null;
            }
            return (stated.size() < STATED_MAX || stated.containsKey(key)) && !now.equals(stated.put(key, now));
        }
    }

    private boolean isForAll() {
        return !spec.withdraw().isEmpty();
    }

    void forget(ObjectKey key) {
        synchronized (stated) {
            stated.remove(key);
        }
    }

    /** The objects that have the condition by a rule, or are to get it. */
    List<ObjectKey> concerned() {
        synchronized (stated) {
            return stated.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(NOTHING)
                            || REASONS.contains(entry.getValue().reason()))
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /**
     * Says what is so now, unless the object says it already.
     *
     * @param problem why the object's key is not known; null if it is
     */
    void publish(ObjectKey key, Map<KeyHash, ObjectConflict> conflicts, @Nullable String problem, ClusterCalls calls)
            throws CallFailure, InterruptedException {
        Finding finding = finding(conflicts, problem);
        Stated next = new Stated(Condition.spelled(finding.status()), finding.reason());
        Stated said = stated(key);
        boolean isSaid = said.equals(NOTHING) ? finding.reason().equals(NO_CONFLICT) && !isForAll() : said.equals(next);
        if (isSaid || !ObjectPath.isPlain(key)) {
            return;
        }
        write(ObjectPath.of(spec.resource(), key), finding, calls);
        synchronized (stated) {
            stated.put(key, next);
        }
    }

    /** Takes the condition of an object away. */
    void retract(ObjectKey key, ClusterCalls calls) throws CallFailure, InterruptedException {
        if (REASONS.contains(stated(key).reason()) && ObjectPath.isPlain(key)) {
            write(ObjectPath.of(spec.resource(), key), null, calls);
        }
        forget(key);
    }

    private Stated stated(ObjectKey key) {
        synchronized (stated) {
            return stated.getOrDefault(key, NOTHING);
        }
    }

    /** Another writer may come between. */
    private void write(String target, @Nullable Finding finding, ClusterCalls calls)
            throws CallFailure, InterruptedException {
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

    private Finding finding(Map<KeyHash, ObjectConflict> conflicts, @Nullable String problem) {
        if (conflicts.isEmpty()) {
            return problem == null
                    ? Finding.no(NO_CONFLICT, "no other object claims a key of this one")
                    : Finding.unknown(NOT_RENDERED, "what key it claims is not known: " + problem);
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

    /** A key that an object has lost while its outputs may be live. */
    static Optional<ObjectConflict> withdrawing(Collection<ObjectConflict> conflicts) {
        return conflicts.stream()
                .filter(conflict -> conflict.state() == ConflictState.WITHDRAWING)
                .findFirst();
    }

    /** The other conditions stay as they are. */
    private void set(ObjectNode object, @Nullable Finding finding) {
        ObjectNode status = object.withObjectProperty("status");
        long generation = object.at("/metadata/generation").asLong(0);
        ArrayNode conditions = Json.array();
        status.path("conditions").values().forEach(condition -> {
            if (!condition.path("type").asString("").equals(Condition.CONFLICT)) {
                conditions.add(condition);
            }
        });
        if (finding != null) {
            List<Condition> ours = List.of(new Condition(Condition.CONFLICT, finding));
            conditions.add(
                    Condition.merge(status, ours, generation, clock.instant()).get(0));
        }
        status.set("conditions", conditions);
    }
}
