package io.fairlead.schema.cel;

import io.fairlead.schema.text.Effort;

/**
 * What all expressions about one object may cost together ({@code RuntimeCELCostBudget}), and the work they may do beyond that.
 * One thread.
 */
public final class EvaluationBudget {
    /** Of one object. */
    public static final long COST_MAX = 10_000_000;

    /** Of one expression ({@code PerCallLimit}). */
    public static final long COST_OF_CALL_MAX = 1_000_000;

    /** About two seconds. */
    private static final long STEPS_MAX = 2 * Effort.STEPS_MAX;

    private final Effort effort = new Effort(STEPS_MAX);
    private long left;

    /** The budget of one object. */
    public EvaluationBudget() {
        this(COST_MAX);
    }

    /** A budget of another size. */
    public EvaluationBudget(long costMax) {
        left = costMax;
    }

    /** How much is left; negative when more was spent than there was. */
    public long left() {
        return left;
    }

    /** Takes what an expression cost. */
    public void spend(long cost) {
        left -= cost;
    }

    /** Ends it: nothing more is evaluated. */
    public void exhaust() {
        left = -1;
    }

    Effort effort() {
        return effort;
    }
}
