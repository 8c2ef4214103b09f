package io.fairlead.gateway.api;

import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.conflicts.ConflictDocument;
import io.fairlead.fleet.exclusive.ExclusiveKeyKind;
import io.fairlead.fleet.exclusive.ExclusiveKeys;
import io.fairlead.fleet.exclusive.ExclusiveKeys.RuleConflicts;
import io.fairlead.fleet.exclusive.KeyConflict;
import io.fairlead.gateway.authn.Identity;
import io.fairlead.gateway.enter.ClusterAccess;
import io.fairlead.index.conflicts.Contest;
import io.fairlead.index.conflicts.KeyClaim;
import io.fairlead.index.conflicts.Standing.Role;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The conflicts that concern clusters which the caller may enter, and those of rules that the caller may read. Holders of other
 * clusters are counted, and not named.
 *
 * <pre>
 * {"conflicts": [{"key": "cluster-identity/0f6c…", "kind": "cluster-identity", "since": "…", "holdersTotal": 2, "holders": [
 *   {"name": "prod-1", "uid": "…", "role": "Incumbent", "state": "Held"}, …]}],
 *  "unknown": [{"rule": "exclusive-key/hosts", "reason": "NotObserved", "message": "…"}]}
 * </pre>
 *
 * <p>{@code unknown} has rules that know of no conflict and have not compared all objects.
 */
final class ConflictReport {
    /** Of one key; more are counted. */
    private static final int HOLDERS_MAX = 100;

    /** Of users' rules; the status of a rule counts all. */
    private static final int CONFLICTS_MAX = 1_000;

    private final ClusterIdentities identities;
    private final Supplier<List<RuleConflicts>> exclusive;
    private final ClusterAccess access;

    ConflictReport(ClusterIdentities identities, Supplier<List<RuleConflicts>> exclusive, ClusterAccess access) {
        this.identities = identities;
        this.exclusive = exclusive;
        this.access = access;
    }

    /**
     * The report.
     *
     * @param key the only one to report, or null for all
     */
    ObjectNode of(Identity caller, @Nullable String key) {
        ObjectNode report = Json.object();
        ArrayNode conflicts = report.putArray("conflicts");
        for (Contest contest : identities.contests()) {
            List<KeyClaim> named = named(contest, name -> access.mayEnter(caller, new ClusterName(name)));
            String its = contest.claims().getFirst().key().toString();
            if (!named.isEmpty() && (key == null || key.equals(its))) {
                conflicts.add(conflict(
                        contest,
                        named,
                        its,
                        contest.claims().size(),
                        since(named, its).orElse(null)));
            }
        }
        exclusive.get().stream()
                .filter(rule -> key == null || key.startsWith(ExclusiveKeys.KIND + "/" + rule.rule() + "/"))
                .filter(rule -> access.mayRead(
                        caller, RequestInfo.resource("get", ExclusiveKeyKind.EXCLUSIVE_KEYS, "", rule.rule(), "")))
                .forEach(rule -> {
                    exclusive(rule, caller, key, conflicts);
                    rule.unknown()
                            .ifPresent(why -> report.withArrayProperty("unknown")
                                    .addObject()
                                    .put("rule", ExclusiveKeys.KIND + "/" + rule.rule())
                                    .put("reason", why.reason())
                                    .put("message", why.message()));
                });
        return report;
    }

    /** Of rules that the caller may read. Objects of clusters that the caller may not enter are counted. */
    private void exclusive(RuleConflicts rule, Identity caller, @Nullable String key, ArrayNode conflicts) {
        for (KeyConflict conflict : rule.conflicts()) {
            Contest contest = conflict.contest();
            String its = contest.claims().getFirst().key().toString();
            if (key == null ? conflicts.size() < CONFLICTS_MAX : key.equals(its)) {
                List<KeyClaim> named = named(
                        contest,
                        name -> access.mayEnter(caller, new ClusterName(name.substring(0, name.indexOf('/')))));
                conflicts.add(conflict(contest, named, its, conflict.total(), conflict.since()));
            }
        }
    }

    private static List<KeyClaim> named(Contest contest, Predicate<String> mayName) {
        return contest.claims().stream()
                .filter(claim -> mayName.test(claim.holder().name()))
                .toList();
    }

    private static ObjectNode conflict(
            Contest contest, List<KeyClaim> named, String key, int total, @Nullable Instant since) {
        ObjectNode conflict = Json.object();
        conflict.put("key", key);
        conflict.put("kind", contest.claims().getFirst().key().kind());
        if (since != null) {
            conflict.put("since", since.toString());
        }
        conflict.put("holdersTotal", total);
        ArrayNode holders = conflict.putArray("holders");
        named.stream().limit(HOLDERS_MAX).forEach(claim -> holders.add(holder(contest, claim)));
        return conflict;
    }

    private Optional<Instant> since(List<KeyClaim> named, String key) {
        return named.stream()
                .flatMap(claim -> Optional.ofNullable(
                        identities.since(claim.holder().name()).get(key))
                        .stream())
                .min(Instant::compareTo);
    }

    private static ObjectNode holder(Contest contest, KeyClaim claim) {
        String uid = claim.holder().uid();
        ObjectNode holder = Json.object();
        holder.put("name", claim.holder().name());
        holder.put("uid", uid);
        holder.put("role", ConflictDocument.spelled(contest.isIncumbent(uid) ? Role.INCUMBENT : Role.CHALLENGER));
        holder.put(
                "state",
                switch (contest.state(claim)) {
                    case HELD -> "Held";
                    case EVALUATING -> "Evaluating";
                    case WITHDRAWING -> "Withdrawing";
                    case CONFLICT -> "Conflict";
                });
        return holder;
    }
}
