package io.fairlead.schema.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import io.fairlead.schema.cel.cost.StaticCost;
import io.fairlead.schema.cel.evaluation.Planner;
import io.fairlead.schema.cel.evaluation.Program;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** An expression that was parsed and checked, and can be evaluated. */
public final class CompiledExpression {
    private final Program program;
    private final CelType type;
    private final Set<String> variables;
    private final long costMax;

    /** Of those variables that may have any fields. */
    private final Map<String, Set<List<String>>> reads;

    private final Form form;

    private CompiledExpression(
            Program program,
            CelType type,
            Set<String> variables,
            long costMax,
            Map<String, Set<List<String>>> reads,
            Form form) {
        this.program = program;
        this.type = type;
        this.variables = variables;
        this.costMax = costMax;
        this.reads = reads;
        this.form = form;
    }

    static CompiledExpression of(CelAbstractSyntaxTree ast, Map<String, DeclaredType> declared) {
        Set<String> used = new TreeSet<>();
        ast.getReferenceMap().values().forEach(reference -> {
            if (declared.containsKey(reference.name())) {
                used.add(reference.name());
            }
        });
        long costMax = StaticCost.estimate(ast, new DeclaredSizes(declared)).max();
        Map<String, Set<List<String>>> reads = new HashMap<>();
        declared.forEach((name, type) -> {
            if (isOpen(type)) {
                reads.put(name, ReadPaths.of(ast.getExpr(), name));
            }
        });
        return new CompiledExpression(
                Planner.plan(ast),
                ast.getResultType(),
                Set.copyOf(used),
                costMax,
                Map.copyOf(reads),
                form(ast.getExpr()));
    }

    /** Whether a variable may have any fields of any type. */
    private static boolean isOpen(DeclaredType type) {
        DeclaredType element = type.element();
        return type.type().kind() == CelKind.DYN
                || (type.type().kind() == CelKind.MAP
                        && element != null
                        && element.type().kind() == CelKind.DYN);
    }

    /** What a list is by its form. */
    private enum Form {
        /** {@code []} or null. */
        NOTHING,
        /** {@code [a, b]}, whose elements are no lists. */
        WRITTEN_OUT,
        /** Everything else. */
        OTHER,
        /** One branch is written out, and another one is not. */
        MIXED
    }

    /** Of two branches, that of the one that gives something. */
    private static Form form(CelExpr expression) {
        return switch (expression.exprKind().getKind()) {
            case CONSTANT -> expression.constant().getKind() == CelConstant.Kind.NULL_VALUE ? Form.NOTHING : Form.OTHER;
            case LIST -> {
                List<CelExpr> elements = expression.list().elements();
                if (elements.isEmpty()) {
                    yield Form.NOTHING;
                }
                yield elements.stream().noneMatch(CompiledExpression::isList) ? Form.WRITTEN_OUT : Form.OTHER;
            }
            case CALL -> {
                List<CelExpr> arguments = expression.call().args();
                yield switch (expression.call().function()) {
                    case "dyn" -> form(arguments.getFirst());
                    case "_?_:_" -> either(form(arguments.get(1)), form(arguments.get(2)));
                    default -> Form.OTHER;
                };
            }
            default -> Form.OTHER;
        };
    }

    private static Form either(Form one, Form other) {
        if (one == Form.NOTHING) {
            return other;
        }
        return other == Form.NOTHING || one == other ? one : Form.MIXED;
    }

    private static boolean isList(CelExpr expression) {
        return switch (expression.exprKind().getKind()) {
            case LIST -> true;
            case CALL ->
                expression.call().function().equals("dyn")
                        && isList(expression.call().args().getFirst());
            default -> false;
        };
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

    /**
     * What it reads of a variable that may have any fields: paths of fields, below each of which it may read anything; the empty
     * path is the whole value.
     */
    public Set<List<String>> reads(String variable) {
        return reads.getOrDefault(variable, Set.of());
    }

    /**
     * Whether its value is a list that is written out, as {@code [a, b]}, and not one of lists: in each branch of it that gives
     * something.
     */
    public boolean isListLiteral() {
        return form == Form.WRITTEN_OUT;
    }

    /** Whether a branch of it is a list that is written out, and another one is something else. */
    public boolean isMixed() {
        return form == Form.MIXED;
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
