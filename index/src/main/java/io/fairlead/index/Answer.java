package io.fairlead.index;

/** The three answers of the index, as the request path gets them. {@link Lookup} says the same with its evidence. */
public enum Answer {
    /** At least one holder serves it. */
    SERVED,
    /** The cluster's view is complete and nobody serves it. */
    ABSENT,
    /** The view cannot tell: never shown as 404, never "no conflict". */
    UNKNOWN
}
