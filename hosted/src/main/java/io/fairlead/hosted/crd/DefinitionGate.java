package io.fairlead.hosted.crd;

import io.fairlead.hosted.DefinitionState;
import io.fairlead.hosted.objects.ClusterBudget;
import io.fairlead.hosted.objects.CommitGuard;
import io.fairlead.hosted.objects.WriteGate;
import io.fairlead.hosted.verbs.StaleResourceException;
import io.fairlead.model.GroupResource;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Write;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/*
 * Problem: a custom resource is checked against its definition and committed a moment later. If the definition changes
 * in between, an object that violates the new schema would be stored with a revision above the change. Earlier still,
 * pins judged the request by the definition in the index, which may be older or newer.
 *
 * Invariant: no object is committed at a revision above that of a change of its definition unless it was checked
 * against the definition as that change left it; and, if the request was judged by a state of the definition, unless it
 * is that one.
 *
 * Concurrency: writers of objects share a definition's lock from before the check until after the commit; a change of
 * the definition is committed exclusively. A writer that enters after a change finds a revision that the cluster does
 * not serve yet, or that its resource was compiled from an older state, and looks it up or has it judged again.
 */

/**
 * Synchronises writes of custom resources with changes of their definitions, by one lock per definition of a cluster.
 *
 * <p>Threads: any; {@link #show} is called by one at a time.
 */
public final class DefinitionGate {
    /** The resource of definitions. */
    public static final GroupResource DEFINITIONS =
            new GroupResource("apiextensions.k8s.io", "customresourcedefinitions");

    /** Its discovery and OpenAPI documents have 15 kB, and twelve times this is allowed for. */
    private static final long BYTES_OF_VERSION = 1_280;

    private final Map<String, Place> places = new ConcurrentHashMap<>();
    private final ClusterBudget.OfCluster bytes;

    /** The gate of a cluster whose definitions count against a budget. */
    public DefinitionGate(ClusterBudget.OfCluster bytes) {
        this.bytes = bytes;
    }

    /**
     * What a definition counts: its bytes as stored, and for each version as many as make up for the documents of that version,
     * which are there however short it is.
     */
    public static long bytes(JsonNode definition, int storedBytes) {
        return storedBytes
                + BYTES_OF_VERSION * definition.path("spec").path("versions").size();
    }

    /** Registers a stored definition, even beyond the budget. */
    public void stored(String definition, long sizeBytes) {
        bytes.hold(definition, sizeBytes);
    }

    /** The guard of the definitions themselves, whose commits are the changes. */
    public CommitGuard ofDefinitions(String prefix) {
        return new CommitGuard() {
            @Override
            public CommitResult commit(RevisionedStore store, Write write) {
                return change(write.key().substring(prefix.length()), store, write);
            }
        };
    }

    /**
     * The guard of a definition's objects.
     *
     * @param made the compiled definition; the guard opens as long as this is the current one
     */
    CommitGuard of(String definition, Object made) {
        return new OfObjects(definition, made, new DefinitionState.Any());
    }

    /**
     * The cluster serves a state of a definition from now on.
     *
     * @param made what it was compiled to, null if the definition is gone
     * @param revision of the state
     */
    public void show(String definition, @Nullable Object made, long revision) {
        Place place = places.computeIfAbsent(definition, name -> new Place());
        place.made = made;
        place.shown = revision;
        if (made == null) {
            abandon(definition, place);
        }
    }

    /** A lock is dropped once no change of the definition waits to be shown. */
    private void abandon(String definition, Place place) {
        place.lock.writeLock().lock();
        try {
            if (place.committed <= place.shown) {
                place.abandoned = true;
                places.remove(definition, place);
            }
        } finally {
            place.lock.writeLock().unlock();
        }
    }

    private CommitResult change(String definition, RevisionedStore store, Write write) {
        while (true) {
            Place place = places.computeIfAbsent(definition, name -> new Place());
            place.lock.writeLock().lock();
            try {
                if (!place.abandoned) {
                    CommitResult result = commit(definition, store, write);
                    if (result instanceof CommitResult.Committed(long revision)) {
                        place.committed = revision;
                    }
                    return result;
                }
            } finally {
                forgetUnlessKnown(definition, place);
                place.lock.writeLock().unlock();
            }
        }
    }

    /** A refused creation leaves no entry. */
    private void forgetUnlessKnown(String definition, Place place) {
        if (place.made == null && place.committed <= place.shown && place.committed == 0) {
            place.abandoned = true;
            places.remove(definition, place);
        }
    }

    private CommitResult commit(String definition, RevisionedStore store, Write write) {
        long size = write instanceof Write.Put put ? bytes(Json.read(put.value()), put.value().length) : 0;
        return bytes.commit(DEFINITIONS, definition, size, () -> store.commit(write));
    }

    /** The guard of a definition's objects; open while the compiled and judged states are the current ones. */
    private final class OfObjects implements CommitGuard {
        private final String definition;
        private final Object made;
        private final DefinitionState judged;

        OfObjects(String definition, Object made, DefinitionState judged) {
            this.definition = definition;
            this.made = made;
            this.judged = judged;
        }

        @Override
        public WriteGate.Passage enter() {
            Place place = places.get(definition);
            if (place == null) {
                throw new StaleResourceException();
            }
            Lock lock = place.lock.readLock();
            lock.lock();
            if (!place.isCurrent(made) || !judged.isAt(place.shown)) {
                lock.unlock();
                throw new StaleResourceException();
            }
            return lock::unlock;
        }

        @Override
        public CommitGuard judgedBy(DefinitionState state) {
            return new OfObjects(definition, made, state);
        }
    }

    /** The state of one definition. */
    private static final class Place {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        /** The newest change of this process; guarded, as the fields below, by the lock. */
        private long committed;

        private boolean abandoned;
        private volatile long shown;
        private volatile @Nullable Object made;

        /** Hold the read lock. */
        boolean isCurrent(Object known) {
            return !abandoned && committed <= shown && known.equals(made);
        }
    }
}
