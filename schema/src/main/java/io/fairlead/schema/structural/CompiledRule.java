package io.fairlead.schema.structural;

import io.fairlead.schema.cel.CelEnvironment;
import io.fairlead.schema.cel.CelEnvironment.Compilation;
import io.fairlead.schema.cel.CompiledExpression;
import io.fairlead.schema.cel.DeclaredType;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A rule whose expressions were compiled.
 *
 * @param expression null if it does not compile
 * @param problem why not, empty if it does
 * @param messageExpression null if there is none, or if it does not compile
 * @param messageProblem why not, empty if it does
 */
record CompiledRule(
        ValidationRule rule,
        @Nullable CompiledExpression expression,
        String problem,
        @Nullable CompiledExpression messageExpression,
        String messageProblem) {
    static final String SELF = "self";
    static final String OLD_SELF = "oldSelf";
    /** Compiling takes about half a millisecond, and a microsecond for each character. */
    private static final long STEPS_TO_COMPILE = 5_000;

    private static final long STEPS_OF_CHARACTER = 10;
    /** Each call of a function of any type, and each empty list, makes the type checker copy what it knows of all before. */
    private static final long CHARS_SQUARED_FOR_A_STEP = 100;

    /** How many steps of effort it takes to compile the rules of a schema whose values are of this type. */
    static long steps(List<ValidationRule> rules, DeclaredType type) {
        long steps = RuleTypes.size(type) + STEPS_TO_COMPILE;
        for (ValidationRule rule : rules) {
            long chars = (long) rule.rule().length() + rule.messageExpression().length();
            steps += STEPS_TO_COMPILE + chars * STEPS_OF_CHARACTER + chars * chars / CHARS_SQUARED_FOR_A_STEP;
        }
        return steps;
    }

    /** The rules of a schema whose values are of this type, each compiled when it is asked for. */
    static Stream<CompiledRule> compile(List<ValidationRule> rules, DeclaredType type) {
        boolean anyOptional = rules.stream().anyMatch(ValidationRule::optionalOldSelf);
        boolean anyPlain = rules.stream().anyMatch(rule -> !rule.optionalOldSelf());
        CelEnvironment plain = anyPlain ? environment(type, type) : null;
        CelEnvironment optional = anyOptional ? environment(type, DeclaredType.optional(type)) : null;
        return rules.stream().map(rule -> compile(rule, rule.optionalOldSelf() ? optional : plain));
    }

    private static CelEnvironment environment(DeclaredType self, DeclaredType oldSelf) {
        return CelEnvironment.builder()
                .variable(SELF, self)
                .variable(OLD_SELF, oldSelf)
                .build();
    }

    private static CompiledRule compile(ValidationRule rule, @Nullable CelEnvironment environment) {
        if (environment == null) {
            throw new IllegalArgumentException("no environment for " + rule.rule());
        }
        return switch (environment.compile(rule.rule())) {
            case Compilation.Refused(String issues) ->
                new CompiledRule(rule, null, "compilation failed: " + issues, null, "");
            case Compilation.Compiled(CompiledExpression expression)
            when !expression.isBoolean() ->
                new CompiledRule(rule, null, "cel expression must evaluate to a bool", null, "");
            case Compilation.Compiled(CompiledExpression expression) -> withMessage(rule, expression, environment);
        };
    }

    private static CompiledRule withMessage(
            ValidationRule rule, CompiledExpression expression, CelEnvironment environment) {
        if (rule.messageExpression().isEmpty()) {
            return new CompiledRule(rule, expression, "", null, "");
        }
        return switch (environment.compile(rule.messageExpression())) {
            case Compilation.Refused(String issues) ->
                new CompiledRule(rule, expression, "", null, "messageExpression compilation failed: " + issues);
            case Compilation.Compiled(CompiledExpression message)
            when !message.isString() ->
                new CompiledRule(rule, expression, "", null, "messageExpression must evaluate to a string");
            case Compilation.Compiled(CompiledExpression message) ->
                new CompiledRule(rule, expression, "", message, "");
        };
    }

    /** Whether it compares with the old value, so that it holds for changes only. */
    boolean usesOldSelf() {
        return expression != null && expression.uses(OLD_SELF);
    }
}
