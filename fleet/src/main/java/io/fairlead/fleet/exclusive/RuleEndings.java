package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.root.Finalizers;
import io.fairlead.fleet.root.RootApi;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.node.ObjectNode;

/**
 * The end of rules that publish conditions: a deleted one is kept until its objects are told that there is no conflict. A
 * cluster that cannot be told within half a minute keeps no rule.
 *
 * <pre>
 * deleted ──► observed   it is known which objects say something, or that takes too long
 *         ──► retracted  they are told, or that takes too long: the finalizer is removed
 * </pre>
 *
 * <p>Confined to the controller.
 */
final class RuleEndings {
    private static final Duration OBSERVED_WITHIN = Duration.ofSeconds(30);

    private final RootApi api;
    private final Map<String, Instant> deleted = new HashMap<>();
    private final Map<String, CompletableFuture<Void>> retracting = new HashMap<>();

    RuleEndings(RootApi api) {
        this.api = api;
    }

    /** Whether a rule is in force no more. */
    boolean isEnding(String uid) {
        return retracting.containsKey(uid);
    }

    /**
     * Takes the rules that end out of those in force, and removes the finalizers of those that have ended.
     *
     * @param objects of all rules
     * @param rules in force, by uid
     */
    void look(List<ObjectNode> objects, Map<String, Exclusion> rules, Instant now) {
        Set<String> there = new HashSet<>();
        for (ObjectNode object : objects) {
            String uid = object.at("/metadata/uid").asString("");
            there.add(uid);
            if (object.path("metadata").has("deletionTimestamp") && Finalizers.has(object, ExclusiveKeyRules.RETRACT)) {
                look(object, uid, rules, now);
            }
        }
        deleted.keySet().retainAll(there);
        retracting.keySet().retainAll(there);
    }

    private void look(ObjectNode object, String uid, Map<String, Exclusion> rules, Instant now) {
        CompletableFuture<Void> running = retracting.get(uid);
        if (running == null) {
            Instant since = deleted.computeIfAbsent(uid, _ -> now);
            Exclusion rule = rules.get(uid);
            boolean isObserved = rule == null || rule.observing().status() == Finding.Status.TRUE;
            if (isObserved || now.isAfter(since.plus(OBSERVED_WITHIN))) {
                rules.remove(uid);
                retracting.put(uid, rule == null ? CompletableFuture.completedFuture(null) : rule.retract(true));
            }
        } else if (running.isDone()) {
            ObjectNode updated = object.deepCopy();
            Finalizers.set(updated, ExclusiveKeyRules.RETRACT, false);
            api.updateUnlessChanged(ExclusiveKeyKind.EXCLUSIVE_KEYS, "", updated, "");
        }
    }
}
