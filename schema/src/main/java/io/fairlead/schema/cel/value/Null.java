package io.fairlead.schema.cel.value;

/** The value {@code null}. */
public enum Null {
    /** The only one. */
    VALUE
}
