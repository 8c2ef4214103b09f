package io.fairlead.fleet.exclusive;

import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.index.conditions.ObjectKey;
import io.fairlead.index.conflicts.ConflictPolicy;
import io.fairlead.index.conflicts.KeyHash;
import io.fairlead.index.conflicts.ObjectClaims;
import io.fairlead.index.conflicts.ObjectClaims.Incarnation;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the objects of a rule claim, and which of them are in conflict. An object whose key is not known keeps what it claimed
 * before: it is never taken for one that claims nothing.
 *
 * <p>Threads: any; one lock, under which nothing is waited for.
 */
final class KeyHoldings {
    static final int NAMED_MAX = 32;
    static final int INFORMED_MAX = 20_000;

    private static final int NOT_RENDERED_BYTES = 400;

    /** What is shown of a conflict: its key, and whose claims it has of two objects; of more it takes more. */
    private static final int CONFLICT_BYTES = 1_300;

    private static final Comparator<ObjectKey> BY_NAME =
            Comparator.comparing(ObjectKey::cluster).thenComparing(ObjectKey::path);

    private final ObjectClaims claims;
    private final long bytesMax;

    /** When conflicts began that a process before this one has seen. */
    private final Map<KeyHash, Instant> known;

    private final Set<KeyHash> unsettled = new HashSet<>();
    private final TreeMap<KeyHash, KeyConflict> conflicts = new TreeMap<>();
    private final Map<ObjectKey, Map<KeyHash, KeyConflict>> byObject = new HashMap<>();
    private final TreeMap<ObjectKey, String> notRendered = new TreeMap<>(BY_NAME);
    private boolean isFull;

    /** Whose key became known, or unknown, since the last evaluation. */
    private final Set<ObjectKey> flipped = new HashSet<>();

    /** How many objects all conflicts have together. */
    private int informed;

    /**
     * None yet.
     *
     * @param rule its name
     * @param bytesMax about what all of it may take
     */
    KeyHoldings(String rule, ConflictPolicy policy, Map<KeyHash, Instant> known, long bytesMax, Random chance) {
        this.claims = new ObjectClaims(ExclusiveKeys.KIND, rule, policy, chance);
        this.known = new HashMap<>(known);
        this.bytesMax = bytesMax;
    }

    /**
     * What an object claims by now.
     *
     * @param list counts the lists of its cluster
     */
    synchronized void claims(Incarnation object, Collection<KeyHash> keys, int list) {
        if (hasRoom(object, list)) {
            if (notRendered.remove(object.key()) != null) {
                flipped(object.key());
            }
            unsettled.addAll(claims.put(object, keys, list));
        }
    }

    /** What an object claims is not known. */
    synchronized void notRendered(Incarnation object, String problem, int list) {
        if (hasRoom(object, list)) {
            if (!claims.touch(object.key(), object.uid(), list)) {
                unsettled.addAll(claims.put(object, Set.of(), list));
            }
            if (notRendered.put(object.key(), problem) == null) {
                flipped(object.key());
            }
        }
    }

    private void flipped(ObjectKey object) {
        if (flipped.size() < INFORMED_MAX) {
            flipped.add(object);
        }
    }

    private boolean hasRoom(Incarnation object, int list) {
        if (hasRoom(object.key().cluster()) || claims.touch(object.key(), object.uid(), list)) {
            return true;
        }
        isFull = true;
        return false;
    }

    /**
     * Whether objects of a cluster may claim more. The last quarter of the room is for clusters that have taken less than a
     * quarter: no cluster takes it all.
     */
    synchronized boolean hasRoom(ClusterName cluster) {
        long bytes = claims.bytes()
                + (long) notRendered.size() * NOT_RENDERED_BYTES
                + (long) conflicts.size() * CONFLICT_BYTES;
        return bytes < bytesMax - bytesMax / 4 || (bytes < bytesMax && claims.bytes(cluster) < bytesMax / 4);
    }

    /** An object is gone. */
    synchronized void removed(ObjectKey key) {
        notRendered.remove(key);
        unsettled.addAll(claims.remove(key));
    }

    /** The objects of a cluster that were in no list from this one on are gone. */
    synchronized void listed(ClusterName cluster, int list) {
        unsettled.addAll(claims.removeBefore(cluster, list));
        notRendered.keySet().removeIf(key -> key.cluster().equals(cluster) && !claims.has(key));
    }

    /** Outputs of an object may be live, or are gone. */
    synchronized void setLive(ObjectKey key, boolean isLive) {
        unsettled.addAll(claims.setLive(key, isLive));
    }

    /** A cluster is not compared any more. */
    void forget(ClusterName cluster) {
        listed(cluster, Integer.MAX_VALUE);
    }

    synchronized boolean has(ObjectKey key) {
        return claims.has(key);
    }

