package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The versions at which a watch has shown its last {@value #CAPACITY} objects, in memory that has a limit.
 *
 * <p>Keys are kept as hashes of 64 bits. Versions may have 256 digits, but those of one watch are near each other: each is
 * kept as its distance from a base, which fits a long. A version that is too far above the base becomes the next base; those
 * that are too far below it then, by 2^63 or more, are kept as {@link #FAR_BELOW}, and lose only their order among
 * themselves. Versions of up to 18 digits have the base 0, so that no arithmetic is needed for them.
 */
final class RecentVersions {
    static final int CAPACITY = 128;

    private static final long FAR_BELOW = Long.MIN_VALUE;
    private static final long FAR_ABOVE = Long.MAX_VALUE;
    private static final int DIGITS_OF_LONG = 18;
    private static final long[] NONE = {};

    private static final int CAPACITY_AT_FIRST = 4;

    private long[] keys = NONE;
    private long[] distances = NONE;
    private BigInteger base = BigInteger.ZERO;
    private int size;
    private int next;

    /** Remembers that the object was shown at a version, and forgets the oldest entry if there is no room. */
    void add(String key, ResourceVersion version) {
        if (distance(version) == FAR_ABOVE) {
            moveBase(new BigInteger(version.digits()));
        }
        if (next == keys.length) {
            grow();
        }
        keys[next] = hash(key);
        distances[next] = distance(version);
        next = (next + 1) % CAPACITY;
        size = Math.min(size + 1, CAPACITY);
    }

    /** Whether the object was shown at a higher version; false if that is not known. */
    boolean hasAbove(String key, ResourceVersion version) {
        long hash = hash(key);
        long distance = distance(version);
        for (int i = 0; i < size; i++) {
            if (keys[i] == hash && distances[i] > distance) {
                return true;
            }
        }
        return false;
    }

    private void grow() {
        int capacity = Math.clamp(keys.length * 2L, CAPACITY_AT_FIRST, CAPACITY);
        keys = Arrays.copyOf(keys, capacity);
        distances = Arrays.copyOf(distances, capacity);
    }

    private void moveBase(BigInteger to) {
        BigInteger by = to.subtract(base);
        for (int i = 0; i < size; i++) {
            distances[i] = clamped(BigInteger.valueOf(distances[i]).subtract(by));
        }
        base = to;
    }

    private long distance(ResourceVersion version) {
        String digits = version.digits();
        return base.signum() == 0 && digits.length() <= DIGITS_OF_LONG
                ? Long.parseLong(digits)
                : clamped(new BigInteger(digits).subtract(base));
    }

    private static long clamped(BigInteger distance) {
        if (distance.bitLength() < Long.SIZE) {
            return distance.longValue();
        }
        return distance.signum() < 0 ? FAR_BELOW : FAR_ABOVE;
    }

    /** FNV-1a over UTF-16. */
    private static long hash(String key) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }
}
