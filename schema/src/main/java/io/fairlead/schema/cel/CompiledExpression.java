package io.fairlead.schema.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import io.fairlead.schema.cel.cost.StaticCost;
import io.fairlead.schema.cel.evaluation.Planner;
import io.fairlead.schema.cel.evaluation.Program;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** An expression that was parsed and checked, and can be evaluated. */
public final class CompiledExpression {
    private final Program program;
    private final CelType type;
    private final Set<String> variables;
    private final long costMax;

    private CompiledExpression(Program program, CelType type, Set<String> variables, long costMax) {
        this.program = program;
        this.type = type;
        this.variables = variables;
        this.costMax = costMax;
    }

    static CompiledExpression of(CelAbstractSyntaxTree ast, Map<String, DeclaredType> declared) {
        Set<String> used = new TreeSet<>();
        ast.getReferenceMap().values().forEach(reference -> {
            if (declared.containsKey(reference.name())) {
                used.add(reference.name());
            }
        });
        long costMax = StaticCost.estimate(ast, new DeclaredSizes(declared)).max();
        return new CompiledExpression(Planner.plan(ast), ast.getResultType(), Set.copyOf(used), costMax);
    }

    /** Whether its value is always a boolean. */
    public boolean isBoolean() {
        return type.kind() == CelKind.BOOL;
    }

    /** Whether its value is always a string. */
    public boolean isString() {
        return type.kind() == CelKind.STRING;
    }

    /** Whether it reads a variable. */
    public boolean uses(String variable) {
        return variables.contains(variable);
    }

    /** The most it can cost for values of the declared sizes; {@code Long.MAX_VALUE} if there is no bound. */
    public long costMax() {
        return costMax;
    }

    /**
     * Evaluates it within what is left of a budget, which is not reduced: see {@link EvaluationBudget#spend}.
     *
     * @param values of all variables that it uses
     */
    public Program.Outcome evaluate(Map<String, Object> values, EvaluationBudget budget) {
        return program.evaluate(values, EvaluationBudget.COST_OF_CALL_MAX, budget.effort());
    }
}
