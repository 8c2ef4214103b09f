package io.fairlead.schema.cel.cost;

/** The least and the most of a size or a cost; {@code Long.MAX_VALUE} is as much as there can be. */
public record Estimate(long min, long max) {
    static final Estimate ZERO = new Estimate(0, 0);
    static final Estimate ONE = new Estimate(1, 1);
    static final Estimate UNKNOWN = new Estimate(0, Long.MAX_VALUE);
    /** From which the union with another is the other. */
    static final Estimate NOTHING = new Estimate(Long.MAX_VALUE, 0);

    static Estimate exactly(long value) {
        return new Estimate(value, value);
    }

    Estimate plus(Estimate other) {
        return new Estimate(add(min, other.min), add(max, other.max));
    }

    Estimate times(Estimate other) {
        return new Estimate(multiply(min, other.min), multiply(max, other.max));
    }

    Estimate scaled(double factor) {
        return new Estimate(scale(min, factor), scale(max, factor));
    }

    Estimate union(Estimate other) {
        return new Estimate(Math.min(min, other.min), Math.max(max, other.max));
    }

    Estimate atMost(long bound) {
        return new Estimate(Math.min(min, bound), Math.min(max, bound));
    }

    static long add(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    /** The product of two counts, as large as there can be if it is larger. */
    public static long multiply(long a, long b) {
        return b != 0 && a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
    }

    static long scale(long value, double factor) {
        double scaled = Math.ceil(value * factor);
        return value == Long.MAX_VALUE || scaled >= 0x1p63 ? Long.MAX_VALUE : (long) scaled;
    }
}
