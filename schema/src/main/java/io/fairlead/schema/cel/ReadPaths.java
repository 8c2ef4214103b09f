package io.fairlead.schema.cel;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an expression reads of a variable, so that no more of a large object needs to be kept: paths of fields, below each of which
 * anything may be read. The empty path is the whole.
 */
final class ReadPaths {
    private static final String OPTIONAL_SELECT = "_?._";

    private final String variable;
    private final Set<List<String>> paths = new HashSet<>();

    private ReadPaths(String variable) {
        this.variable = variable;
    }

    static Set<List<String>> of(CelExpr expression, String variable) {
        ReadPaths read = new ReadPaths(variable);
        read.visit(expression);
        return Set.copyOf(read.paths);
    }

    private void visit(CelExpr expression) {
        List<String> path = path(expression);
        if (path != null) {
            paths.add(List.copyOf(path));
            return;
        }
        switch (expression.exprKind().getKind()) {
            case SELECT -> visit(expression.select().operand());
            case CALL -> {
                expression.call().target().ifPresent(this::visit);
                expression.call().args().forEach(this::visit);
            }
            case LIST -> expression.list().elements().forEach(this::visit);
            case STRUCT -> expression.struct().entries().forEach(entry -> visit(entry.value()));
            case MAP ->
                expression.map().entries().forEach(entry -> {
                    visit(entry.key());
                    visit(entry.value());
                });
            case COMPREHENSION -> visit(expression.comprehension());
            case CONSTANT, IDENT, NOT_SET -> {}
        }
    }

    /** Where a loop has a variable of the same name, all of the object is taken to be read: it is not looked at which is meant. */
    private void visit(CelComprehension loop) {
        if (loop.iterVar().equals(variable)
                || loop.iterVar2().equals(variable)
                || loop.accuVar().equals(variable)) {
            paths.add(List.of());
        }
        visit(loop.iterRange());
        visit(loop.accuInit());
        visit(loop.loopCondition());
        visit(loop.loopStep());
        visit(loop.result());
    }

    /** The path that an expression is; null if it is none. */
    private @Nullable List<String> path(CelExpr expression) {
        Kind kind = expression.exprKind().getKind();
        if (kind == Kind.IDENT) {
            return expression.ident().name().equals(variable) ? new ArrayList<>() : null;
        }
        if (kind == Kind.SELECT) {
            return below(expression.select().operand(), expression.select().field());
        }
        if (kind == Kind.CALL && expression.call().function().equals(OPTIONAL_SELECT)) {
            CelCall call = expression.call();
            CelExpr field = call.args().get(1);
            return field.exprKind().getKind() == Kind.CONSTANT
                            && field.constant().getKind() == CelConstant.Kind.STRING_VALUE
                    ? below(call.args().get(0), field.constant().stringValue())
                    : null;
        }
        return null;
    }

    private @Nullable List<String> below(CelExpr operand, String field) {
        List<String> path = path(operand);
        if (path != null) {
            path.add(field);
        }
        return path;
    }
}
