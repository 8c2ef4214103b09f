package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.exclusive.KeyExpression.NotRenderedException;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.ObjectClaims.Incarnation;
import io.fairlead.schema.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a rule with look-ups keeps of the objects of a cluster, as JSON: those that are looked up, and the parts of those that
 * claim keys which the expressions read, so that they can be rendered again when a looked-up one changes.
 *
 * <p>Confined to its owner.
 */
final class KeptObjects {
    /** Beside the texts. */
    private static final int ENTRY_BYTES = 400;

    private final long bytesMax;

    /** Of all clusters of the rule. */
    private final AtomicLong bytes;

    private final Map<ObjectKey, Claimed> claimants = new HashMap<>();
    private final List<Map<ObjectKey, Found>> found = new ArrayList<>();
    private final Map<Reference, Set<ObjectKey>> referring = new HashMap<>();

    /** An object that claims keys. */
    record Claimant(Incarnation object, JsonNode projection, List<ObjectKey> references) {}

    private record Claimed(Incarnation object, byte[] json, List<ObjectKey> references) {}

    /** @param isListed whether it was in the present list */
    private record Found(byte[] json, boolean isListed) {}

    /** A name that is referred to, in whatever namespace: a resource without namespaces is found from any. */
    private record Reference(int lookup, String name) {}

    /**
     * Nothing yet.
     *
     * @param lookups how many there are
     * @param bytes what all clusters of the rule keep
     */
    KeptObjects(int lookups, AtomicLong bytes, long bytesMax) {
        this.bytes = bytes;
        this.bytesMax = bytesMax;
        for (int i = 0; i < lookups; i++) {
            found.add(new HashMap<>());
        }
    }

    /** Keeps what expressions read of an object. */
    void keep(Incarnation object, JsonNode projection, List<ObjectKey> references) throws NotRenderedException {
        drop(object.key());
        byte[] json = Json.write(projection);
        if (!take(json.length)) {
            throw new NotRenderedException(
                    "what the rule keeps for its look-ups takes more than " + bytesMax + " bytes");
        }
        claimants.put(object.key(), new Claimed(object, json, references));
        for (int i = 0; i < references.size(); i++) {
            referring
                    .computeIfAbsent(new Reference(i, references.get(i).name()), _ -> new HashSet<>())
                    .add(object.key());
        }
    }

    void drop(ObjectKey key) {
        Claimed gone = claimants.remove(key);
        if (gone == null) {
            return;
        }
        give(gone.json().length);
        for (int i = 0; i < gone.references().size(); i++) {
            referring.computeIfPresent(new Reference(i, gone.references().get(i).name()), (_, keys) -> {
                keys.remove(key);
                return keys.isEmpty() ? null : keys;
            });
        }
    }

    /** Drops the objects of which this does not hold. */
    void retain(Predicate<ObjectKey> isKnown) {
        List.copyOf(claimants.keySet()).stream()
                .filter(key -> !isKnown.test(key))
                .forEach(this::drop);
    }

    /** The objects that refer to one. */
    List<Claimant> referringTo(int lookup, ObjectKey key) {
        List<Claimant> all = new ArrayList<>();
        for (ObjectKey each : referring.getOrDefault(new Reference(lookup, key.name()), Set.of())) {
            Claimed kept = claimants.get(each);
            if (kept != null && isMeant(kept.references().get(lookup), key)) {
                all.add(new Claimant(kept.object(), Json.read(kept.json()), kept.references()));
            }
        }
        return all;
    }

    /** Whether what is kept of an object is what it was. */
    @SuppressWarnings("ReferenceEquality") // whatever is kept anew has a list of its own
    boolean isCurrent(Claimant claimant) {
        Claimed now = claimants.get(claimant.object().key());
        return now != null && now.references() == claimant.references();
    }

    /** An object that may be looked up is as it is; whether it was otherwise. Without room for it, it cannot be found. */
    boolean lookedUp(int lookup, ObjectKey key, JsonNode projection) {
        Map<ObjectKey, Found> objects = found.get(lookup);
        byte[] json = Json.write(projection);
        Found before = objects.get(key);
        if (before != null && Arrays.equals(before.json(), json)) {
            objects.put(key, new Found(before.json(), true));
            return false;
        }
        gone(lookup, key);
        if (take(json.length)) {
            objects.put(key, new Found(json, true));
        }
        return true;
    }

    void gone(int lookup, ObjectKey key) {
        Found gone = found.get(lookup).remove(key);
        if (gone != null) {
            give(gone.json().length);
        }
    }

    /** A list of a look-up begins. */
    void listing(int lookup) {
        found.get(lookup).replaceAll((_, one) -> new Found(one.json(), false));
    }

    /** It is complete: drops what was not in it, which it returns. */
    List<ObjectKey> listed(int lookup) {
        List<ObjectKey> gone = found.get(lookup).entrySet().stream()
                .filter(entry -> !entry.getValue().isListed())
                .map(Map.Entry::getKey)
                .toList();
        gone.forEach(key -> gone(lookup, key));
        return gone;
    }

    /** An object that is looked up; null if there is none. One of a resource without namespaces is found from any. */
    @Nullable
    JsonNode find(int lookup, ObjectKey key) {
        Found there = found.get(lookup).get(key);
        if (there == null) {
            there = found.get(lookup).get(new ObjectKey(key.cluster(), "", key.name()));
        }
        return there == null ? null : Json.read(there.json());
    }

    private static boolean isMeant(ObjectKey reference, ObjectKey key) {
        return key.namespace().isEmpty() || key.equals(reference);
    }

    void clear() {
        List.copyOf(claimants.keySet()).forEach(this::drop);
        for (int i = 0; i < found.size(); i++) {
            int lookup = i;
            List.copyOf(found.get(i).keySet()).forEach(key -> gone(lookup, key));
        }
    }

    private boolean take(int length) {
        if (bytes.addAndGet(length + ENTRY_BYTES) <= bytesMax) {
            return true;
        }
        give(length);
        return false;
    }

    private void give(int length) {
        bytes.addAndGet(-length - ENTRY_BYTES);
    }
}
