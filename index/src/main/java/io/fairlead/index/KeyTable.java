package io.fairlead.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Why numbers: ten thousand clusters serve a few hundred different keys. Each key is stored once here and gets a
 * number; a cluster's view is a set of numbers, and equal sets are one object. Numbers of keys that no cluster serves
 * any more are reused; otherwise a fleet with changing tenants would fill the memory. A reader that looked a number up
 * just before may then see another key's number. It therefore reads how many keys were retired before it reads the view
 * and after it found the number: if none was in between, the number meant the same to both. This needs the writer's
 * order: add keys, publish the view, release the old view's keys; a release increments the count before it frees a
 * number, so that a reader of the number's next owner sees the count. A client that can name an API group can cause
 * hash collisions, but these only lengthen the probes of nearby look-ups; the claims of one cluster are limited.
 */
/**
 * Every key that some cluster of the fleet serves, each with its number, and the shared sets of them.
 *
 * <p>Threads: a lock serialises writers, taken inside a ledger's stripe and never around one; {@link #find} takes no
 * lock and allocates nothing.
 */
final class KeyTable {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Key[].class);
    private static final Key REMOVED = new Key(new Claim("", "", ""), 0, -1);
    private static final int CAPACITY_MIN = 64;

    private final ReentrantLock lock = new ReentrantLock();
    /** Open addressing, linear probing, a power of two long, at most half full including {@link #REMOVED}. */
    private volatile @Nullable Key[] table = new Key[CAPACITY_MIN];

    /** Written under the lock. */
    private volatile int retirements;

    private int slotsUsed;
    private @Nullable Key[] byId = new Key[CAPACITY_MIN];
    /**
     * The number of views that retain each key, by number. Separate from the keys, which readers have in their caches.
     */
    private int[] references = new int[CAPACITY_MIN];

    private final BitSet idsUsed = new BitSet();
    private final Map<KeySet, KeySet> sets = new HashMap<>();

    /** The key of a resource, or one of the pseudo resources in {@link Key}; null if no cluster serves it. */
    @Nullable
    Key find(String group, String version, String resource) {
        @Nullable Key[] slots = table;
        int hash = Key.hash(group, version, resource);
        int mask = slots.length - 1;
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            Key key = (Key) ELEMENT.getAcquire(slots, i);
            if (key == null || key.is(hash, group, version, resource)) {
                return key == REMOVED ? null : key;
            }
        }
    }

    /** Counts the keys whose numbers were freed. */
    int retirements() {
        return retirements;
    }

    /** The empty set of keys, retained for a cluster's first view. */
    ClaimedKeys holdNone() {
        lock.lock();
        try {
            return new ClaimedKeys(share(KeySet.of(new int[0])), KeyBag.EMPTY);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The keys of a cluster's holders, retained for a view that replaces another; {@link #release} frees that one's.
     */
    ClaimedKeys hold(ClaimedKeys before, List<Holder> holders) {
        lock.lock();
        try {
            int[] ids = ids(holders);
            ClaimedKeys after = new ClaimedKeys(KeySet.of(distinct(ids)), KeyBag.repeatsIn(ids));
            return hold(before, after);
        } finally {
            lock.unlock();
        }
    }

    /** The same after one holder was added, replaced or removed. */
    ClaimedKeys hold(ClaimedKeys before, @Nullable Holder from, @Nullable Holder to) {
        lock.lock();
        try {
            return hold(before, before.changed(ids(from), ids(to)));
        } finally {
            lock.unlock();
        }
    }

    /** Releases the keys of a replaced view; retires those that no view retains. */
    void release(ClaimedKeys before, ClaimedKeys after) {
        lock.lock();
        try {
            giveUp(before.keys());
            before.keys().forEachBeyond(after.keys(), this::releaseKey);
        } finally {
            lock.unlock();
        }
    }

    /** Releases the keys of a cluster's last view. */
    void releaseAll(ClaimedKeys last) {
        lock.lock();
        try {
            giveUp(last.keys());
            last.keys().forEach(this::releaseKey);
        } finally {
            lock.unlock();
        }
    }

    /** How many distinct keys the fleet serves. */
    int size() {
        lock.lock();
        try {
            return idsUsed.cardinality();
        } finally {
            lock.unlock();
        }
    }

    /** The claims behind a retained set. */
    List<Claim> claims(KeySet set) {
        lock.lock();
        try {
            List<Claim> claims = new ArrayList<>(set.size());
            set.forEach(id -> claims.add(key(id).claim));
            return claims;
        } finally {
            lock.unlock();
        }
    }

    /** Throws unless these are the keys that several of the holders claim; each of them is retained. */
    void assertShared(KeyBag shared, List<Holder> holders) {
        lock.lock();
        try {
            require(shared.equals(KeyBag.repeatsIn(ids(holders))), "a key is shared by all of its holders but one");
        } finally {
            lock.unlock();
        }
    }

    /** Throws unless the counts match the given sets, one for each view. */
    void assertConsistent(Collection<KeySet> held) {
        lock.lock();
        try {
            Map<KeySet, Integer> holds = new HashMap<>();
            held.forEach(set -> holds.merge(set, 1, Integer::sum));
            require(holds.keySet().equals(sets.keySet()), "shared key sets are those of the views");
            holds.forEach((set, count) -> require(set.references == count, "a key set is held once for each view"));
            int[] counted = new int[byId.length];
            held.forEach(set -> set.forEach(id -> counted[id]++));
            for (int id = 0; id < byId.length; id++) {
                assertKey(id, counted[id]);
            }
        } finally {
            lock.unlock();
        }
    }

    private void assertKey(int id, int counted) {
        Key key = byId[id];
        require(idsUsed.get(id) == (counted > 0), "a number is in use while a view holds it");
        require((key != null) == (counted > 0), "a key is kept while a view holds it");
        if (key != null) {
            Claim claim = key.claim;
            require(references[id] == counted, "a key is counted once for each view");
            require(find(claim.group(), claim.version(), claim.resource()) == key, "a key can be found");
        }
    }

    private static void require(boolean condition, String rule) {
        if (!condition) {
            throw new AssertionError("index: broken rule: " + rule);
        }
    }

    private ClaimedKeys hold(ClaimedKeys before, ClaimedKeys candidate) {
        ClaimedKeys after = new ClaimedKeys(share(candidate.keys()), candidate.shared());
        after.keys().forEachBeyond(before.keys(), id -> references[id]++);
        return after;
    }

    private KeySet share(KeySet candidate) {
        KeySet earlier = sets.putIfAbsent(candidate, candidate);
        KeySet shared = earlier == null ? candidate : earlier;
        shared.references++;
        return shared;
    }

    private void giveUp(KeySet set) {
        set.references--;
        if (set.references == 0) {
            sets.remove(set);
        }
    }

    /** The sorted numbers of all claims, each once per holder. */
    private int[] ids(List<Holder> holders) {
        return holders.stream()
                .flatMapToInt(holder -> Arrays.stream(ids(holder)))
                .sorted()
                .toArray();
    }

    /** The sorted distinct numbers of a holder's claims. */
    private int[] ids(@Nullable Holder holder) {
        Ids ids = new Ids(holder == null ? 0 : holder.contributions().size() * 2);
        if (holder != null) {
            Claim.tell(holder, ids);
        }
        return distinct(ids.sorted());
    }

    private static int[] distinct(int[] sortedIds) {
        int repeats = 0;
        for (int i = 1; i < sortedIds.length; i++) {
            repeats += sortedIds[i] == sortedIds[i - 1] ? 1 : 0;
        }
        return repeats == 0 ? sortedIds : Arrays.stream(sortedIds).distinct().toArray();
    }

    private Key keyOf(String group, String version, String resource) {
        Key found = find(group, version, resource);
        return found == null ? add(new Claim(group, version, resource)) : found;
    }

    private Key add(Claim claim) {
        int id = idsUsed.nextClearBit(0);
        idsUsed.set(id);
        if (id >= byId.length) {
            byId = Arrays.copyOf(byId, byId.length * 2);
            references = Arrays.copyOf(references, byId.length);
        }
        Key key = new Key(claim, Key.hash(claim.group(), claim.version(), claim.resource()), id);
        byId[id] = key;
        if ((slotsUsed + 1) * 2 > table.length) {
            rebuild();
        } else {
            insert(table, key);
        }
        return key;
    }

    private void insert(@Nullable Key[] slots, Key key) {
        int mask = slots.length - 1;
        int i = key.hash & mask;
        while (slots[i] != null) {
            i = (i + 1) & mask;
        }
        slotsUsed++;
        ELEMENT.setRelease(slots, i, key);
    }

    /** Drops removed slots and makes room; readers of the old table see the state at their start. */
    private void rebuild() {
        int capacity = CAPACITY_MIN;
        while (capacity < idsUsed.cardinality() * 4) {
            capacity *= 2;
        }
        @Nullable Key[] slots = new Key[capacity];
        slotsUsed = 0;
        idsUsed.stream().forEach(id -> insert(slots, key(id)));
        table = slots;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void releaseKey(int id) {
        references[id]--;
        if (references[id] == 0) {
            retirements++;
            remove(key(id));
            byId[id] = null;
            idsUsed.clear(id);
        }
    }

    private void remove(Key key) {
        @Nullable Key[] slots = table;
        int mask = slots.length - 1;
        int i = key.hash & mask;
        while (slots[i] != key) {
            i = (i + 1) & mask;
        }
        ELEMENT.setRelease(slots, i, REMOVED);
    }

    private Key key(int id) {
        Key key = byId[id];
        if (key == null) {
            throw new AssertionError("index: number " + id + " stands for no key");
        }
        return key;
    }

    /** Collects the numbers of claims. */
    private final class Ids implements Claim.Sink {
        private int[] ids;
        private int count;

        /** With initial room for this many; a CRD makes two claims for each version. */
        Ids(int capacity) {
            ids = new int[capacity];
        }

        @Override
        public void claim(String group, String version, String resource) {
            if (count == ids.length) {
                ids = Arrays.copyOf(ids, count * 2);
            }
            ids[count++] = keyOf(group, version, resource).id;
        }

        int[] sorted() {
            int[] sorted = count == ids.length ? ids : Arrays.copyOf(ids, count);
            Arrays.sort(sorted);
            return sorted;
        }
    }
}
