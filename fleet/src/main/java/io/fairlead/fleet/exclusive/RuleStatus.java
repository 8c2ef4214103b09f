package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.conflicts.ConflictDocument;
import io.fairlead.fleet.root.Condition;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.KeyClaim;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.index.conflicts.Standing.Role;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The status of an {@code ExclusiveKey}: whether all objects are compared, and which are in conflict. As long as something is
 * not known, it does not say that there is no conflict.
 */
final class RuleStatus {
    private static final String OBSERVING = "Observing";
    private static final String ENFORCED = "Enforced";
    private static final int NAMED_MAX = 32;
    private static final int NOT_RENDERED_MAX = 8;

    private RuleStatus() {}

    /** That of a rule which is not in force. */
    static ObjectNode ofNone(ObjectNode object, Finding why, Instant now) {
        ObjectNode status = Json.object();
        Finding unknown = Finding.unknown(why.reason(), why.message());
        conditions(status, object, now, why, unknown, () -> why);
        return status;
    }

    /** That of a rule which is in force. */
    static ObjectNode of(ObjectNode object, Exclusion rule, Instant now) {
        KeyHoldings.Summary summary = rule.holdings().summary(NAMED_MAX, NOT_RENDERED_MAX);
        Finding observing = published(object, rule, rule.observing());
        ObjectNode status = Json.object();
        conditions(status, object, now, observing, conflict(rule.spec(), summary, observing), rule::enforced);
        status.put("clusters", rule.clusters());
        status.put("objects", summary.objects());
        if (summary.notRenderedTotal() > 0) {
            status.put("notRenderedTotal", summary.notRenderedTotal());
            ArrayNode named = status.putArray("notRendered");
            summary.notRendered()
                    .forEach((key, problem) -> named.addObject()
                            .put("name", ConflictText.name(key))
                            .put("message", problem));
        }
        status.put("conflictsTotal", summary.conflictsTotal());
        if (!summary.conflicts().isEmpty()) {
            ArrayNode named = status.putArray("conflicts");
            summary.conflicts().forEach(conflict -> named.add(node(rule.spec(), conflict)));
        }
        return status;
    }

    /** A rule that is in force for all but its conditions says so. */
    private static Finding published(ObjectNode object, Exclusion rule, Finding observing) {
        boolean isAsked = object.at("/spec/publishCondition").asBoolean(false);
        return isAsked && !rule.spec().publishesCondition() && observing.status() == Finding.Status.TRUE
                ? Finding.yes(
                        "ObservingWithoutConditions",
                        observing.message() + "; an older rule publishes the conditions of this resource")
                : observing;
    }

    /** A rule that only reports is not enforced, and does not say that it is not. */
    private static void conditions(
            ObjectNode status,
            ObjectNode object,
            Instant now,
            Finding observing,
            Finding conflict,
            Supplier<Finding> enforced) {
        List<Condition> conditions = new ArrayList<>();
        conditions.add(new Condition(OBSERVING, observing));
        conditions.add(new Condition(Condition.CONFLICT, conflict));
        if (RuleSpec.denies(object.path("spec"))) {
            conditions.add(new Condition(ENFORCED, enforced.get()));
        }
        status.set(
                "conditions",
                Condition.merge(
                        object.path("status"),
                        conditions,
                        object.at("/metadata/generation").asLong(0),
                        now));
    }

    /** Why it is not known whether there is a conflict; empty if it is. */
    static Optional<Finding> unknown(Exclusion rule) {
        Finding conflict = conflict(rule.spec(), rule.holdings().summary(1, 1), rule.observing());
        return conflict.status() == Finding.Status.UNKNOWN ? Optional.of(conflict) : Optional.empty();
    }

    private static Finding conflict(RuleSpec rule, KeyHoldings.Summary summary, Finding observing) {
        if (summary.conflictsTotal() > 0) {
            KeyConflict first = summary.conflicts().getFirst();
            List<String> names = first.contest().claims().stream()
                    .limit(NOT_RENDERED_MAX)
                    .map(claim -> claim.holder().name())
                    .toList();
            String more = summary.conflictsTotal() == 1 ? "" : "; and " + (summary.conflictsTotal() - 1) + " more keys";
            return Finding.yes(
                    PublishedConditions.REASON,
                    ConflictText.key(rule, first) + " is claimed by " + String.join(", ", names) + more);
        }
        if (observing.status() != Finding.Status.TRUE) {
            return Finding.unknown("NotObserved", "not all objects are compared: " + observing.message());
        }
        if (summary.notRenderedTotal() > 0) {
            Map.Entry<ObjectKey, String> first =
                    summary.notRendered().entrySet().iterator().next();
            return Finding.unknown(
                    "NotRendered",
                    "the keys of " + ConflictText.count(summary.notRenderedTotal(), "object")
                            + " are not known, of which the first is " + ConflictText.name(first.getKey()) + ": "
                            + first.getValue());
        }
        return Finding.no("NoConflict", "no two objects claim one key");
    }

    private static ObjectNode node(RuleSpec spec, KeyConflict conflict) {
        List<KeyClaim> claims = conflict.contest().claims();
        ObjectNode node = Json.object();
        node.put("key", ConflictText.key(spec, conflict));
        node.put("kind", ExclusiveKeys.KIND);
        node.put("cause", PublishedConditions.REASON);
        node.put("since", conflict.since().toString());
        node.put("peersTotal", conflict.total());
        ArrayNode peers = node.putArray("peers");
        claims.stream().limit(NAMED_MAX).forEach(claim -> {
            boolean stays = conflict.contest().isIncumbent(claim.holder().uid());
            peers.addObject()
                    .put("name", claim.holder().name())
                    .put("uid", claim.holder().uid())
                    .put("role", ConflictDocument.spelled(stays ? Role.INCUMBENT : Role.CHALLENGER));
        });
        return node;
    }

    /** Since when each conflict of a status is; what cannot be read is left out. */
    static Map<KeyHash, Instant> since(JsonNode status) {
        Map<KeyHash, Instant> since = new HashMap<>();
        for (JsonNode conflict : status.path("conflicts").values()) {
            String key = conflict.path("key").asString("");
            try {
                since.put(
                        KeyHash.parse(key.substring(key.lastIndexOf('/') + 1)),
                        Instant.parse(conflict.path("since").asString("")));
            } catch (IllegalArgumentException | DateTimeParseException unreadable) {
                // It counts as new then.
            }
        }
        return since;
    }
}
