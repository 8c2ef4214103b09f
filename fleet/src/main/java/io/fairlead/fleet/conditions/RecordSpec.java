package io.fairlead.fleet.conditions;

import io.fairlead.fleet.RegisteredClusters;
import io.fairlead.fleet.informers.WatchedObjects;
import io.fairlead.fleet.pins.ClusterSelector;
import io.fairlead.fleet.pins.judge.ClusterSet;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * What a {@code ConditionRecord} asks for.
 *
 * @param generation of the object: another one may ask for something else
 * @param labels that an object must have
 */
record RecordSpec(
        String name,
        String uid,
        long generation,
        ClusterSet clusters,
        GroupVersionResource resource,
        List<String> conditions,
        Map<String, String> labels,
        long bytesMax) {
    private static final String CORE = "core";
    private static final long BYTES_MAX = 16L * 1024 * 1024;

    /** That of an object which was validated. */
    static RecordSpec of(JsonNode object, RegisteredClusters registered) {
        JsonNode spec = object.path("spec");
        String[] parts = spec.path("resource").asString("").split("/", -1);
        Map<String, String> labels = new TreeMap<>();
        spec.at("/selector/matchLabels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asString("")));
        return new RecordSpec(
                object.at("/metadata/name").asString(""),
                object.at("/metadata/uid").asString(""),
                object.at("/metadata/generation").asLong(0),
                ClusterSelector.readWithoutAliases(spec.path("clusters"), registered),
                new GroupVersionResource(parts[0].equals(CORE) ? "" : parts[0], parts[1], parts[2]),
                spec.path("conditions").values().stream()
                        .map(type -> type.asString(""))
                        .toList(),
                labels,
                spec.at("/retain/bytes").asLong(BYTES_MAX));
    }

    /** Those of a cluster. */
    WatchedObjects objects(ClusterName cluster) {
        return new WatchedObjects(cluster, resource, labels);
    }
}
