package io.fairlead.config;

import org.jspecify.annotations.Nullable;

/**
 * An amount of bytes, written as a Kubernetes quantity with a binary suffix: {@code 64Ki}, {@code 3Mi}, {@code 1048576}.
 *
 * @param bytes the amount, not negative
 */
public record ByteSize(long bytes) {
    private static final String SUFFIXES = "KMGT";

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size is not negative");
        }
    }

    /** The bytes of a size, or others if none is given: at least one, since the part of a small size may be none. */
    public static long bytes(@Nullable ByteSize given, long byDefault) {
        return given == null ? Math.max(1, byDefault) : given.bytes();
    }

    /** Reads a size. */
    static ByteSize parse(String text) {
        if (!text.endsWith("i")) {
            return new ByteSize(Long.parseLong(text));
        }
        int power = SUFFIXES.indexOf(text.charAt(Math.max(0, text.length() - 2))) + 1;
        if (power == 0) {
            throw new IllegalArgumentException("unknown suffix");
        }
        long amount = Long.parseLong(text.substring(0, text.length() - 2));
        return new ByteSize(Math.multiplyExact(amount, 1L << (10 * power)));
    }

    /** The size as an {@code int}, for what an array holds. */
    public int intBytes() {
        return Math.toIntExact(bytes);
    }

    @Override
    public String toString() {
        long rest = bytes;
        int power = 0;
        while (rest != 0 && rest % 1024 == 0 && power < SUFFIXES.length()) {
            rest /= 1024;
            power++;
        }
        return power == 0 ? Long.toString(rest) : rest + SUFFIXES.substring(power - 1, power) + "i";
    }
}
