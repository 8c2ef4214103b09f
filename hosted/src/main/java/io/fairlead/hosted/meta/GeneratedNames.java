package io.fairlead.hosted.meta;

import java.util.random.RandomGenerator;

/** Generates names from {@code metadata.generateName} (apiserver {@code storage/names}). */
public final class GeneratedNames {
    /** How many names are tried for one object. */
    public static final int ATTEMPTS = 8;

    private static final int LENGTH_MAX = 63;
    private static final int SUFFIX_LENGTH = 5;

    /** Letters and digits that form no words and are not easily confused. */
    private static final String SUFFIX_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

    private GeneratedNames() {}

    /** A name with the base as prefix, truncated so that it stays a label. */
    public static String next(String base, RandomGenerator random) {
        StringBuilder name = new StringBuilder(base);
        name.setLength(Math.min(base.length(), LENGTH_MAX - SUFFIX_LENGTH));
        for (int i = 0; i < SUFFIX_LENGTH; i++) {
            name.append(SUFFIX_ALPHABET.charAt(random.nextInt(SUFFIX_ALPHABET.length())));
        }
        return name.toString();
    }
}
