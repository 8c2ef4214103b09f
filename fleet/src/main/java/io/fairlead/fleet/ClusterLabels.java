package io.fairlead.fleet;

import io.fairlead.model.ClusterName;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The labels of the clusters' objects.
 *
 * <p>Threads: one at a time writes; any reads an immutable snapshot, which is the same object until they change.
 */
final class ClusterLabels {
    private volatile Map<ClusterName, Map<String, String>> labels = Map.of();

    Map<ClusterName, Map<String, String>> all() {
        return labels;
    }

    void put(ClusterName name, JsonNode cluster) {
        Map<String, String> now = of(cluster);
        if (!now.equals(labels.get(name))) {
            Map<ClusterName, Map<String, String>> all = new HashMap<>(labels);
            all.put(name, now);
            labels = Map.copyOf(all);
        }
    }

    void remove(ClusterName name) {
        Map<ClusterName, Map<String, String>> left = new HashMap<>(labels);
        if (left.remove(name) != null) {
            labels = Map.copyOf(left);
        }
    }

    private static Map<String, String> of(JsonNode cluster) {
        Map<String, String> labels = new HashMap<>();
        cluster.at("/metadata/labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
        return Map.copyOf(labels);
    }
}
