package io.fairlead.fleet.publication;

import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.informers.ObjectListener;
import io.fairlead.fleet.informers.Subscription;
import io.fairlead.fleet.informers.WatchedObjects;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersionResource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Follows what this installation has published in its targets, so that a change there is looked at without a pause.
 *
 * <p>Threads: {@link #follow} and {@link #close} are for one; changes are told by those of the informers.
 */
final class TargetWatches implements AutoCloseable {
    private static final List<GroupVersionResource> FOLLOWED = List.of(
            new GroupVersionResource("", "v1", "services"),
            new GroupVersionResource("discovery.k8s.io", "v1", "endpointslices"),
            new GroupVersionResource("apiregistration.k8s.io", "v1", "apiservices"));

    private final Informers informers;
    private final String installation;
    private final Consumer<ClusterName> changed;
    private final Map<ClusterName, List<Subscription>> followed = new HashMap<>();

    /** @param changed called when an object was made, changed or deleted; must not block */
    TargetWatches(Informers informers, String installation, Consumer<ClusterName> changed) {
        this.informers = informers;
        this.installation = installation;
        this.changed = changed;
    }

    /** Follows the objects of these clusters, and of no others. */
    void follow(Collection<ClusterName> clusters) {
        followed.entrySet().removeIf(entry -> {
            boolean isOver = !clusters.contains(entry.getKey());
            if (isOver) {
                entry.getValue().forEach(Subscription::close);
            }
            return isOver;
        });
        for (ClusterName cluster : clusters) {
            followed.computeIfAbsent(cluster, this::begin);
        }
    }

    private List<Subscription> begin(ClusterName cluster) {
        ObjectListener listener = new ObjectListener() {
            @Override
            public void seen(JsonNode object) {
                changed.accept(cluster);
            }

            @Override
            public void removed(JsonNode object) {
                changed.accept(cluster);
            }

            @Override
            public void listed(String resourceVersion) {
                changed.accept(cluster);
            }
        };
        return FOLLOWED.stream()
                .map(resource -> informers.follow(
                        new WatchedObjects(cluster, resource, Map.of(PublishedObject.INSTALLATION, installation)),
                        listener))
                .toList();
    }

    @Override
    public void close() {
        followed.values().forEach(subscriptions -> subscriptions.forEach(Subscription::close));
        followed.clear();
    }
}
