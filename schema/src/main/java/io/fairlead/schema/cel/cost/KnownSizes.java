package io.fairlead.schema.cel.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known of the sizes of expressions, and where their values come from, while the estimate goes over them. */
final class KnownSizes {
    private final CelAbstractSyntaxTree ast;
    private final SizeEstimator sizes;
    private final Map<Long, List<String>> paths = new HashMap<>();
    private final Map<Long, Estimate> computed = new HashMap<>();
    private final Map<Long, Entry> entries = new HashMap<>();
    private final Map<String, Deque<Variable>> variables = new HashMap<>();

    KnownSizes(CelAbstractSyntaxTree ast, SizeEstimator sizes) {
        this.ast = ast;
        this.sizes = sizes;
    }

    /** The sizes of a list's or map's keys and values. */
    record Entry(boolean list, Estimate key, Estimate value) {
        Entry union(Entry other) {
            return new Entry(list, key.union(other.key), value.union(other.value));
        }
    }

    /** A variable of a loop. */
    record Variable(List<String> path, Optional<Estimate> size, Optional<Entry> entry) {}

    CelType type(CelExpr expression) {
        return ast.getType(expression.id()).orElse(SimpleType.DYN);
    }

    void push(String name, Variable variable) {
        variables.computeIfAbsent(name, _ -> new ArrayDeque<>()).push(variable);
    }

    void pop(String name) {
        variables.getOrDefault(name, new ArrayDeque<>()).pop();
    }

    Optional<Variable> variable(CelExpr expression) {
        return expression.getKind() == CelExpr.ExprKind.Kind.IDENT
                ? Optional.ofNullable(variables.get(expression.ident().name())).map(Deque::peek)
                : Optional.empty();
    }

    List<String> path(CelExpr expression) {
        return variable(expression).map(Variable::path).orElseGet(() -> paths.getOrDefault(expression.id(), List.of()));
    }

    void setPath(CelExpr expression, List<String> path) {
        paths.put(expression.id(), path);
    }

    void setSize(CelExpr expression, Estimate size) {
        computed.put(expression.id(), size);
    }

    void setEntry(CelExpr expression, Entry entry) {
        entries.put(expression.id(), entry);
    }

    Optional<Entry> entry(CelExpr expression) {
        Entry known = entries.get(expression.id());
        return known != null ? Optional.of(known) : variable(expression).flatMap(Variable::entry);
    }

    Optional<Estimate> size(CelExpr expression) {
        Estimate known = computed.get(expression.id());
        if (known != null) {
            return Optional.of(known);
        }
        Optional<Estimate> literal = literal(expression);
        if (literal.isPresent()) {
            return literal;
        }
        Optional<Estimate> declared = sizes.estimate(path(expression));
        if (declared.isPresent()) {
            setSize(expression, declared.get());
            return declared;
        }
        return isScalar(type(expression))
                ? Optional.of(Estimate.ONE)
                : variable(expression).flatMap(Variable::size);
    }

    Estimate sizeOrUnknown(CelExpr expression) {
        return size(expression).orElse(Estimate.UNKNOWN);
    }

    Operand operand(CelExpr expression) {
        List<String> path = path(expression);
        boolean made = !path.isEmpty() && path.getFirst().startsWith("@");
        return new Operand(expression, type(expression), made ? List.of() : path, size(expression), sizes);
    }

    private static Optional<Estimate> literal(CelExpr expression) {
        return switch (expression.getKind()) {
            case CONSTANT -> Optional.of(Estimate.exactly(length(expression.constant())));
            case LIST ->
                Optional.of(Estimate.exactly(expression.list().elements().size()));
            case MAP -> Optional.of(Estimate.exactly(expression.map().entries().size()));
            default -> Optional.empty();
        };
    }

    private static long length(CelConstant constant) {
        return switch (constant.getKind()) {
            case STRING_VALUE -> {
                String text = constant.stringValue();
                yield text.codePointCount(0, text.length());
            }
            case BYTES_VALUE -> constant.bytesValue().size();
            default -> 1;
        };
    }

    private static boolean isScalar(CelType type) {
        return switch (type.kind()) {
            case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
            case OPAQUE ->
                type instanceof OptionalType optional
                        && isScalar(optional.parameters().getFirst());
            default -> false;
        };
    }
}
