package io.fairlead.index;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the keys that a cluster serves; immutable, and one object for all clusters that serve the same.
 *
 * <p>Two forms, whichever is smaller: a bit for each number, or the numbers in order.
 */
abstract sealed class KeySet {
    private final int hash;
    /** The number of views that retain it; written under the table's lock. */
    int references;

    private KeySet(int hash) {
        this.hash = hash;
    }

    /** The smaller form of distinct sorted numbers. */
    static KeySet of(int[] sortedIds) {
        int words = sortedIds.length == 0 ? 0 : sortedIds[sortedIds.length - 1] / Long.SIZE + 1;
        return isSmallerDense(words, sortedIds.length) ? Dense.of(sortedIds, words) : new Sparse(sortedIds);
    }

    /** The smaller form of the numbers whose bits are set. */
    private static KeySet ofBits(long[] bits) {
        int wordCount = bits.length;
        while (wordCount > 0 && bits[wordCount - 1] == 0) {
            wordCount--;
        }
        int size = 0;
        for (int word = 0; word < wordCount; word++) {
            size += Long.bitCount(bits[word]);
        }
        Dense dense = new Dense(wordCount == bits.length ? bits : Arrays.copyOf(bits, wordCount), size);
        return isSmallerDense(wordCount, size) ? dense : new Sparse(dense.ids());
    }

    private static boolean isSmallerDense(int wordCount, int size) {
        return wordCount * Long.BYTES <= size * Integer.BYTES;
    }

    abstract boolean contains(int id);

    /** The set with some numbers added and others removed; disjoint sorted arrays. */
    abstract KeySet changed(int[] added, int[] removed);

    /** The bits of the dense form, which a view caches to save its readers a step; null in the other form. */
    abstract long @Nullable [] bits();

    static boolean hasBit(long[] words, int id) {
        int word = id >>> 6;
        return word < words.length && (words[word] >>> id & 1) != 0;
    }

    abstract int size();

    /** Calls for each number in ascending order. */
    abstract void forEach(IntConsumer action);

    /** Calls for each number that is not in another set. */
    void forEachBeyond(KeySet other, IntConsumer action) {
        forEach(id -> {
            if (!other.contains(id)) {
                action.accept(id);
            }
        });
    }

    int[] ids() {
        int[] ids = new int[size()];
        int[] next = new int[1];
        forEach(id -> ids[next[0]++] = id);
        return ids;
    }

    @Override
    public final int hashCode() {
        return hash;
    }

    @Override
    public abstract boolean equals(Object other);

    /** A bit for each number. */
    private static final class Dense extends KeySet {
        private final long[] words;
        private final int size;

        private Dense(long[] words, int size) {
            super(Arrays.hashCode(words));
            this.words = words;
            this.size = size;
        }

        static Dense of(int[] ids, int wordCount) {
            long[] words = new long[wordCount];
            for (int id : ids) {
                words[id >>> 6] |= 1L << id;
            }
            return new Dense(words, ids.length);
        }

        @Override
        boolean contains(int id) {
            return hasBit(words, id);
        }

        @Override
        KeySet changed(int[] added, int[] removed) {
            int wordsForAdded = added.length == 0 ? 0 : added[added.length - 1] / Long.SIZE + 1;
            long[] changed = Arrays.copyOf(words, Math.max(words.length, wordsForAdded));
            for (int id : removed) {
                changed[id >>> 6] &= ~(1L << id);
            }
            for (int id : added) {
                changed[id >>> 6] |= 1L << id;
            }
            return ofBits(changed);
        }

        @Override
        long[] bits() {
            return words;
        }

        @Override
        int size() {
            return size;
        }

        @Override
        void forEach(IntConsumer action) {
            for (int word = 0; word < words.length; word++) {
                forEachBit(word, words[word], action);
            }
        }

        @Override
        void forEachBeyond(KeySet other, IntConsumer action) {
            if (!(other instanceof Dense dense)) {
                super.forEachBeyond(other, action);
                return;
            }
            for (int word = 0; word < words.length; word++) {
                long others = word < dense.words.length ? dense.words[word] : 0;
                forEachBit(word, words[word] & ~others, action);
            }
        }

        private static void forEachBit(int word, long bits, IntConsumer action) {
            for (long rest = bits; rest != 0; rest &= rest - 1) {
                action.accept(word * Long.SIZE + Long.numberOfTrailingZeros(rest));
            }
        }

        @Override
        public boolean equals(Object other) {
            return this == other || (other instanceof Dense dense && Arrays.equals(words, dense.words));
        }
    }

    /** The sorted numbers. */
    private static final class Sparse extends KeySet {
        private final int[] ids;

        private Sparse(int[] ids) {
            super(Arrays.hashCode(ids));
            this.ids = ids;
        }

        @Override
        boolean contains(int id) {
            return Arrays.binarySearch(ids, id) >= 0;
        }

        @Override
        KeySet changed(int[] added, int[] removed) {
            return of(IntStream.concat(
                            Arrays.stream(ids).filter(id -> Arrays.binarySearch(removed, id) < 0), Arrays.stream(added))
                    .sorted()
                    .distinct()
                    .toArray());
        }

        @Override
        long @Nullable [] bits() {
            return null;
        }

        @Override
        int size() {
            return ids.length;
        }

        @Override
        void forEach(IntConsumer action) {
            for (int id : ids) {
                action.accept(id);
            }
        }

        @Override
        public boolean equals(Object other) {
            return this == other || (other instanceof Sparse sparse && Arrays.equals(ids, sparse.ids));
        }
    }
}
