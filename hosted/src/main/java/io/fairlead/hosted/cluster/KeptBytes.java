package io.fairlead.hosted.cluster;

import io.fairlead.hosted.objects.Bytes;
import io.fairlead.hosted.objects.ClusterBudget;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/*
 * Invariant: an object is counted as it is stored last. Writes of one object are counted and committed under one lock: of two
 * that meet, the one that is not committed would otherwise restore a count of before the other. Writes that count
 * nothing take no lock: they are committed only if what they were computed from is still stored.
 */

/**
 * What one cluster keeps in memory of what its users write, counted before it is stored: objects of the {@link ObjectCache}, of
 * which there are trees and compiled rules, and owner references, of which the garbage collector has links. The bytes are
 * estimated from the text; of many small parts the heap has ten times as many.
 *
 * <p>Threads: any.
 */
final class KeptBytes {
    private static final byte[] OWNERS = "\"ownerReferences\"".getBytes(StandardCharsets.UTF_8);
    private static final int STRING_BYTES = 90;
    private static final int OBJECT_BYTES = 220;
    private static final int ARRAY_BYTES = 110;
    private static final int LINK_BYTES = 500;

    /** For the objects of all clusters: each cluster's own would take more memory than most clusters do. */
    private static final List<Lock> LOCKS =
            Stream.<Lock>generate(ReentrantLock::new).limit(1024).toList();

    private final RevisionedStore store;
    private final ClusterBudget.OfCluster budget;
    private final String objects;
    private final List<String> cached;
    private final boolean isBounded;

    /**
     * Of a cluster that is opened.
     *
     * @param store to which writes are committed
     * @param objects the prefix of the keys of all objects
     * @param cached the prefixes of the keys of what is cached
     * @param isBounded whether writes beyond the budget are refused; those of the gateway's own administrators are not
     */
    KeptBytes(
            RevisionedStore store,
            ClusterBudget.OfCluster budget,
            String objects,
            List<String> cached,
            boolean isBounded) {
        this.store = store;
        this.budget = budget;
        this.objects = objects;
        this.cached = List.copyOf(cached);
        this.isBounded = isBounded;
    }

    /** Commits a write of an object for which there is room, or throws 403. */
    CommitResult commit(Write write) {
        String key = write.key();
        if (!isBounded || !key.startsWith(objects)) {
            return store.commit(write);
        }
        long bytes = write instanceof Write.Put put ? of(key, put.value()) : 0;
        if (bytes == 0 && !budget.counts(key)) {
            return store.commit(write);
        }
        Lock lock = lockOf(key);
        lock.lock();
        try {
            return budget.commit(ClusterKeys.resourceOf(key), key, bytes, () -> store.commit(write));
        } finally {
            lock.unlock();
        }
    }

    /** Counts an object that was found stored, as it is now, even beyond the budget; nothing if it is counted already. */
    void hold(String key) {
        if (!isBounded || budget.counts(key)) {
            return;
        }
        Lock lock = lockOf(key);
        lock.lock();
        try {
            Entry entry = budget.counts(key) ? null : store.get(key);
            if (entry != null) {
                budget.hold(key, of(key, entry.value()));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Counts an object no more, unless it has changed since: all clusters share what is kept of it. */
    void share(Entry entry) {
        if (isBounded) {
            budget.release(entry.key(), of(entry.key(), entry.value()));
        }
    }

    private static Lock lockOf(String key) {
        return LOCKS.get(Math.floorMod(key.hashCode(), LOCKS.size()));
    }

    private long of(String key, byte[] value) {
        long links = Bytes.contains(value, OWNERS) ? links(value) : 0;
        return cached.stream().anyMatch(key::startsWith) ? links + tree(value) : links;
    }

    private static long links(byte[] value) {
        long bytes = 0;
        for (JsonNode reference : Json.read(value).path("metadata").path("ownerReferences")) {
            bytes += LINK_BYTES
                    + reference.path("name").asString("").length()
                    + reference.path("uid").asString("").length();
        }
        return bytes;
    }

    /** Of a tree and of what is compiled from it. */
    private static long tree(byte[] json) {
        long bytes = json.length;
        boolean isText = false;
        for (int i = 0; i < json.length; i++) {
            switch (json[i]) {
                case '\\' -> i++;
                case '"' -> {
                    isText = !isText;
                    bytes += isText ? STRING_BYTES : 0;
                }
                case '{' -> bytes += isText ? 0 : OBJECT_BYTES;
                case '[' -> bytes += isText ? 0 : ARRAY_BYTES;
                default -> {}
            }
        }
        return bytes;
    }
}
