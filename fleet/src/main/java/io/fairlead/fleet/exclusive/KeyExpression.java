package io.fairlead.fleet.exclusive;

import io.fairlead.schema.cel.CelEnvironment;
import io.fairlead.schema.cel.CelEnvironment.Compilation;
import io.fairlead.schema.cel.CompiledExpression;
import io.fairlead.schema.cel.DeclaredType;
import io.fairlead.schema.cel.EvaluationBudget;
import io.fairlead.schema.cel.Identifiers;
import io.fairlead.schema.cel.evaluation.Program;
import io.fairlead.schema.cel.value.CelError;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An expression of a rule about an object. Immutable; any thread. */
final class KeyExpression {
    /** The object that claims a key. */
    static final String OBJECT = "object";

    /** The id of its cluster. */
    static final String CLUSTER = "cluster";

    /** Its namespace, empty if it has none. CEL reserves the word, so that it is escaped as in the rules of definitions. */
    static final String NAMESPACE = "__namespace__";

    private static final List<String> TAKEN = List.of(OBJECT, CLUSTER, NAMESPACE);

    private static final int PROBLEM_CHARS_MAX = 512;

    private final CompiledExpression expression;

    /** A text is none. */
    static final class InvalidExpressionException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidExpressionException(String issues) {
            super(issues, null, false, false);
        }
    }

    /** It has no value for an object. */
    static final class NotRenderedException extends Exception {
        private static final long serialVersionUID = 1L;

        NotRenderedException(String problem) {
            super(problem.substring(0, Math.min(problem.length(), PROBLEM_CHARS_MAX)), null, false, false);
        }

        String problem() {
            return String.valueOf(getMessage());
        }
    }

    /** Whether a look-up may have a name. */
    static boolean isFree(String name) {
        return !TAKEN.contains(name) && !Identifiers.isReserved(name);
    }

    private KeyExpression(CompiledExpression expression) {
        this.expression = expression;
    }

    /**
     * Compiles a text.
     *
     * @param lookups the names of the other variables, which are free
     */
    static KeyExpression compile(String text, List<String> lookups) throws InvalidExpressionException {
        CelEnvironment.Builder environment = CelEnvironment.builder()
                .keyFunctions()
                .variable(OBJECT, DeclaredType.dynamic(DeclaredType.REQUEST_BYTES_MAX))
                .variable(CLUSTER, DeclaredType.STRING)
                .variable(NAMESPACE, DeclaredType.STRING);
        lookups.forEach(name -> environment.variable(name, DeclaredType.dynamic(DeclaredType.REQUEST_BYTES_MAX)));
        return switch (environment.build().compile(text)) {
            case Compilation.Compiled(CompiledExpression compiled)
            when compiled.isMixed() ->
                throw new InvalidExpressionException(
                        "one branch is a list that is written out, which is one key, and another one is not (expected"
                                + " [[a, b]] for one key of two parts where other branches give other keys)");
            case Compilation.Compiled(CompiledExpression compiled) -> new KeyExpression(compiled);
            case Compilation.Refused(String issues) -> throw new InvalidExpressionException(issues);
        };
    }

    /** Its value. */
    Object value(Map<String, Object> variables, EvaluationBudget budget) throws NotRenderedException {
        Program.Outcome outcome = expression.evaluate(variables, budget);
        budget.spend(outcome.cost());
        if (outcome.cancelled() || budget.left() < 0) {
            throw new NotRenderedException(
                    "the expression costs more than " + EvaluationBudget.COST_OF_CALL_MAX + " for this object");
        }
        if (outcome.value() instanceof CelError error) {
            throw new NotRenderedException(error.message());
        }
        return outcome.value();
    }

    /** What it reads of a variable: paths of fields, below each of which it may read anything. */
    Set<List<String>> reads(String variable) {
        return expression.reads(variable);
    }

    /** The expression is a list that is written out: one key of several parts. */
    boolean isListLiteral() {
        return expression.isListLiteral();
    }
}
