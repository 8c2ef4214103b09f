package io.fairlead.schema.cel.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import io.fairlead.schema.cel.library.Macros;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Estimates the cost of one checked expression. */
public final class StaticCost {
    private static final Estimate LIST = Estimate.exactly(10);
    private static final Estimate MAP = Estimate.exactly(30);
    private static final Estimate STRUCT = Estimate.exactly(40);

    private final CelAbstractSyntaxTree ast;
    private final KnownSizes known;
    /** What the values of {@link Macros#TWICE} cost, the innermost first. */
    private final Deque<Estimate> twice = new ArrayDeque<>();

    private StaticCost(CelAbstractSyntaxTree ast, SizeEstimator sizes) {
        this.ast = ast;
        this.known = new KnownSizes(ast, sizes);
    }

    /** The least and the most that an expression may cost. */
    public static Estimate estimate(CelAbstractSyntaxTree ast, SizeEstimator sizes) {
        return new StaticCost(ast, sizes).cost(ast.getExpr());
    }

    private Estimate cost(CelExpr expression) {
        return switch (expression.getKind()) {
            case CONSTANT, NOT_SET -> Estimate.ZERO;
            case IDENT -> identifier(expression);
            case SELECT -> select(expression);
            case CALL -> call(expression);
            case LIST -> list(expression);
            case MAP -> map(expression);
            case STRUCT ->
                expression.struct().entries().stream()
                        .map(entry -> cost(entry.value()))
                        .reduce(STRUCT, Estimate::plus);
            case COMPREHENSION -> isBinding(expression.comprehension()) ? binding(expression) : loop(expression);
        };
    }

    private Estimate identifier(CelExpr expression) {
        known.setPath(
                expression,
                known.variable(expression)
                        .map(KnownSizes.Variable::path)
                        .orElse(List.of(expression.ident().name())));
        return expression.ident().name().equals(Macros.TWICE) ? twice.getFirst() : Estimate.ONE;
    }

    private Estimate select(CelExpr expression) {
        CelExpr.CelSelect select = expression.select();
        Estimate sum = cost(select.operand());
        if (select.testOnly()) {
            return sum;
        }
        CelKind kind = known.type(select.operand()).kind();
        boolean counts = kind == CelKind.MAP || kind == CelKind.STRUCT || kind == CelKind.TYPE_PARAM;
        known.setPath(expression, extended(select.operand(), select.field()));
        return counts ? sum.plus(Estimate.ONE) : sum;
    }

    private List<String> extended(CelExpr expression, String step) {
        List<String> path = new ArrayList<>(known.path(expression));
        path.add(step);
        return path;
    }

    private Estimate call(CelExpr expression) {
        CelExpr.CelCall call = expression.call();
        if (call.function().equals("dyn")) {
            CelExpr inner = call.args().getFirst();
            Estimate cost = cost(inner).plus(Estimate.ONE);
            known.size(inner).ifPresent(size -> known.setSize(expression, size));
            known.entry(inner).ifPresent(entry -> known.setEntry(expression, entry));
            return cost;
        }
        List<Estimate> costs = call.args().stream().map(this::cost).toList();
        List<Operand> arguments = call.args().stream().map(known::operand).toList();
        CelReference reference = ast.getReference(expression.id()).orElse(null);
        if (reference == null || reference.overloadIds().isEmpty()) {
            return Estimate.ZERO;
        }
        boolean namespaced = !reference.name().isEmpty() && call.target().isPresent();
        Optional<CelExpr> receiver = namespaced ? Optional.empty() : call.target();
        String function = namespaced ? reference.name() : call.function();
        Estimate ofTarget = receiver.map(this::cost).orElse(Estimate.ZERO);
        Optional<Operand> target = receiver.map(known::operand);
        Estimate cost = Estimate.NOTHING;
        Estimate result = null;
        for (String overload : reference.overloadIds()) {
            CallEstimate estimate = function(expression, function, overload, target, arguments, costs);
            cost = cost.union(estimate.cost());
            if (estimate.result().isPresent()) {
                result = result == null
                        ? estimate.result().get()
                        : result.union(estimate.result().get());
            }
            result = indexed(expression, overload, result);
            result = result == null ? known.size(expression).orElse(null) : result;
        }
        if (result != null) {
            known.setSize(expression, result);
        }
        return ofTarget.plus(cost);
    }

    private @Nullable Estimate indexed(CelExpr expression, String overload, @Nullable Estimate result) {
        if (!overload.equals("index_list") && !overload.equals("index_map")) {
            return result;
        }
        CelExpr container = expression.call().args().getFirst();
        known.setPath(expression, extended(container, overload.equals("index_list") ? "@items" : "@values"));
        return known.entry(container).map(KnownSizes.Entry::value).orElse(null);
    }

    private CallEstimate function(
            CelExpr expression,
            String function,
            String overload,
            Optional<Operand> target,
            List<Operand> arguments,
            List<Estimate> costs) {
        switch (overload) {
            case "logical_or", "logical_and" -> {
                return CallEstimate.of(new Estimate(
                        costs.get(0).min(), costs.get(0).plus(costs.get(1)).max()));
            }
            case "conditional" -> {
                return conditional(expression, arguments, costs);
            }
            default -> {}
        }
        CallEstimate estimate = LibraryCalls.estimate(function, overload, target, arguments)
                .orElseGet(() -> StandardCalls.estimate(overload, target, arguments));
        if (overload.startsWith("add_") && arguments.size() == 2) {
            joinEntries(
                    expression, arguments.get(0).expression(), arguments.get(1).expression());
        }
        return new CallEstimate(costs.stream().reduce(estimate.cost(), Estimate::plus), estimate.result());
    }

