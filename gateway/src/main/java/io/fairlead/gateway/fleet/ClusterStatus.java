package io.fairlead.gateway.fleet;

import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The status of a {@code Cluster} as its member is observed. */
final class ClusterStatus {
    private ClusterStatus() {}

    static ObjectNode of(ObjectNode cluster, Member member, Instant now) {
        Observed observed = member.observed();
        List<Condition> conditions = List.of(ready(member, observed), observed.reachable(), observed.typesSynced());
        ObjectNode status = Json.object();
        status.set(
                "conditions",
                Condition.merge(
                        cluster.path("status").path("conditions"),
                        conditions,
                        cluster.path("metadata").path("generation").asLong(0),
                        now));
        status.put("type", ClusterSpec.of(cluster).type());
        putText(status, "version", observed.version());
        putText(status, "url", member.url());
        status.put("groupVersions", observed.groupVersions());
        status.put("resources", observed.resources());
        status.put("epoch", observed.epoch());
        Instant lastSync = observed.lastSync();
        if (lastSync != null) {
            status.put("lastSyncTime", lastSync.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        return status;
    }

    /** Reachable, and its types known; the first that does not hold says why. */
    private static Condition ready(Member member, Observed observed) {
        if (member instanceof Member.Unready unready) {
            return Condition.no(Condition.READY, unready.reason(), unready.message());
        }
        for (Condition needed : List.of(observed.reachable(), observed.typesSynced())) {
            if (!needed.holds()) {
                return new Condition(Condition.READY, needed.status(), needed.reason(), needed.message());
            }
        }
        return Condition.yes(Condition.READY, "Ready", "the cluster can be used");
    }

    private static void putText(ObjectNode status, String field, String text) {
        if (!text.isEmpty()) {
            status.put(field, text);
        }
    }
}
