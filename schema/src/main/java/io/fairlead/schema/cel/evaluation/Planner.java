package io.fairlead.schema.cel.evaluation;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import io.fairlead.schema.cel.library.Function;
import io.fairlead.schema.cel.library.Functions;
import io.fairlead.schema.cel.library.Macros;
import io.fairlead.schema.cel.library.TypeNames;
import io.fairlead.schema.cel.value.Bytes;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Null;
import io.fairlead.schema.cel.value.TypeValue;
import io.fairlead.schema.cel.value.Uint;
import io.fairlead.schema.cel.value.Work;
import io.fairlead.schema.text.Effort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a program of a checked expression: names become places, functions are found, lists of constants are made once. */
public final class Planner {
    private final CelAbstractSyntaxTree ast;
    private final Map<String, Integer> places = new HashMap<>();
    private int locals;

    private Planner(CelAbstractSyntaxTree ast) {
        this.ast = ast;
    }

    /** The program of an expression that was checked. */
    public static Program plan(CelAbstractSyntaxTree ast) {
        Planner planner = new Planner(ast);
        Step root = planner.plan(ast.getExpr());
        return new Program(root, planner.locals);
    }

    private Step plan(CelExpr expression) {
        return switch (expression.getKind()) {
            case CONSTANT -> new Access.Constant(constant(expression.constant()));
            case IDENT -> identifier(expression);
            case SELECT -> select(expression);
            case CALL -> call(expression);
            case LIST -> list(expression.list());
            case MAP -> map(expression.map());
            case COMPREHENSION -> fold(expression.comprehension());
            case STRUCT, NOT_SET ->
                new Access.Constant(new CelError(
                        "unknown type '" + expression.structOrDefault().messageName() + "'"));
        };
    }

    private static Object constant(CelConstant constant) {
        return switch (constant.getKind()) {
            case BOOLEAN_VALUE -> constant.booleanValue();
            case INT64_VALUE -> constant.int64Value();
            case UINT64_VALUE -> new Uint(constant.uint64Value().longValue());
            case DOUBLE_VALUE -> constant.doubleValue();
            case STRING_VALUE -> constant.stringValue();
            case BYTES_VALUE -> new Bytes(constant.bytesValue().toByteArray());
            case NULL_VALUE -> Null.VALUE;
            case TIMESTAMP_VALUE, DURATION_VALUE, NOT_SET -> CelError.NO_SUCH_OVERLOAD;
        };
    }

    private Step identifier(CelExpr expression) {
        String name = resolved(expression).orElse(expression.ident().name());
        Integer place = places.get(name);
        if (place != null) {
            return name.equals(Macros.TWICE) ? new Access.Again(place, place + 1) : new Access.Local(place);
        }
        return global(name, expression);
    }

    /** A type, or a variable; a variable may be named as a type is. */
    private Step global(String name, CelExpr expression) {
        boolean type = ast.getType(expression.id()).map(CelType::kind).equals(Optional.of(CelKind.TYPE));
        return TypeNames.ofIdentifier(name)
                .filter(_ -> type)
                .<Step>map(known -> new Access.Constant(new TypeValue(known)))
                .orElseGet(() -> new Access.Variable(name));
    }

    /** The name of a variable or type that an identifier, or a chain of them, stands for. */
    private Optional<String> resolved(CelExpr expression) {
        return ast.getReference(expression.id()).map(CelReference::name).filter(name -> !name.isEmpty());
    }

    private Step select(CelExpr expression) {
        Optional<String> qualified = resolved(expression);
        if (qualified.isPresent()) {
            return global(qualified.get(), expression);
        }
        CelExpr.CelSelect select = expression.select();
        Step operand = plan(select.operand());
        return select.testOnly()
                ? new Access.Presence(operand, select.field())
                : new Access.Part(operand, new Access.Constant(select.field()));
    }

