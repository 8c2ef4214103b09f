package io.fairlead.http;

/** A message whose framing cannot be understood, or understood in two ways; the message says what was expected. */
public final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean isTooLarge;

    private Malformed(String message, boolean isTooLarge) {
        super(message, null, false, false);
        this.isTooLarge = isTooLarge;
    }

    /** Against the grammar. */
    static Malformed of(String message) {
        return new Malformed(message, false);
    }

    /** Within the grammar, and more fields than are read. */
    static Malformed tooLarge(String message) {
        return new Malformed(message, true);
    }

    /** Whether it only has too many fields. */
    public boolean isTooLarge() {
        return isTooLarge;
    }
}
