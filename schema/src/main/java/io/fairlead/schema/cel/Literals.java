package io.fairlead.schema.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import io.fairlead.schema.cel.library.GoDuration;
import io.fairlead.schema.cel.library.TimeFunctions;
import io.fairlead.schema.text.Effort;
import io.fairlead.schema.text.Patterns;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Literals that can be no pattern, duration or time (cel-go {@code cel.ValidateRegexLiterals} and its like, since 1.29). */
final class Literals {
    private Literals() {}

    static String issues(String text, CelAbstractSyntaxTree ast) {
        List<String> issues = new ArrayList<>();
        Deque<CelExpr> open = new ArrayDeque<>();
        Effort effort = new Effort();
        open.push(ast.getExpr());
        while (!open.isEmpty()) {
            CelExpr expression = open.pop();
            if (expression.getKind() == CelExpr.ExprKind.Kind.CALL) {
                issue(text, ast, expression.call(), effort).ifPresent(issues::add);
            }
            SyntaxLimits.children(expression).reversed().forEach(open::push);
        }
        return String.join("\n", issues);
    }

    private static Optional<String> issue(String text, CelAbstractSyntaxTree ast, CelExpr.CelCall call, Effort effort) {
        if (call.args().isEmpty()) {
            return Optional.empty();
        }
        CelExpr argument = call.args().getLast();
        boolean literal = argument.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && argument.constant().getKind() == CelConstant.Kind.STRING_VALUE;
        if (!literal || isValid(call, argument.constant().stringValue(), effort)) {
            return Optional.empty();
        }
        return Optional.of(ast.getSource()
                .getOffsetLocation(offset(ast, argument))
                .map(location -> Issues.line(text, location, "invalid " + call.function() + " argument"))
                .orElse("ERROR: <input>:-1:0: invalid " + call.function() + " argument"));
    }

    private static int offset(CelAbstractSyntaxTree ast, CelExpr expression) {
        return ast.getSource().getPositionsMap().getOrDefault(expression.id(), 0);
    }

    private static boolean isValid(CelExpr.CelCall call, String literal, Effort effort) {
        return switch (call.function()) {
            case "matches", "find" -> isPattern(literal, effort);
            case "duration" -> GoDuration.parse(literal).isPresent();
            case "timestamp" -> TimeFunctions.parse(literal).isPresent();
            default -> true;
        };
    }

    private static boolean isPattern(String literal, Effort effort) {
        try {
            return Patterns.problem(literal, effort).isEmpty();
        } catch (Effort.ExceededException tooMuch) {
            return false;
        }
    }
}
