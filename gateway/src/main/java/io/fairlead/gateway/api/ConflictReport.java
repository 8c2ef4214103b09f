package io.fairlead.gateway.api;

import io.fairlead.fleet.conflicts.ClusterIdentities;
import io.fairlead.fleet.conflicts.ConflictDocument;
import io.fairlead.index.conflicts.Contest;
import io.fairlead.index.conflicts.KeyClaim;
import io.fairlead.index.conflicts.Standing.Role;
import io.fairlead.model.ClusterName;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The conflicts that concern clusters which the caller may enter. Other holders are counted, and not named.
 *
 * <pre>
 * {"conflicts": [{"key": "cluster-identity/0f6c…", "kind": "cluster-identity", "since": "…", "holdersTotal": 2, "holders": [
 *   {"name": "prod-1", "uid": "…", "role": "Incumbent", "state": "Held"}, …]}]}
 * </pre>
 */
final class ConflictReport {
    /** Of one key; more are counted. */
    private static final int HOLDERS_MAX = 100;

    private final ClusterIdentities identities;

    ConflictReport(ClusterIdentities identities) {
        this.identities = identities;
    }

    /**
     * The report.
     *
     * @param key the only one to report, or null for all
     */
    ObjectNode of(Predicate<ClusterName> mayEnter, @Nullable String key) {
        ObjectNode report = Json.object();
        ArrayNode conflicts = report.putArray("conflicts");
        for (Contest contest : identities.contests()) {
            List<KeyClaim> named = contest.claims().stream()
                    .filter(claim ->
                            mayEnter.test(new ClusterName(claim.holder().name())))
                    .toList();
            String its = contest.claims().getFirst().key().toString();
            if (!named.isEmpty() && (key == null || key.equals(its))) {
                conflicts.add(conflict(contest, named, its));
            }
        }
        return report;
    }

    private ObjectNode conflict(Contest contest, List<KeyClaim> named, String key) {
        ObjectNode conflict = Json.object();
        conflict.put("key", key);
        conflict.put("kind", named.getFirst().key().kind());
        since(named, key).ifPresent(since -> conflict.put("since", since.toString()));
        conflict.put("holdersTotal", contest.claims().size());
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
