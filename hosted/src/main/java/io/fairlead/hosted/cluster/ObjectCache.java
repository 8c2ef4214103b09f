package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ObjectReader;
import io.fairlead.hosted.meta.Meta;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.model.GroupResource;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A few resources of one cluster, kept in memory and up to date by a {@link Follower}. While the follower is behind,
 * the cache may be stale and answers nothing, since rights are decided by it.
 *
 * <p>Threads: the follower's writes; any thread reads without locks.
 */
final class ObjectCache implements ObjectReader {
    private static final int RETRY_AFTER_SECONDS = 1;

    private final Follower follower;
    private final Map<GroupResource, Resource> resources = new HashMap<>();

    /**
     * A cache that is empty until the follower starts.
     *
     * @param bytes counts what it keeps
     */
    ObjectCache(Follower follower, KeptBytes bytes, List<ServedResource> cached) {
        this.follower = follower;
        for (ServedResource served : cached) {
            Resource resource = new Resource(served, bytes);
            resources.put(served.groupResource(), resource);
            follower.follow(served.prefix(), resource);
        }
    }

    @Override
    public List<ObjectNode> list(GroupResource resource, String namespace) {
        Resource cache = resource(resource);
        String prefix = cache.served.prefix(namespace);
        return cache.objects.subMap(prefix, prefix + Character.MAX_VALUE).values().stream()
                .map(KeptObject::object)
                .toList();
    }

    @Override
    public @Nullable ObjectNode get(GroupResource resource, String namespace, String name) {
        Resource cache = resource(resource);
        KeptObject kept = cache.objects.get(cache.served.prefix(namespace) + ClusterKeys.segment(name));
        return kept == null ? null : kept.object();
    }

    @Override
    public long revision(GroupResource resource) {
        if (!isCurrent()) {
            throw new StatusException(Status.withCause(
                    503,
                    "ServiceUnavailable",
                    "the cluster's rights are not known at present, since changes of its store could not be read"
                            + " (expected to pass soon; try again)",
                    "RightsNotCurrent",
                    RETRY_AFTER_SECONDS));
        }
        return resource(resource).revision;
    }

    @Override
    public boolean isCurrent() {
        return follower.isCurrent();
    }

    /** Runs an action, which must not block, whenever the cache applies a change of a resource. */
    void onChange(GroupResource resource, Runnable step) {
        resource(resource).steps.add(step);
    }

    private Resource resource(GroupResource resource) {
        Resource cache = resources.get(resource);
        if (cache == null) {
            throw new IllegalArgumentException("resource " + resource + " is not cached");
        }
        return cache;
    }

    private static final class Resource implements Follower.Target {
        private final ServedResource served;
        private final KeptBytes bytes;
        private final NavigableMap<String, KeptObject> objects = new ConcurrentSkipListMap<>();
        private final List<Runnable> steps = new CopyOnWriteArrayList<>();
        private volatile long revision;

        Resource(ServedResource served, KeptBytes bytes) {
            this.served = served;
            this.bytes = bytes;
        }

        @Override
        public void start(List<Entry> entries, long at) {
            entries.forEach(entry -> objects.put(entry.key(), keep(entry)));
            revision = at;
        }

        @Override
        public void put(Entry entry) {
            KeptObject object = keep(entry);
            KeptObject before = objects.put(entry.key(), object);
            if (before == null || !revision(before).equals(revision(object))) {
                shown(entry.revision());
            }
        }

        @Override
        public void remove(String key, long at) {
            if (objects.remove(key) != null) {
                shown(at);
            }
        }

        private KeptObject keep(Entry entry) {
            KeptObject kept = KeptObject.of(served.read(entry));
            switch (kept) {
                case KeptObject.Whole _ -> bytes.hold(entry.key());
                case KeptObject.Unchanged _ -> bytes.share(entry);
            }
            return kept;
        }

        private void shown(long at) {
            // A retried change may arrive after newer ones, and counts as a change all the same.
            revision = Math.max(revision + 1, at);
            steps.forEach(Runnable::run);
        }

        private static String revision(KeptObject kept) {
            return Meta.resourceVersion(kept.object());
        }
    }
}
