package io.fairlead.index.conditions;

import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The time lines of the objects of one record, in at most a number of bytes: beyond it those of the object that changed
 * the longest ago are dropped, and its next observation is a first sight.
 *
 * <p>Threads: any; one lock, under which nothing is waited for.
 */
public final class ConditionStore {
    /** The entries of two maps, the key and the uid; measured generously. */
    private static final int OBJECT_BYTES = 400;

    private static final int LINE_BYTES = 160;

    private final List<String> conditions;
    private final long bytesMax;

    /** The object that changed the longest ago comes first. */
    private final Map<ObjectKey, Observed> objects = new LinkedHashMap<>();

    private long bytes;
    private long evicted;

    /**
     * An object.
     *
     * @param isCurrent whether this process has observed it
     */
    private record Observed(String uid, Map<String, TimeLine> lines, boolean isCurrent) {
        long bytes(ObjectKey key) {
            long sum = (long) OBJECT_BYTES
                    + uid.length()
                    + key.namespace().length()
                    + key.name().length();
            for (Map.Entry<String, TimeLine> line : lines.entrySet()) {
                sum += LINE_BYTES + line.getKey().length() + line.getValue().bytes();
            }
            return sum;
        }
    }

    /** A row that was added. */
    public record Added(ObjectKey object, String uid, String condition, ConditionRow row) {}

    /**
     * An empty one.
     *
     * @param conditions the types that are recorded
     */
    public ConditionStore(List<String> conditions, long bytesMax) {
        this.conditions = List.copyOf(conditions);
        this.bytesMax = bytesMax;
    }

    /** The types of conditions that are recorded. */
    public List<String> conditions() {
        return conditions;
    }

    /**
     * An object is observed.
     *
     * @param claims what it says, by the type; a recorded condition that is not among them is absent
     * @param resourceVersion of the object
     * @return the rows that this adds
     */
    public synchronized List<Added> seen(
            ObjectKey key, String uid, Map<String, ConditionClaim> claims, String resourceVersion, Instant now) {
        Observed known = objects.get(key);
        boolean isSame = known != null && known.uid().equals(uid);
        boolean isFirstSight = known == null || !isSame || !known.isCurrent();
        Map<String, TimeLine> lines = new TreeMap<>();
        List<Added> added = new ArrayList<>();
        for (String condition : conditions) {
            ConditionClaim claim = claims.getOrDefault(condition, ConditionClaim.none(resourceVersion));
            TimeLine before = known == null ? TimeLine.EMPTY : known.lines().getOrDefault(condition, TimeLine.EMPTY);
            TimeLine from = isSame ? before : before.anotherObject();
            boolean isNothing = claim.status().isEmpty() && before.rows().isEmpty();
            TimeLine after = isFirstSight && !isNothing ? from.firstSight(claim, now) : from.with(claim, now);
            if (!after.rows().isEmpty()) {
                lines.put(condition, after);
            }
            if (!after.rows().equals(before.rows())) {
                added.add(new Added(key, uid, condition, after.rows().getLast()));
            }
        }
        put(key, new Observed(uid, lines, true), !added.isEmpty() || known == null);
        return added;
    }

    /** An object is gone; the rows that this adds. */
    public synchronized List<Added> removed(ObjectKey key, String resourceVersion, Instant now) {
        Observed known = objects.get(key);
        return known == null ? List.of() : seen(key, known.uid(), Map.of(), resourceVersion, now);
    }

    /** A cluster's list is complete: what is not in it is gone. The rows that this adds. */
    public synchronized List<Added> listed(
            ClusterName cluster, Set<ObjectKey> present, String resourceVersion, Instant now) {
        List<Added> added = new ArrayList<>();
        for (ObjectKey key : List.copyOf(objects.keySet())) {
            if (key.cluster().equals(cluster) && !present.contains(key)) {
                added.addAll(removed(key, resourceVersion, now));
            }
        }
        return added;
    }

    /** A row that another process stored, in the order in which they were added. */
    public synchronized void restore(Added stored) {
        if (!conditions.contains(stored.condition())) {
            return;
        }
        Observed known = objects.get(stored.object());
        boolean isSame = known != null && known.uid().equals(stored.uid());
        Map<String, TimeLine> lines = known == null ? new TreeMap<>() : new TreeMap<>(known.lines());
        TimeLine before = lines.getOrDefault(stored.condition(), TimeLine.EMPTY);
        lines.put(stored.condition(), (isSame ? before : before.anotherObject()).restored(stored.row()));
        put(stored.object(), new Observed(stored.uid(), lines, false), true);
    }

    /** Drops what is kept of a cluster. */
    public synchronized void forget(ClusterName cluster) {
        for (ObjectKey key : new HashSet<>(objects.keySet())) {
            if (key.cluster().equals(cluster)) {
                drop(key);
            }
        }
    }

    /** The time lines of an object by their conditions; none if nothing is kept of it. */
    public synchronized Map<String, TimeLine> of(ObjectKey key) {
        Observed known = objects.get(key);
        return known == null ? Map.of() : Map.copyOf(known.lines());
    }

    /** All rows, those of an object together, that which changed the longest ago first. */
    public synchronized List<Added> all() {
        List<Added> all = new ArrayList<>();
        objects.forEach((key, known) -> known.lines().forEach(rowsOf(all, key, known.uid())));
        return all;
    }

    /** About what it takes of the heap. */
    public synchronized long bytes() {
        return bytes;
    }

    /** How many objects were dropped for want of room. */
    public synchronized long evicted() {
        return evicted;
    }

    private static BiConsumer<String, TimeLine> rowsOf(List<Added> all, ObjectKey key, String uid) {
        return (condition, line) -> line.rows().forEach(row -> all.add(new Added(key, uid, condition, row)));
    }

    /** @param isChange whether the object becomes the one that changed last */
    private void put(ObjectKey key, Observed observed, boolean isChange) {
        Observed before = isChange ? objects.remove(key) : objects.get(key);
        bytes -= before == null ? 0 : before.bytes(key);
        if (observed.lines().isEmpty()) {
            objects.remove(key);
            return;
        }
        objects.put(key, observed);
        bytes += observed.bytes(key);
        while (bytes > bytesMax && !objects.isEmpty()) {
            drop(objects.keySet().iterator().next());
            evicted++;
        }
    }

    private void drop(ObjectKey key) {
        Observed dropped = objects.remove(key);
        bytes -= dropped == null ? 0 : dropped.bytes(key);
    }

    /** For tests: whether the bytes are the sum of those of the objects. */
    synchronized boolean isConsistent() {
        long sum = 0;
        for (Map.Entry<ObjectKey, Observed> object : objects.entrySet()) {
            sum += object.getValue().bytes(object.getKey());
        }
        return sum == bytes && bytes <= bytesMax;
    }
}
