package io.fairlead.model;

/**
 * A resourceVersion that can be ordered: a positive decimal integer without sign or leading zero (KEP-5504), at most 256
 * digits. Ordered by length, then text; only within one resource of one cluster.
 *
 * @param digits the decimal text
 */
public record ResourceVersion(String digits) implements Comparable<ResourceVersion> {
    /** A limit of our own; KEP-5504 has none. */
    public static final int DIGITS_MAX = 256;

    public ResourceVersion {
        if (!isComparable(digits)) {
            throw new IllegalArgumentException("resourceVersion: \"" + digits
                    + "\" (expected a positive decimal integer without leading zero, at most " + DIGITS_MAX
                    + " digits)");
        }
    }

    /** The resource version of a store's revision, which is positive. */
    public static ResourceVersion of(long revision) {
        return new ResourceVersion(Long.toString(revision));
    }

    /** Whether one text is provably newer than another: both can be ordered, and it is greater. */
    public static boolean isNewer(String text, String than) {
        return isComparable(text)
                && isComparable(than)
                && new ResourceVersion(text).compareTo(new ResourceVersion(than)) > 0;
    }

    /** Whether the text can be ordered; any other text allows equality only. */
    public static boolean isComparable(String text) {
        int length = text.length();
        if (length == 0 || length > DIGITS_MAX || text.charAt(0) == '0') {
            return false;
        }
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
        }
        return true;
    }

    @Override
    public int compareTo(ResourceVersion other) {
        int byLength = Integer.compare(digits.length(), other.digits.length());
        return byLength != 0 ? byLength : digits.compareTo(other.digits);
    }

    @Override
    public String toString() {
        return digits;
    }
}
