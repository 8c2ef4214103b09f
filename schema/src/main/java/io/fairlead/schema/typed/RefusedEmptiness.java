package io.fairlead.schema.typed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Empty lists and maps for which an object is refused with them in the text, or in place of which nothing would be completed
 * (kubernetes {@code pkg/apis/*}{@code /validation} and {@code /defaults.go}). All others are dropped where a field is written only
 * with content.
 */
final class RefusedEmptiness {
    private static final List<String> LABELS = List.of("template", "metadata", "labels");

    private static final Map<String, List<String>> PATHS = Map.of(
            "autoscaling/v2.HPAScalingRules", List.of("policies"),
            "networking/v1.IngressSpec", List.of("rules"),
            "core/v1.PersistentVolumeSpec", List.of("capacity"),
            "apps/v1.DaemonSetSpec", LABELS,
            "apps/v1.DeploymentSpec", LABELS,
            "apps/v1.ReplicaSetSpec", LABELS,
            "apps/v1.StatefulSetSpec", LABELS);

    private RefusedEmptiness() {}

    /** Takes over what is empty. */
    static void keep(Struct type, ObjectNode sent, ObjectNode decoded) {
        List<String> path = PATHS.getOrDefault(type.name(), List.of());
        // An Ingress with a default backend needs no rules.
        if (path.isEmpty() || decoded.has("defaultBackend")) {
            return;
        }
        JsonNode from = sent;
        JsonNode to = decoded;
        for (String member : path.subList(0, path.size() - 1)) {
            from = from.path(member);
            to = to.path(member);
        }
        JsonNode value = from.path(path.getLast());
        if (value.isContainer() && value.isEmpty() && to instanceof ObjectNode parent) {
            parent.set(path.getLast(), value.isArray() ? Json.array() : Json.object());
        }
    }
}