    /** The objects that claim a key. */
    synchronized List<ObjectKey> claimants(KeyHash key) {
        return claims.claimants(key, Integer.MAX_VALUE).stream()
                .map(Incarnation::key)
                .toList();
    }

    /** Whether there was no room for an object, and there would be now: all must be compared anew. */
    synchronized boolean hasRoomAgain() {
        return isFull && claims.bytes() < bytesMax / 2;
    }

    /** Whether there was no room for an object. */
    synchronized boolean isFull() {
        return isFull;
    }

    /**
     * What may have changed since the last time.
     *
     * @param objects that may stand otherwise
     * @param keys that others may claim than before
     */
    record Settled(Set<ObjectKey> objects, Set<KeyHash> keys) {}

    /** Evaluates the keys that may have changed. */
    synchronized Settled settle(Instant now, ConflictTransitions transitions) {
        Set<ObjectKey> concerned = new HashSet<>(flipped);
        flipped.clear();
        Set<KeyHash> present = claims.conflicts();
        for (KeyHash key : unsettled) {
            KeyConflict before = conflicts.remove(key);
            if (before != null) {
                informed -= before.holders().size();
                for (ObjectKey object : before.holders()) {
                    concerned.add(object);
                    byObject.computeIfPresent(object, (_, keys) -> {
                        keys.remove(key);
                        return keys.isEmpty() ? null : keys;
                    });
                }
            }
            if (present.contains(key)) {
                boolean isNew = before == null && !known.containsKey(key);
                Instant began = before == null ? began(key, now) : before.since();
                List<ObjectKey> holders = informed(key);
                KeyConflict after =
                        new KeyConflict(key, began, claims.first(key, NAMED_MAX), claims.count(key), holders);
                conflicts.put(key, after);
                resolved(before, Set.copyOf(holders), transitions);
                Set<ObjectKey> past = before == null ? Set.of() : Set.copyOf(before.holders());
                for (ObjectKey object : holders) {
                    if (isNew || (before != null && !past.contains(object))) {
                        transitions.began(ExclusiveKeys.KIND);
                    }
                    byObject.computeIfAbsent(object, _ -> new TreeMap<>()).put(key, after);
                    concerned.add(object);
                }
            } else {
                resolved(before, Set.of(), transitions);
            }
        }
        Settled settled = new Settled(concerned, Set.copyOf(unsettled));
        unsettled.clear();
        return settled;
    }

    private static void resolved(@Nullable KeyConflict before, Set<ObjectKey> now, ConflictTransitions transitions) {
        if (before != null) {
            before.holders().stream()
                    .filter(object -> !now.contains(object))
                    .forEach(_ -> transitions.resolved(ExclusiveKeys.KIND));
        }
    }

    /** As many as there is room for: each of them takes memory of its own. */
    private List<ObjectKey> informed(KeyHash key) {
        int room = INFORMED_MAX - informed;
        List<ObjectKey> holders =
                claims.claimants(key, room).stream().map(Incarnation::key).toList();
        informed += holders.size();
        return holders;
    }

    private Instant began(KeyHash key, Instant now) {
        Instant stored = known.remove(key);
        return stored == null ? now.truncatedTo(ChronoUnit.SECONDS) : stored;
    }

    /** The conflicts of an object, by key. */
    synchronized Map<KeyHash, ObjectConflict> of(ObjectKey object) {
        Map<KeyHash, ObjectConflict> own = new TreeMap<>();
        byObject.getOrDefault(object, Map.of())
                .forEach((key, conflict) -> claims.claim(object, key)
                        .ifPresent(claim -> own.put(key, new ObjectConflict(conflict, claim))));
        return own;
    }

    /** Why the key of an object is not known; null if it is. */
    synchronized @Nullable String problem(ObjectKey object) {
        return notRendered.get(object);
    }

    /** What the status says. */
    record Summary(
            int objects,
            int conflictsTotal,
            List<KeyConflict> conflicts,
            int notRenderedTotal,
            Map<ObjectKey, String> notRendered,
            boolean isFull) {}

    /** That of the first conflicts, and of the first objects whose key is not known. */
    synchronized Summary summary(int conflictsMax, int notRenderedMax) {
        List<KeyConflict> first =
                new ArrayList<>(conflicts.values().stream().limit(conflictsMax).toList());
        Map<ObjectKey, String> problems = new TreeMap<>(BY_NAME);
        notRendered.entrySet().stream()
                .limit(notRenderedMax)
                .forEach(entry -> problems.put(entry.getKey(), entry.getValue()));
        return new Summary(claims.objects(), conflicts.size(), first, notRendered.size(), problems, isFull);
    }

    /** All conflicts, in the order of their keys. */
    synchronized List<KeyConflict> conflicts() {
        return List.copyOf(conflicts.values());
    }
}
