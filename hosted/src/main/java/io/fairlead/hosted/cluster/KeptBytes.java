package io.fairlead.hosted.cluster;

import io.fairlead.hosted.objects.Bytes;
import io.fairlead.hosted.objects.ClusterBudget;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.schema.json.Json;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

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

    private final ClusterBudget.OfCluster budget;
    private final String objects;
    private final List<String> cached;
    private final boolean isBounded;

    /**
     * Of a cluster that is opened.
     *
     * @param objects the prefix of the keys of all objects
     * @param cached the prefixes of the keys of what is cached
     * @param isBounded whether writes beyond the budget are refused; those of the gateway's own administrators are not
     */
    KeptBytes(ClusterBudget.OfCluster budget, String objects, List<String> cached, boolean isBounded) {
        this.budget = budget;
        this.objects = objects;
        this.cached = List.copyOf(cached);
        this.isBounded = isBounded;
    }

    /** Commits a write of an object for which there is room, or throws 403. */
    CommitResult commit(Write write, Function<Write, CommitResult> commit) {
        if (!isBounded || !write.key().startsWith(objects)) {
            return commit.apply(write);
        }
        long bytes = write instanceof Write.Put put ? of(put.key(), put.value()) : 0;
        long before = budget.replace(ClusterKeys.resourceOf(write.key()), write.key(), bytes);
        boolean committed = false;
        try {
            CommitResult result = commit.apply(write);
            committed = result instanceof CommitResult.Committed;
            return result;
        } finally {
            if (!committed) {
                budget.restore(write.key(), before);
            }
        }
    }

    /** Counts an object as it is stored, even beyond the budget. */
    void hold(Entry entry) {
        if (isBounded) {
            budget.hold(entry.key(), of(entry.key(), entry.value()));
        }
    }

    /** Counts an object no more: all clusters share what is kept of it. */
    void share(Entry entry) {
        budget.restore(entry.key(), 0);
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
