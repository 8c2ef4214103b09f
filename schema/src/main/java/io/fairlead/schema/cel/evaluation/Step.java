package io.fairlead.schema.cel.evaluation;

/** A node of a program. */
interface Step {
    /** The value, which may be an error. */
    Object evaluate(Frame frame);

    /** Whether it reads a variable, or a part of one, without a call; an access to a part of such a value costs less. */
    default boolean isAttribute() {
        return false;
    }
}
