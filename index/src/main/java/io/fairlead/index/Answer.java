package io.fairlead.index;

/** The three answers of the index, for the request path. {@link Lookup} has the same with its evidence. */
public enum Answer {
    /** At least one holder serves it. */
    SERVED,
    /** The cluster's view is complete and has no holder. */
    ABSENT,
    /** The view cannot decide: never shown as 404, never "no conflict". */
    UNKNOWN
}
