package io.fairlead.schema.cel.evaluation;

/** An evaluation that costs more than it may, and was not done to its end. Has no stack trace, since it is not a fault. */
public final class CostExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CostExceededException() {
        super("operation cancelled: actual cost limit exceeded", null, false, false);
    }
}
