package io.fairlead.schema.cel.value;

import io.fairlead.schema.text.Effort;

/**
 * What one evaluation may do beyond what CEL's cost counts: comparisons of deep values, searches in texts, and the sizes of what is
 * made. Kubernetes' cost of an operation is known only after it, and does not count all of it.
 *
 * <p>Each function throws {@link Effort.ExceededException} before more is done.
 */
public final class Work {
    /** Characters, and eight for each element of a list or a map, that one evaluation may make. */
    public static final long MADE_MAX = 8L * 1024 * 1024;

    private static final long ELEMENT = 8;

    private final Effort effort;
    private final Effort made = new Effort(MADE_MAX);

    /**
     * The work of one evaluation.
     *
     * @param effort what is left for it
     */
    public Work(Effort effort) {
        this.effort = effort;
    }

    /** Is about to take steps. */
    public void spend(long steps) {
        effort.spend(steps);
    }

    /** Is about to go over a text. */
    public void read(long chars) {
        effort.spend(1 + chars / Effort.CHARS_FOR_A_STEP);
    }

    /** Is about to make a text. */
    public void makeText(long chars) {
        read(chars);
        made.spend(chars);
    }

    /** Is about to make a list or a map. */
    public void makeElements(long elements) {
        effort.spend(1 + elements);
        made.spend(Math.multiplyExact(elements, ELEMENT));
    }

    /** Is about to compile, or to go over a text with, a regular expression. */
    public Effort effort() {
        return effort;
    }
}
