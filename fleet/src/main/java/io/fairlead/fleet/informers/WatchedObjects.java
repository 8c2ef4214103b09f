package io.fairlead.fleet.informers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import java.net.URLEncoder;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The objects of a resource in a cluster, maybe only those with some labels.
 *
 * @param labels that an object must have; all objects if there are none
 */
public record WatchedObjects(ClusterName cluster, GroupVersionResource resource, Map<String, String> labels) {
    public WatchedObjects {
        labels = Map.copyOf(labels);
    }

    /** All objects of a resource. */
    public WatchedObjects(ClusterName cluster, GroupVersionResource resource) {
        this(cluster, resource, Map.of());
    }

    /** The path of all objects of the resource in the cluster. */
    public String path() {
        return resource.path();
    }

    /** The query parameter for the labels, after another one; empty if there are none. */
    String labelQuery() {
        return labels.isEmpty()
                ? ""
                : "&labelSelector="
                        + URLEncoder.encode(
                                new TreeMap<>(labels)
                                        .entrySet().stream()
                                                .map(label -> label.getKey() + "=" + label.getValue())
                                                .collect(Collectors.joining(",")),
                                UTF_8);
    }

    @Override
    public String toString() {
        return cluster + ":" + path() + (labels.isEmpty() ? "" : new TreeMap<>(labels));
    }
}
