package io.fairlead.gateway.authn.jwt;

import io.fairlead.schema.cel.CelEnvironment;
import io.fairlead.schema.cel.CelEnvironment.Compilation;
import io.fairlead.schema.cel.CompiledExpression;
import io.fairlead.schema.cel.DeclaredType;
import io.fairlead.schema.cel.EvaluationBudget;
import io.fairlead.schema.cel.evaluation.Program;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.Null;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An expression about the claims of a token, or about the user that they name (apiserver {@code authentication/cel}). Immutable;
 * any thread.
 */
final class ClaimExpression {
    private static final String CLAIMS = "claims";
    private static final String USER = "user";
    private static final CelEnvironment OF_CLAIMS = CelEnvironment.builder()
            .variable(CLAIMS, DeclaredType.map(DeclaredType.dynamic(DeclaredType.REQUEST_BYTES_MAX), null))
            .build();
    private static final CelEnvironment OF_USER = CelEnvironment.builder()
            .variable(
                    USER,
                    DeclaredType.object(
                            "kubernetes.UserInfo",
                            Map.of(
                                    "username",
                                    DeclaredType.STRING,
                                    "uid",
                                    DeclaredType.STRING,
                                    "groups",
                                    DeclaredType.list(DeclaredType.STRING, null),
                                    "extra",
                                    DeclaredType.map(DeclaredType.list(DeclaredType.STRING, null), null)),
                            2))
            .build();

    private final String text;
    private final String variable;
    private final CompiledExpression compiled;

    private ClaimExpression(String text, String variable, CompiledExpression compiled) {
        this.text = text;
        this.variable = variable;
        this.compiled = compiled;
    }

    /** One about claims, of any type; null if it is none, which is reported. */
    static @Nullable ClaimExpression ofClaims(String text, FieldPath field, FieldErrors errors) {
        return compile(OF_CLAIMS, CLAIMS, text, field, errors);
    }

    /** A condition about claims. */
    static @Nullable ClaimExpression conditionOfClaims(String text, FieldPath field, FieldErrors errors) {
        return condition(compile(OF_CLAIMS, CLAIMS, text, field, errors), field, errors);
    }

    /** A condition about the user. */
    static @Nullable ClaimExpression conditionOfUser(String text, FieldPath field, FieldErrors errors) {
        return condition(compile(OF_USER, USER, text, field, errors), field, errors);
    }

    private static @Nullable ClaimExpression compile(
            CelEnvironment environment, String variable, String text, FieldPath field, FieldErrors errors) {
        return switch (environment.compile(text)) {
            case Compilation.Compiled(CompiledExpression compiled) -> new ClaimExpression(text, variable, compiled);
            case Compilation.Refused(String issues) -> {
                errors.invalid(field, text, "compilation failed: " + issues);
                yield null;
            }
        };
    }

    private static @Nullable ClaimExpression condition(
            @Nullable ClaimExpression expression, FieldPath field, FieldErrors errors) {
        if (expression != null && !expression.compiled.isBoolean()) {
            errors.invalid(field, expression.text, "must evaluate to bool");
            return null;
        }
        return expression;
    }

    /** Its text. */
    String source() {
        return text;
    }

    /** Whether it reads a claim by its name. */
    boolean reads(String claim) {
        return compiled.reads(variable).stream()
                .anyMatch(path -> !path.isEmpty() && path.getFirst().equals(claim));
    }

    /** Whether a condition holds. */
    boolean holds(JsonNode value, EvaluationBudget budget) throws RefusedClaimsException {
        return Boolean.TRUE.equals(evaluate(value, budget));
    }

    /** A value that must be a text. */
    String text(JsonNode value, String what, EvaluationBudget budget) throws RefusedClaimsException {
        if (evaluate(value, budget) instanceof String text) {
            return text;
        }
        throw new RefusedClaimsException("ClaimsWithout" + what, "its claims give no text as the " + what);
    }

    /** A text or a list of texts; empty ones are left out, and null is none. */
    List<String> texts(JsonNode value, String what, EvaluationBudget budget) throws RefusedClaimsException {
        List<String> texts = new ArrayList<>();
        switch (evaluate(value, budget)) {
            case String one -> texts.add(one);
            case Null _ -> {}
            case ListValue list -> {
                for (int i = 0; i < list.size(); i++) {
                    if (!(list.get(i) instanceof String one)) {
                        throw noTexts(what);
                    }
                    texts.add(one);
                }
            }
            default -> throw noTexts(what);
        }
        texts.removeIf(String::isEmpty);
        return texts;
    }

    private static RefusedClaimsException noTexts(String what) {
        return new RefusedClaimsException(
                "ClaimsWithout" + what, "its claims give neither a text nor texts as " + what);
    }

    private Object evaluate(JsonNode value, EvaluationBudget budget) throws RefusedClaimsException {
        Program.Outcome outcome = compiled.evaluate(Map.of(variable, ClaimValues.of(value)), budget);
        if (outcome.cancelled()) {
            throw new RefusedClaimsException(
                    "ExpressionTooExpensive", "an expression about its claims costs more than it may");
        }
        if (outcome.value() instanceof CelError) {
            throw new RefusedClaimsException(
                    "ExpressionFailed", "an expression about its claims has no value for them");
        }
        return outcome.value();
    }
}
