package io.fairlead.hosted.cluster;

import io.fairlead.hosted.ObjectReader;
import io.fairlead.hosted.log.LogEvent;
import io.fairlead.hosted.log.StoreLog;
import io.fairlead.hosted.rbac.BasePolicy;
import io.fairlead.hosted.serve.ClusterKeys;
import io.fairlead.hosted.serve.ServedResource;
import io.fairlead.model.GroupResource;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.storage.RevisionedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A few resources of one cluster, kept in memory and up to date by the store's log. Where that log has not told of changes for
 * longer than {@link #STALE_AFTER}, or an event could not be read, what is in memory may be what is not true any more: then
 * nothing is answered, since rights are decided by it.
 *
 * <p>Threads: the log's sequencer writes; any thread reads without locks.
 */
final class ObjectCache implements ObjectReader, AutoCloseable {
    /** For how long changes may wait until what is in memory counts as unknown. */
    static final Duration STALE_AFTER = Duration.ofSeconds(3);

    private static final int RETRY_AFTER_SECONDS = 1;
    private static final Logger LOG = LoggerFactory.getLogger(ObjectCache.class);

    private final StoreLog log;
    private final Map<GroupResource, Resource> resources = new HashMap<>();
    private final List<StoreLog.Following> following = new ArrayList<>();

    ObjectCache(RevisionedStore store, StoreLog log, List<ServedResource> cached) {
        this.log = log;
        for (ServedResource served : cached) {
            Resource resource = new Resource(served);
            resources.put(served.groupResource(), resource);
            following.add(log.follow(
                    served.prefix(),
                    event -> resource.apply(store, event),
                    revision -> resource.fill(store, revision)));
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
        return isCurrent(log) && resources.values().stream().noneMatch(resource -> resource.missedAnEvent);
    }

    /** Whether followers of a log know what clients were told, but for the last moments. */
    static boolean isCurrent(StoreLog log) {
        return log.behind().compareTo(STALE_AFTER) <= 0;
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
        private volatile boolean missedAnEvent;

        Resource(ServedResource served) {
            this.served = served;
        }

        void fill(RevisionedStore store, long at) {
            Set<String> found = new HashSet<>();
            for (RevisionedStore.Entry entry : store.list(served.prefix(), null, 0, at)) {
                objects.put(entry.key(), shared(served.read(entry)));
                found.add(entry.key());
            }
            objects.keySet().retainAll(found);
            revision = at;
            missedAnEvent = false;
        }

        /** What every cluster holds is kept once. */
        private static ObjectNode shared(ObjectNode object) {
            BasePolicy.share(object);
            return object;
        }

        /** What an event could not be read of is read from the store with the next one. */
        void apply(RevisionedStore store, LogEvent event) {
            try {
                if (missedAnEvent) {
                    fill(store, event.revision());
                } else {
                    put(event);
                }
            } catch (RuntimeException | Error e) {
                missedAnEvent = true;
                LOG.atError()
                        .setCause(e)
                        .addKeyValue("key", event.key())
                        .addKeyValue("revision", event.revision())
                        .log("A cached object cannot be read; rights that rest on it are refused");
            }
        }

        private void put(LogEvent event) {
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
