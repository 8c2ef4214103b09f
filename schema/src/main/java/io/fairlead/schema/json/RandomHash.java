package io.fairlead.schema.json;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Hashes that differ from process to process. Those of the JDK are known to everyone, so that a client may choose thousands of
 * texts of one hash ({@code Aa}, {@code BB}) and make each step of a map go over all of them.
 */
public final class RandomHash {
    private static final long SEED = ThreadLocalRandom.current().nextLong();
    private static final long MULTIPLIER = ThreadLocalRandom.current().nextLong() | 1;
    private static final int FOLD = 29;

    private RandomHash() {}

    /** The hash of a text. */
    public static int of(String text) {
        long hash = SEED;
        for (int i = 0; i < text.length(); i++) {
            hash = mixed(hash, text.charAt(i));
        }
        return folded(hash);
    }

    /** The hash of a number. */
    public static int of(long number) {
        return folded(mixed(mixed(SEED, (int) number), (int) (number >>> Integer.SIZE)));
    }

    private static long mixed(long hash, int next) {
        long product = (hash ^ next) * MULTIPLIER;
        return product ^ (product >>> FOLD);
    }

    private static int folded(long hash) {
        return (int) (hash ^ (hash >>> Integer.SIZE));
    }
}
