package io.fairlead.schema.cel.evaluation;

import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.text.Effort;
import java.util.Map;

/** An expression that can be evaluated. */
public final class Program {
    private final Step root;
    private final int locals;

    Program(Step root, int locals) {
        this.root = root;
        this.locals = locals;
    }

    /**
     * The result of an evaluation.
     *
     * @param value a value, or an error
     * @param cost what it cost; more than it might if it was not done to its end
     * @param cancelled whether it was not done to its end
     */
    public record Outcome(Object value, long cost, boolean cancelled) {}

    /**
     * Evaluates the expression.
     *
     * @param variables the values of all variables that it uses
     * @param costMax how much it may cost
     * @param effort the work that is left, which is spent
     */
    public Outcome evaluate(Map<String, Object> variables, long costMax, Effort effort) {
        Frame frame = new Frame(variables, locals, costMax, new Work(effort));
        try {
            Object value = root.evaluate(frame);
            return new Outcome(value, frame.cost(), false);
        } catch (CostExceededException | Effort.ExceededException tooMuch) {
            return new Outcome(false, frame.cost(), true);
        }
    }
}
