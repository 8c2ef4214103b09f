package io.fairlead.schema.cel.value;

/**
 * The failure of an operation, itself a value, as {@code &&} and {@code ||} may not need it.
 *
 * @param message in the words of cel-go
 */
public record CelError(String message) {
    /** No overload of a function takes these arguments. */
    public static final CelError NO_SUCH_OVERLOAD = new CelError("no such overload");

    /** An integer, a duration or a time beyond its range. */
    public static CelError overflow(String what) {
        return new CelError(what + " overflow");
    }

    /** An index that a list does not have. */
    public static CelError outOfBounds(Object index) {
        return new CelError("index out of bounds: " + Values.shown(index));
    }

    /** A key that a map does not have. */
    public static CelError noSuchKey(Object key) {
        return new CelError("no such key: " + Values.shown(key));
    }
}
