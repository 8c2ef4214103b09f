package io.fairlead.schema.cel.value;

/** An unsigned integer of 64 bits. */
public record Uint(long bits) implements Comparable<Uint> {
    @Override
    public int compareTo(Uint other) {
        return Long.compareUnsigned(bits, other.bits);
    }

    /** The nearest double. */
    public double toDouble() {
        double value = (double) (bits & Long.MAX_VALUE);
        return bits < 0 ? value + 0x1p63 : value;
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(bits);
    }
}