    private Step call(CelExpr expression) {
        CelExpr.CelCall call = expression.call();
        String name = call.function();
        List<CelExpr> arguments = new ArrayList<>();
        if (call.target().isPresent() && Functions.named(qualified(call)).isEmpty()) {
            arguments.add(call.target().get());
        } else if (call.target().isPresent()) {
            name = qualified(call);
        }
        arguments.addAll(call.args());
        return switch (name) {
            case "_&&_" -> new Logic.Junction(plan(arguments.get(0)), plan(arguments.get(1)), false);
            case "_||_" -> new Logic.Junction(plan(arguments.get(0)), plan(arguments.get(1)), true);
            case "_?_:_" ->
                new Logic.Conditional(plan(arguments.get(0)), plan(arguments.get(1)), plan(arguments.get(2)));
            case "@not_strictly_false", "__not_strictly_false__" ->
                new Logic.NotStrictlyFalse(plan(arguments.getFirst()));
            case "_[_]" -> new Access.Part(plan(arguments.get(0)), plan(arguments.get(1)));
            case "_[?_]", "_?._" -> new Access.OptionalPart(plan(arguments.get(0)), plan(arguments.get(1)));
            case "or", "orValue" ->
                new Logic.Alternative(plan(arguments.get(0)), plan(arguments.get(1)), name.equals("orValue"));
            case "_+_" -> addition(arguments);
            case "cel.@mapInsert" -> new Construction.Insert(place(arguments.getFirst()), plans(arguments, 1));
            default -> invocation(name, arguments);
        };
    }

    /** The name of a function in a namespace ({@code ip.isCanonical}), which reads like a receiver and its function. */
    private static String qualified(CelExpr.CelCall call) {
        return call.target()
                .filter(target -> target.getKind() == CelExpr.ExprKind.Kind.IDENT)
                .map(target -> target.ident().name() + "." + call.function())
                .orElse("");
    }

    /** What a loop adds to its list is appended. */
    private Step addition(List<CelExpr> arguments) {
        CelExpr left = arguments.get(0);
        CelExpr right = arguments.get(1);
        boolean appends = left.getKind() == CelExpr.ExprKind.Kind.IDENT
                && left.ident().name().startsWith("@")
                && right.getKind() == CelExpr.ExprKind.Kind.LIST
                && right.list().optionalIndices().isEmpty();
        return appends
                ? new Construction.Append(place(left), plans(right.list().elements(), 0))
                : invocation("_+_", arguments);
    }

    private int place(CelExpr accumulator) {
        Integer place = places.get(accumulator.ident().name());
        if (place == null) {
            throw new IllegalArgumentException(
                    "no loop has " + accumulator.ident().name());
        }
        return place;
    }

    private Step invocation(String name, List<CelExpr> arguments) {
        Function function = Functions.named(name).orElse((values, work) -> new CelError("no such overload: " + name));
        return new Invocation(name, function, plans(arguments, 0).toArray(new Step[0]));
    }

    private List<Step> plans(List<CelExpr> expressions, int from) {
        return expressions.stream().skip(from).map(this::plan).toList();
    }

    private Step list(CelExpr.CelList list) {
        List<Step> elements = plans(list.elements(), 0);
        boolean constant =
                list.optionalIndices().isEmpty() && elements.stream().allMatch(Access.Constant.class::isInstance);
        return folded(new Construction.Elements(elements, Set.copyOf(list.optionalIndices())), constant);
    }

    private Step map(CelExpr.CelMap map) {
        List<Construction.Entry> entries = map.entries().stream()
                .map(entry -> new Construction.Entry(plan(entry.key()), plan(entry.value()), entry.optionalEntry()))
                .toList();
        boolean constant = entries.stream()
                .allMatch(entry -> !entry.optional()
                        && entry.key() instanceof Access.Constant
                        && entry.value() instanceof Access.Constant);
        return folded(new Construction.Entries(entries), constant);
    }

    /** A list or map of constants is a constant. */
    private static Step folded(Step construction, boolean constant) {
        if (!constant) {
            return construction;
        }
        return new Access.Constant(
                construction.evaluate(new Frame(Map.of(), 0, Long.MAX_VALUE - 1, new Work(new Effort()))));
    }

    private Step fold(CelExpr.CelComprehension loop) {
        Step range = plan(loop.iterRange());
        Step initial = plan(loop.accuInit());
        int first = locals++;
        int second = loop.iterVar2().isEmpty() ? -1 : locals++;
        int result = locals++;
        if (loop.accuVar().equals(Macros.TWICE)) {
            initial = new Access.Once(initial, locals++);
        }
        Map<String, Integer> outer = new HashMap<>(places);
        places.put(loop.accuVar(), result);
        Map<String, Integer> around = new HashMap<>(places);
        places.put(loop.iterVar(), first);
        if (second >= 0) {
            places.put(loop.iterVar2(), second);
        }
        Step condition = plan(loop.loopCondition());
        Step step = plan(loop.loopStep());
        places.clear();
        places.putAll(around);
        Step last = plan(loop.result());
        places.clear();
        places.putAll(outer);
        return new Fold(range, new Fold.Slots(first, second, result), initial, condition, step, last);
    }
}
