package io.fairlead.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All holders of one cluster, one for each type and name, in that order; immutable.
 *
 * <p>They are kept in short leaves, so that a change of one holder copies its leaf and not the others. A leaf that lost
 * holders stays short until the next list; an empty one is removed.
 */
final class HolderTable {
    static final HolderTable EMPTY = new HolderTable(new Holder[0][], 0);

    private static final int LEAF_MAX = 32;
    private static final Comparator<Holder> ORDER =
            Comparator.comparing(Holder::type).thenComparing(Holder::name);

    private final Holder[][] leaves;
    private final int size;

    private HolderTable(Holder[][] leaves, int size) {
        this.leaves = leaves;
        this.size = size;
    }

    /**
     * The holders of other types unchanged, and of these types those of a list; of two with one name the later counts.
     */
    HolderTable withAll(Set<HolderType> types, Collection<Holder> holders) {
        Map<Holder, Holder> ordered = new TreeMap<>(ORDER);
        for (Holder holder : holders()) {
            if (!types.contains(holder.type())) {
                ordered.put(holder, holder);
            }
        }
        for (Holder holder : holders) {
            ordered.remove(holder);
            ordered.put(holder, holder);
        }
        return of(ordered.values().toArray(Holder[]::new));
    }

    private static HolderTable of(Holder[] sorted) {
        Holder[][] leaves = new Holder[Math.ceilDiv(sorted.length, LEAF_MAX)][];
        for (int leaf = 0; leaf < leaves.length; leaf++) {
            int from = leaf * LEAF_MAX;
            leaves[leaf] = Arrays.copyOfRange(sorted, from, Math.min(from + LEAF_MAX, sorted.length));
        }
        return new HolderTable(leaves, sorted.length);
    }

    /** With one holder added, or replacing one of the same type and name. */
    HolderTable with(Holder holder) {
        if (size == 0) {
            return new HolderTable(new Holder[][] {{holder}}, 1);
        }
        int leaf = leafOf(holder.type(), holder.name());
        int place = placeIn(leaves[leaf], holder.type(), holder.name());
        if (place < 0) {
            return withLeaf(leaf, longer(leaves[leaf], ~place, holder), size + 1);
        }
        Holder[] changed = leaves[leaf].clone();
        changed[place] = holder;
        return withLeaf(leaf, changed, size);
    }

    HolderTable without(Holder holder) {
        if (find(holder.type(), holder.name()) == null) {
            return this;
        }
        int leaf = leafOf(holder.type(), holder.name());
        int place = placeIn(leaves[leaf], holder.type(), holder.name());
        return withLeaf(leaf, shorter(leaves[leaf], place), size - 1);
    }

    HolderTable map(UnaryOperator<Holder> change) {
        return of(holders().stream().map(change).toArray(Holder[]::new));
    }

    @Nullable
    Holder find(HolderType type, String name) {
        if (size == 0) {
            return null;
        }
        Holder[] leaf = leaves[leafOf(type, name)];
        int place = placeIn(leaf, type, name);
        return place < 0 ? null : leaf[place];
    }

    List<Holder> holders() {
        if (leaves.length == 1) {
            return Collections.unmodifiableList(Arrays.asList(leaves[0]));
        }
        List<Holder> holders = new ArrayList<>(size);
        for (Holder[] leaf : leaves) {
            holders.addAll(Arrays.asList(leaf));
        }
        return Collections.unmodifiableList(holders);
    }

    int size() {
        return size;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof HolderTable table && size == table.size && hasSameHolders(table));
    }

    /** Compares two tables of one size, with any division into leaves. */
    private boolean hasSameHolders(HolderTable other) {
        int otherLeaf = 0;
        int otherPlace = 0;
        for (Holder[] leaf : leaves) {
            for (Holder holder : leaf) {
                if (otherPlace == other.leaves[otherLeaf].length) {
                    otherLeaf++;
                    otherPlace = 0;
                }
                if (!holder.equals(other.leaves[otherLeaf][otherPlace++])) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        return holders().hashCode();
    }

    /** The last leaf that does not begin after a type and name, or the first one. */
    private int leafOf(HolderType type, String name) {
        int low = 1;
        int high = leaves.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (compare(leaves[middle][0], type, name) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** The index of the holder, or the complement of its insertion point. */
    private static int placeIn(Holder[] leaf, HolderType type, String name) {
        int low = 0;
        int high = leaf.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = compare(leaf[middle], type, name);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return ~low;
    }

    private static int compare(Holder holder, HolderType type, String name) {
        int byType = holder.type().compareTo(type);
        return byType != 0 ? byType : holder.name().compareTo(name);
    }

    private HolderTable withLeaf(int place, Holder[] leaf, int newSize) {
        if (leaf.length > LEAF_MAX) {
            int half = leaf.length / 2;
            return spliced(
                    place, newSize, Arrays.copyOfRange(leaf, 0, half), Arrays.copyOfRange(leaf, half, leaf.length));
        }
        return leaf.length == 0 ? spliced(place, newSize) : spliced(place, newSize, leaf);
    }

    /** With some leaves replaced by one. */
    private HolderTable spliced(int place, int newSize, Holder[]... replacement) {
        Holder[][] changed = new Holder[leaves.length - 1 + replacement.length][];
        System.arraycopy(leaves, 0, changed, 0, place);
        System.arraycopy(replacement, 0, changed, place, replacement.length);
        System.arraycopy(leaves, place + 1, changed, place + replacement.length, leaves.length - place - 1);
        return new HolderTable(changed, newSize);
    }

    private static Holder[] longer(Holder[] leaf, int place, Holder holder) {
        Holder[] longer = Arrays.copyOf(leaf, leaf.length + 1);
        longer[place] = holder;
        System.arraycopy(leaf, place, longer, place + 1, leaf.length - place);
        return longer;
    }

    private static Holder[] shorter(Holder[] leaf, int place) {
        Holder[] shorter = Arrays.copyOf(leaf, leaf.length - 1);
        System.arraycopy(leaf, place + 1, shorter, place, shorter.length - place);
        return shorter;
    }
}