    private CallEstimate conditional(CelExpr expression, List<Operand> arguments, List<Estimate> costs) {
        joinEntries(expression, arguments.get(1).expression(), arguments.get(2).expression());
        return CallEstimate.of(
                costs.get(0).plus(costs.get(1).union(costs.get(2))),
                arguments.get(1).size().union(arguments.get(2).size()));
    }

    private void joinEntries(CelExpr expression, CelExpr left, CelExpr right) {
        Optional<KnownSizes.Entry> first = known.entry(left);
        Optional<KnownSizes.Entry> second = known.entry(right);
        if (first.isPresent() && second.isPresent()) {
            known.setEntry(expression, first.get().union(second.get()));
        }
    }

    private Estimate list(CelExpr expression) {
        Estimate sum = LIST;
        List<CelExpr> elements = expression.list().elements();
        Estimate size = elements.isEmpty() ? Estimate.ZERO : Estimate.NOTHING;
        for (CelExpr element : elements) {
            sum = sum.plus(cost(element));
            size = size.union(known.sizeOrUnknown(element));
        }
        known.setEntry(expression, new KnownSizes.Entry(true, Estimate.ONE, size));
        return sum;
    }

    private Estimate map(CelExpr expression) {
        Estimate sum = MAP;
        List<CelExpr.CelMap.Entry> entries = expression.map().entries();
        Estimate keys = entries.isEmpty() ? Estimate.ZERO : Estimate.NOTHING;
        Estimate values = keys;
        for (CelExpr.CelMap.Entry entry : entries) {
            sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
            keys = keys.union(known.sizeOrUnknown(entry.key()));
            values = values.union(known.sizeOrUnknown(entry.value()));
        }
        known.setEntry(expression, new KnownSizes.Entry(false, keys, values));
        return sum;
    }

    /** Whether a loop goes over nothing and only names a value. */
    private static boolean isBinding(CelExpr.CelComprehension loop) {
        boolean empty = loop.iterRange().getKind() == CelExpr.ExprKind.Kind.LIST
                && loop.iterRange().list().elements().isEmpty();
        CelExpr condition = loop.loopCondition();
        boolean never = condition.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && condition.constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
                && !condition.constant().booleanValue();
        return empty && never && !loop.accuVar().startsWith("@");
    }

    private Estimate binding(CelExpr expression) {
        CelExpr.CelComprehension loop = expression.comprehension();
        Estimate initial = cost(loop.accuInit());
        boolean charged = loop.accuVar().equals(Macros.TWICE);
        Estimate sum = charged ? Estimate.ZERO : cost(loop.iterRange()).plus(initial);
        if (charged) {
            twice.push(initial);
        }
        pushLocal(loop);
        sum = sum.plus(cost(loop.result()));
        known.pop(loop.accuVar());
        if (charged) {
            twice.pop();
        }
        known.size(loop.result()).ifPresent(size -> known.setSize(expression, size));
        known.entry(loop.result()).ifPresent(entry -> known.setEntry(expression, entry));
        return sum;
    }

    private void pushLocal(CelExpr.CelComprehension loop) {
        CelExpr initial = loop.accuInit();
        known.push(
                loop.accuVar(),
                new KnownSizes.Variable(known.path(initial), known.size(initial), known.entry(initial)));
    }

    private Estimate loop(CelExpr expression) {
        CelExpr.CelComprehension loop = expression.comprehension();
        Estimate sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        pushLocal(loop);
        Optional<KnownSizes.Entry> entry = known.entry(loop.iterRange());
        boolean list = entry.map(KnownSizes.Entry::list)
                .orElse(known.type(loop.iterRange()).kind() == CelKind.LIST);
        boolean two = !loop.iterVar2().isEmpty();
        boolean firstIsKey = two || !list;
        String firstStep = !firstIsKey ? "@items" : two && list ? "@indices" : "@keys";
        known.push(
                loop.iterVar(),
                new KnownSizes.Variable(
                        extended(loop.iterRange(), firstStep),
                        entry.map(sizes -> firstIsKey ? sizes.key() : sizes.value()),
                        Optional.empty()));
        if (two) {
            known.push(
                    loop.iterVar2(),
                    new KnownSizes.Variable(
                            extended(loop.iterRange(), list ? "@items" : "@values"),
                            entry.map(KnownSizes.Entry::value),
                            Optional.empty()));
        }
        Estimate each = cost(loop.loopStep()).plus(cost(loop.loopCondition()));
        known.pop(loop.iterVar());
        if (two) {
            known.pop(loop.iterVar2());
        }
        sum = sum.plus(cost(loop.result()));
        known.pop(loop.accuVar());
        Estimate count = known.sizeOrUnknown(loop.iterRange());
        setResult(expression, loop, count);
        return sum.plus(count.times(each));
    }

    private void setResult(CelExpr expression, CelExpr.CelComprehension loop, Estimate count) {
        switch (loop.accuInit().getKind()) {
            case CONSTANT -> known.size(loop.accuInit()).ifPresent(size -> known.setSize(expression, size));
            case LIST, MAP -> {
                known.setSize(expression, count);
                known.entry(loop.loopStep()).ifPresent(entry -> known.setEntry(expression, entry));
            }
            default -> {}
        }
    }
}
