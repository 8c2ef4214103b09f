package io.fairlead.http;

/** A message with invalid or ambiguous framing; the text names what was expected. */
public final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean isTooLarge;

    private Malformed(String message, boolean isTooLarge) {
        super(message, null, false, false);
        this.isTooLarge = isTooLarge;
    }

    /** A violation of the grammar. */
    public static Malformed of(String message) {
        return new Malformed(message, false);
    }

    /** Valid, but with more fields than allowed. */
    public static Malformed tooLarge(String message) {
        return new Malformed(message, true);
    }

    /** Whether the only problem is too many fields. */
    public boolean isTooLarge() {
        return isTooLarge;
    }
}
