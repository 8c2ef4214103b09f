package io.fairlead.index.conflicts;

import java.util.Comparator;
import java.util.HexFormat;

/**
 * A key that is not shown: a keyed hash of what it is made of, 128 bits. Keys of one table are hashed under one secret, so that
 * no client can choose two that meet.
 *
 * @param high its first half
 * @param low its second half
 */
public record KeyHash(long high, long low) implements Comparable<KeyHash> {
    private static final Comparator<KeyHash> ORDER = Comparator.comparing(KeyHash::high, Long::compareUnsigned)
            .thenComparing(KeyHash::low, Long::compareUnsigned);

    private static final int HEX_CHARS = 32;

    /** That of a text as {@link #toString} writes it. */
    public static KeyHash parse(String hex) {
        if (hex.length() != HEX_CHARS) {
            throw new IllegalArgumentException("a hash of a key: \"" + hex + "\" (expected 32 hexadecimal digits)");
        }
        return new KeyHash(HexFormat.fromHexDigitsToLong(hex, 0, 16), HexFormat.fromHexDigitsToLong(hex, 16, 32));
    }

    @Override
    public int compareTo(KeyHash other) {
        return ORDER.compare(this, other);
    }

    /** 32 hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
