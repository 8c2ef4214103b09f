package io.fairlead.schema.compare;

import java.util.Locale;

/**
 * What a new definition is to the objects of an old one.
 *
 * <p>An object is <em>at home</em> in a version that accepts it and drops nothing of it.
 */
public enum Verdict {
    /** The canonical forms are the same, and all of them is understood. */
    EQUAL,
    /** Every object that is at home in the old one is at home in the new one and is read the same there. */
    WIDER,
    /** The other way round, and some object of the old one is refused, cut or read otherwise by the new one. */
    NARROWER,
    /** Some object of the old one is refused, cut or read otherwise by the new one, and perhaps the other way round. */
    INCOMPATIBLE,
    /** Undecidable from the definitions alone. Treat as incompatible. */
    UNKNOWN;

    /** The name in reports ({@code Wider}). */
    public String text() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }

    /** Whether what works with the old one works with the new one. */
    public boolean isCompatible() {
        return this == EQUAL || this == WIDER;
    }

    /** The verdict on two differences of one definition. */
    public Verdict and(Verdict other) {
        if (this == other || other == EQUAL) {
            return this;
        }
        if (this == EQUAL) {
            return other;
        }
        boolean isOpen = isCompatible() || other.isCompatible();
        return isOpen && (this == UNKNOWN || other == UNKNOWN) ? UNKNOWN : INCOMPATIBLE;
    }
}
