package io.fairlead.fleet.conditions;

import io.fairlead.fleet.informers.ClusterCalls;
import io.fairlead.fleet.informers.ObjectListener;
import io.fairlead.index.conditions.ConditionClaim;
import io.fairlead.index.conditions.ConditionStore;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.model.ClusterName;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Observes the objects of one record in one cluster: what is said of them becomes rows of the record's store. To be listed
 * again adds none, but for what is another than before.
 *
 * <p>Threads: the informer's.
 */
final class Observation implements ObjectListener {
    private final ClusterName cluster;
    private final List<String> conditions;
    private final ConditionStore store;
    private final InstantSource clock;
    private final Sink sink;

    /** Those that the sink does not have yet. */
    private List<ConditionStore.Added> rows = new ArrayList<>();

    /** What a list has so far; null after it. */
    private @Nullable Present present;

    /** Takes the rows that were added. */
    @FunctionalInterface
    interface Sink {
        /**
         * Rows were added.
         *
         * @param kind of the objects
         */
        void added(List<ConditionStore.Added> rows, String kind, ClusterCalls calls) throws InterruptedException;
    }

    Observation(ClusterName cluster, ConditionStore store, InstantSource clock, Sink sink) {
        this.cluster = cluster;
        this.conditions = store.conditions();
        this.store = store;
        this.clock = clock;
        this.sink = sink;
    }

    @Override
    public void listing() {
        present = new Present();
    }

    @Override
    public void seen(JsonNode object) {
        ObjectKey key = key(object);
        String uid = object.at("/metadata/uid").asString("");
        Map<String, ConditionClaim> claims = ConditionReader.claims(object, conditions);
        rows.addAll(store.seen(key, uid, claims, version(object), clock.instant()));
        if (present != null) {
            present.add(key);
        }
    }

    @Override
    public void removed(JsonNode object) {
        rows.addAll(store.removed(key(object), version(object), clock.instant()));
    }

    @Override
    public void listed(String resourceVersion) {
        if (present != null) {
            rows.addAll(store.listed(cluster, present.keys, resourceVersion, clock.instant()));
            present = null;
        }
    }

    @Override
    public void flush(String kind, ClusterCalls calls) throws InterruptedException {
        List<ConditionStore.Added> added = rows;
        rows = new ArrayList<>();
        sink.added(added, kind, calls);
    }

    private ObjectKey key(JsonNode object) {
        return new ObjectKey(
                cluster,
                object.at("/metadata/namespace").asString(""),
                object.at("/metadata/name").asString(""));
    }

    private static String version(JsonNode object) {
        return object.at("/metadata/resourceVersion").asString("");
    }

    /** What the pages of a list have so far. */
    private final class Present {
        private static final int KEYS_MIN = 100;

        private final Set<ObjectKey> keys = new HashSet<>();
        private int sweptAt = KEYS_MIN;

        /** Keeps no more than the store bounds. */
        void add(ObjectKey key) {
            keys.add(key);
            if (keys.size() > 2 * sweptAt) {
                keys.removeIf(each -> store.of(each).isEmpty());
                sweptAt = Math.max(keys.size(), KEYS_MIN);
            }
        }
    }
}
