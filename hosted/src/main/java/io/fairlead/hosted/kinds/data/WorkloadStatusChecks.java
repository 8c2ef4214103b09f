package io.fairlead.hosted.kinds.data;

import io.fairlead.hosted.kinds.data.Comparisons.Comparison;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Counts of replicas are parts of them all (kubernetes {@code pkg/apis/apps/validation}, {@code Validate…Status}), by Go type. */
final class WorkloadStatusChecks {
    static final Map<String, Comparison> ALL = Map.of(
            "apps/v1.DeploymentStatus", of("readyReplicas", "updatedReplicas", "readyReplicas", "availableReplicas"),
            "apps/v1.ReplicaSetStatus",
                    of("readyReplicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
            "core/v1.ReplicationControllerStatus",
                    of("readyReplicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
            "apps/v1.StatefulSetStatus",
                    of(
                            "status.readyReplicas",
                            "readyReplicas",
                            "currentReplicas",
                            "updatedReplicas",
                            "availableReplicas"));

    private WorkloadStatusChecks() {}

    /** @param ready how a refusal calls those that are ready, of which the available ones are a part */
    private static Comparison of(String ready, String... parts) {
        return (status, path, errors) -> check(status, ready, List.of(parts), path, errors);
    }

    private static void check(ObjectNode status, String ready, List<String> parts, FieldPath path, FieldErrors errors) {
        long all = status.path("replicas").asLong(0);
        for (String part : parts) {
            if (status.path(part).asLong(0) > all) {
                errors.invalid(path.child(part), number(status, part), "cannot be greater than status.replicas");
            }
        }
        if (status.path("availableReplicas").asLong(0)
                > status.path("readyReplicas").asLong(0)) {
            errors.invalid(
                    path.child("availableReplicas"),
                    number(status, "availableReplicas"),
                    "cannot be greater than " + ready);
        }
    }

    private static JsonNode number(ObjectNode status, String field) {
        return Json.nodes().numberNode(status.path(field).asLong(0));
    }
}
