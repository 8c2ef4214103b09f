package io.fairlead.index;

import java.util.Arrays;

/**
 * The numbers of the keys that more than one holder of a cluster claims: each once for every holder but one. Immutable.
 *
 * <p>Derived from the holders, so that the removal of a holder needs no search through the others' claims.
 */
final class KeyBag {
    static final KeyBag EMPTY = new KeyBag(new int[0]);

    private final int[] sortedIds;

    private KeyBag(int[] sortedIds) {
        this.sortedIds = sortedIds;
    }

    /** The repeated numbers of a sorted list. */
    static KeyBag repeatsIn(int[] sortedIds) {
        int[] repeats = new int[sortedIds.length];
        int count = 0;
        for (int i = 1; i < sortedIds.length; i++) {
            if (sortedIds[i] == sortedIds[i - 1]) {
                repeats[count++] = sortedIds[i];
            }
        }
        return count == 0 ? EMPTY : new KeyBag(Arrays.copyOf(repeats, count));
    }

    boolean contains(int id) {
        return Arrays.binarySearch(sortedIds, id) >= 0;
    }

    /** With one more occurrence of a number. */
    KeyBag with(int id) {
        int found = Arrays.binarySearch(sortedIds, id);
        int place = found < 0 ? ~found : found;
        int[] longer = Arrays.copyOf(sortedIds, sortedIds.length + 1);
        longer[place] = id;
        System.arraycopy(sortedIds, place, longer, place + 1, sortedIds.length - place);
        return new KeyBag(longer);
    }

    /** With one occurrence of a number removed. */
    KeyBag without(int id) {
        if (sortedIds.length == 1) {
            return EMPTY;
        }
        int place = Arrays.binarySearch(sortedIds, id);
        int[] shorter = Arrays.copyOf(sortedIds, sortedIds.length - 1);
        System.arraycopy(sortedIds, place + 1, shorter, place, shorter.length - place);
        return new KeyBag(shorter);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyBag bag && Arrays.equals(sortedIds, bag.sortedIds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sortedIds);
    }

    @Override
    public String toString() {
        return Arrays.toString(sortedIds);
    }
}
