package io.fairlead.index;

import io.fairlead.model.ClusterName;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * A hash table like others, but its slots hold the views themselves: a lookup in a large fleet misses the processor's
 * caches at nearly every step, so that every saved step counts. No view is replaced while the table is rebuilt, and
 * later replacements are made in the new table. A reader that still holds the old one returns the state at its start.
 */
/**
 * The one reference to each cluster's view that lookups read.
 *
 * <p>Threads: a lock serialises writers, taken inside a ledger's stripe and never around one; {@link #find} takes no
 * lock and allocates nothing.
 */
final class ViewTable {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(ClusterView[].class);
    private static final int CAPACITY_MIN = 64;
    /** Marks the slot of a removed view; no hash finds it. */
    private static final ClusterView REMOVED =
            new ClusterView(ClusterName.ROOT, Sync.UNSYNCED, 0, "", 0, HolderTable.EMPTY, ClaimedKeys.NONE);

    private final ReentrantLock lock = new ReentrantLock();
    /** Open addressing, linear probing, a power of two long, at most half full including {@link #REMOVED}. */
    private volatile @Nullable ClusterView[] table = new ClusterView[CAPACITY_MIN];

    private int slotsUsed;

    /** The view of a cluster; null if there is none. */
    @Nullable
    ClusterView find(ClusterName cluster) {
        @Nullable ClusterView[] slots = table;
        int hash = hash(cluster);
        int mask = slots.length - 1;
        for (int i = hash & mask; ; i = (i + 1) & mask) {
            ClusterView view = (ClusterView) ELEMENT.getAcquire(slots, i);
            if (view == null || (view.hash == hash && view.cluster.equals(cluster) && view != REMOVED)) {
                return view;
            }
        }
    }

    /** Publishes a view, replacing its cluster's if there is one. */
    void put(ClusterView view) {
        lock.lock();
        try {
            int slot = slotOf(view.cluster);
            if (slot >= 0) {
                ELEMENT.setRelease(table, slot, view);
            } else {
                insert(view);
            }
        } finally {
            lock.unlock();
        }
    }

    void remove(ClusterName cluster) {
        lock.lock();
        try {
            int slot = slotOf(cluster);
            if (slot >= 0) {
                ELEMENT.setRelease(table, slot, REMOVED);
            }
        } finally {
            lock.unlock();
        }
    }

    List<ClusterView> views() {
        lock.lock();
        try {
            return Arrays.stream(table)
                    .filter(Objects::nonNull)
                    .filter(view -> view != REMOVED)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    static int hash(ClusterName cluster) {
        int hash = cluster.hashCode() * 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }

    /** The index of the cluster's view, or the complement of its insertion point. */
    private int slotOf(ClusterName cluster) {
        @Nullable ClusterView[] slots = table;
        int mask = slots.length - 1;
        for (int i = hash(cluster) & mask; ; i = (i + 1) & mask) {
            ClusterView view = slots[i];
            if (view == null) {
                return ~i;
            }
            if (view != REMOVED && view.cluster.equals(cluster)) {
                return i;
            }
        }
    }

    private void insert(ClusterView view) {
        if ((slotsUsed + 1) * 2 > table.length) {
            rebuild();
        }
        slotsUsed++;
        ELEMENT.setRelease(table, ~slotOf(view.cluster), view);
    }

    /** Drops removed slots and makes room. */
    private void rebuild() {
        List<ClusterView> views = views();
        int capacity = CAPACITY_MIN;
        while (capacity < views.size() * 3) {
            capacity *= 2;
        }
        @Nullable ClusterView[] slots = new ClusterView[capacity];
        for (ClusterView view : views) {
            int i = view.hash & (capacity - 1);
            while (slots[i] != null) {
                i = (i + 1) & (capacity - 1);
            }
            slots[i] = view;
        }
        slotsUsed = views.size();
        table = slots;
    }
}
