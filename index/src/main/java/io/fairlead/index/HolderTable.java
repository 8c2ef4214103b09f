package io.fairlead.index;

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

/** All holders of one cluster, one for each type and name, in that order; immutable. */
final class HolderTable {
    static final HolderTable EMPTY = new HolderTable(new Holder[0]);

    private static final Comparator<Holder> ORDER =
            Comparator.comparing(Holder::type).thenComparing(Holder::name);

    private final Holder[] sorted;

    private HolderTable(Holder[] sorted) {
        this.sorted = sorted;
    }

    /** The holders of other types as they are, and of these types those of a list; of two with one name the later counts. */
    HolderTable withAll(Set<HolderType> types, Collection<Holder> holders) {
        Map<Holder, Holder> ordered = new TreeMap<>(ORDER);
        for (Holder holder : sorted) {
            if (!types.contains(holder.type())) {
                ordered.put(holder, holder);
            }
        }
        for (Holder holder : holders) {
            ordered.remove(holder);
            ordered.put(holder, holder);
        }
        return new HolderTable(ordered.values().toArray(Holder[]::new));
    }

    /** With one holder put in the place of any of the same type and name. */
    HolderTable with(Holder holder) {
        int index = Arrays.binarySearch(sorted, holder, ORDER);
        if (index >= 0) {
            Holder[] changed = sorted.clone();
            changed[index] = holder;
            return new HolderTable(changed);
        }
        int insertion = -index - 1;
        Holder[] longer = new Holder[sorted.length + 1];
        System.arraycopy(sorted, 0, longer, 0, insertion);
        longer[insertion] = holder;
        System.arraycopy(sorted, insertion, longer, insertion + 1, sorted.length - insertion);
        return new HolderTable(longer);
    }

    HolderTable without(Holder holder) {
        int index = Arrays.binarySearch(sorted, holder, ORDER);
        if (index < 0) {
            return this;
        }
        Holder[] shorter = new Holder[sorted.length - 1];
        System.arraycopy(sorted, 0, shorter, 0, index);
        System.arraycopy(sorted, index + 1, shorter, index, shorter.length - index);
        return new HolderTable(shorter);
    }

    HolderTable map(UnaryOperator<Holder> change) {
        return new HolderTable(Arrays.stream(sorted).map(change).toArray(Holder[]::new));
    }

    @Nullable
    Holder find(HolderType type, String name) {
        int low = 0;
        int high = sorted.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int byType = sorted[middle].type().compareTo(type);
            int order = byType != 0 ? byType : sorted[middle].name().compareTo(name);
            if (order == 0) {
                return sorted[middle];
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return null;
    }

    /** Whether some holder makes a claim. */
    boolean makes(Claim claim) {
        for (Holder holder : sorted) {
            if (claim.isMadeBy(holder)) {
                return true;
            }
        }
        return false;
    }

    List<Holder> holders() {
        return Collections.unmodifiableList(Arrays.asList(sorted));
    }

    int size() {
        return sorted.length;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof HolderTable table && Arrays.equals(sorted, table.sorted));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sorted);
    }
}
