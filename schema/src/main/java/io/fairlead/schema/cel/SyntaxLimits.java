package io.fairlead.schema.cel;

import dev.cel.common.ast.CelExpr;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** How long and how deeply nested an expression may be, so that no stack ends before it does. */
final class SyntaxLimits {
    /** As cel-go's parser. */
    static final int DEPTH_MAX = 250;

    static final String TOO_DEEP = "ERROR: <input>:-1:0: expression recursion limit exceeded: " + DEPTH_MAX;

    /** Macros nest what they are given deeper. */
    private static final int NODES_DEEP_MAX = 4 * DEPTH_MAX;

    private SyntaxLimits() {}

    /** Why a text is not even parsed, empty if it is. */
    static Optional<String> problem(String text) {
        int size = text.codePointCount(0, text.length());
        return size <= CelEnvironment.CODE_POINTS_MAX
                ? Optional.empty()
                : Optional.of("ERROR: <input>:-1:0: expression code point size exceeds limit: size: " + size
                        + ", limit " + CelEnvironment.CODE_POINTS_MAX);
    }

    private record Place(CelExpr expression, int depth) {}

    static boolean isTooDeep(CelExpr expression) {
        Deque<Place> open = new ArrayDeque<>();
        open.push(new Place(expression, 1));
        while (!open.isEmpty()) {
            Place place = open.pop();
            if (place.depth > NODES_DEEP_MAX) {
                return true;
            }
            children(place.expression).forEach(child -> open.push(new Place(child, place.depth + 1)));
        }
        return false;
    }

    /** The parts of an expression. */
    static List<CelExpr> children(CelExpr expression) {
        List<CelExpr> children = new ArrayList<>();
        switch (expression.getKind()) {
            case SELECT -> children.add(expression.select().operand());
            case CALL -> {
                expression.call().target().ifPresent(children::add);
                children.addAll(expression.call().args());
            }
            case LIST -> children.addAll(expression.list().elements());
            case MAP ->
                expression.map().entries().forEach(entry -> {
                    children.add(entry.key());
                    children.add(entry.value());
                });
            case STRUCT -> expression.struct().entries().forEach(entry -> children.add(entry.value()));
            case COMPREHENSION -> {
                CelExpr.CelComprehension loop = expression.comprehension();
                children.addAll(List.of(
                        loop.iterRange(), loop.accuInit(), loop.loopCondition(), loop.loopStep(), loop.result()));
            }
            case CONSTANT, IDENT, NOT_SET -> {}
        }
        return children;
    }
}
