package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ObjectReader;
import io.fairlead.hosted.log.LogEvent;
import io.fairlead.hosted.log.StoreLog;
import io.fairlead.hosted.rbac.BasePolicy;
import io.fairlead.hosted.serve.ClusterKeys;
import io.fairlead.hosted.serve.ServedResource;
import io.fairlead.model.GroupResource;
import io.fairlead.storage.RevisionedStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A few resources of one cluster, kept in memory and up to date by the store's log.
 *
 * <p>Threads: the log's sequencer writes; any thread reads without locks.
 */
final class ObjectCache implements ObjectReader, AutoCloseable {
    private final Map<GroupResource, Resource> resources = new HashMap<>();
    private final List<StoreLog.Following> following = new ArrayList<>();

    ObjectCache(RevisionedStore store, StoreLog log, List<ServedResource> cached) {
        for (ServedResource served : cached) {
            Resource resource = new Resource(served);
            resources.put(served.groupResource(), resource);
            following.add(log.follow(served.prefix(), resource::apply, revision -> resource.fill(store, revision)));
        }
    }

    @Override
    public List<ObjectNode> list(GroupResource resource, String namespace) {
        Resource cache = resource(resource);
        String prefix = cache.served.prefix(namespace);
        return List.copyOf(
                cache.objects.subMap(prefix, prefix + Character.MAX_VALUE).values());
    }

    @Override
    public @Nullable ObjectNode get(GroupResource resource, String namespace, String name) {
        Resource cache = resource(resource);
        return cache.objects.get(cache.served.prefix(namespace) + ClusterKeys.segment(name));
    }

    @Override
    public long revision(GroupResource resource) {
        return resource(resource).revision;
    }

    @Override
    public void close() {
        following.forEach(StoreLog.Following::close);
    }

    private Resource resource(GroupResource resource) {
        Resource cache = resources.get(resource);
        if (cache == null) {
            throw new IllegalArgumentException("resource " + resource + " is not cached");
        }
        return cache;
    }

    private static final class Resource {
        private final ServedResource served;
        private final NavigableMap<String, ObjectNode> objects = new ConcurrentSkipListMap<>();
        private volatile long revision;

        Resource(ServedResource served) {
            this.served = served;
        }

        void fill(RevisionedStore store, long at) {
            store.list(served.prefix(), null, 0, at)
                    .forEach(entry -> objects.put(entry.key(), shared(served.read(entry))));
            revision = at;
        }

        /** What every cluster holds is kept once. */
        private static ObjectNode shared(ObjectNode object) {
            BasePolicy.share(object);
            return object;
        }

        void apply(LogEvent event) {
            byte[] value = event.value();
            if (value == null) {
                objects.remove(event.key());
            } else {
                objects.put(event.key(), shared(served.read(value, event.revision())));
            }
            revision = event.revision();
        }
    }
}
