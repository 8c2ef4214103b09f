package io.fairlead.schema.cel.cost;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import io.fairlead.schema.cel.library.KeyFunctions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What Kubernetes says about calls of functions, in front of CEL's own estimate (apiserver {@code EstimateCallCost}), and calls of our own. */
final class LibraryCalls {
    static final double TRAVERSAL = 0.1;
    static final double REGEX = 0.25;

    private static final int FORMAT_REGEX_MAX = 128;
    private static final int FORMAT_CHARS_MAX = 64;
    private static final Set<String> UNIT_EQUALITY =
            Set.of("net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver");

    /** The receiver, if there is one, and the other arguments. */
    private final Optional<Operand> target;

    private final List<Operand> arguments;

    private LibraryCalls(Optional<Operand> target, List<Operand> arguments) {
        this.target = target;
        this.arguments = arguments;
    }

    static Optional<CallEstimate> estimate(
            String function, String overload, Optional<Operand> target, List<Operand> arguments) {
        return Optional.ofNullable(new LibraryCalls(target, arguments).estimate(function, overload));
    }

    private @Nullable CallEstimate estimate(String function, String overload) {
        return switch (function) {
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> overElements();
            case "url" -> traversal(arguments.getFirst(), 1);
            case "lowerAscii", "upperAscii", "substring", "trim" -> traversal(receiver(), 1);
            case "replace" -> replace();
            case "split" -> split();
            case "join" -> join();
            case "find", "findAll" -> find();
            case "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" ->
                CallEstimate.of(arguments.getFirst().size().scaled(TRAVERSAL));
            case "ip" ->
                overload.equals("cidr_ip")
                        ? CallEstimate.of(Estimate.ONE)
                        : CallEstimate.of(arguments.getFirst().size().scaled(TRAVERSAL));
            case "ip.isCanonical" -> CallEstimate.of(arguments.getFirst().size().scaled(2 * TRAVERSAL));
            case "containsIP", "containsCIDR" -> contained(function, overload);
            case "validate" ->
                CallEstimate.of(arguments.getFirst().size().scaled(TRAVERSAL).scaled(FORMAT_REGEX_MAX * REGEX));
            case "_==_" -> equality();
            case "slice" -> slice();
            case "lists.range" -> made(Estimate.exactly(integer(arguments.getFirst(), Long.MAX_VALUE)), 1);
            case "reverse" -> made(receiver().size(), 1);
            case "flatten" ->
                made(
                        receiver().size(),
                        arguments.isEmpty() ? 1 : (double) integer(arguments.getFirst(), Long.MAX_VALUE));
            case "distinct" -> made(square(receiver().size()), 2);
            case "sort" -> sorted(receiver(), overload);
            case "@sortByAssociatedKeys" -> sorted(arguments.getFirst(), overload);
            case "sets.contains", "sets.intersects" -> pairs(1);
            case "sets.equivalent" -> pairs(2);
            case "selectorOf" -> selector();
            case "hostOf" -> normalized(KeyFunctions.HOST_WRITTEN_CHARS_MAX, 2, KeyFunctions.HOST_CHARS_MAX);
            case "quantityOf" ->
                normalized(KeyFunctions.QUANTITY_WRITTEN_CHARS_MAX, 1, KeyFunctions.QUANTITY_CHARS_MAX);
            default -> null;
        };
    }

    private Operand receiver() {
        return target.orElseThrow();
    }

    private static CallEstimate traversal(Operand text, int times) {
        return CallEstimate.of(text.size().scaled(times * TRAVERSAL), text.size());
    }

    private CallEstimate overElements() {
        Operand list = receiver();
        if (list.elementType().isEmpty()) {
            return CallEstimate.of(list.size().scaled(TRAVERSAL));
        }
        CelKind kind = list.elementType().get().kind();
        Estimate element = kind == CelKind.STRING || kind == CelKind.BYTES
                ? Estimate.ONE.plus(list.elementSize().scaled(TRAVERSAL))
                : Estimate.ONE;
        return CallEstimate.of(list.size().times(element));
    }

    private CallEstimate replace() {
        Estimate text = receiver().size();
        Estimate old = arguments.get(0).size();
        Estimate by = arguments.get(1).size();
        long countMax = 0;
        long keptMax = 0;
        if (old.min() == 0) {
            countMax = Estimate.add(text.max(), 1);
            keptMax = text.max();
        } else if (by.max() <= old.min()) {
            keptMax = text.max();
        } else {
            countMax = quotient(text.max(), old.min());
        }
        long countMin = 0;
        long keptMin = 0;
        if (old.max() == 0) {
            countMin = Estimate.add(text.min(), 1);
            keptMin = text.min();
        } else if (old.max() <= by.min()) {
            keptMin = text.min();
        } else {
            countMin = quotient(text.min(), old.max());
        }
        Estimate result = new Estimate(countMin, countMax).times(by).plus(new Estimate(keptMin, keptMax));
        return CallEstimate.of(text.scaled(2 * TRAVERSAL), result);
    }

    private static long quotient(long a, long b) {
        return a == Long.MAX_VALUE ? a : (long) Math.ceil((double) a / b);
    }

    private CallEstimate split() {
        Estimate text = receiver().size();
        long max = arguments.size() > 1 ? integer(arguments.get(1), text.max()) : text.max();
        return CallEstimate.of(text.scaled(2 * TRAVERSAL), new Estimate(0, max));
    }

    private CallEstimate join() {
        Estimate list = receiver().size();
        Estimate size = list.times(receiver().elementSize());
        if (!arguments.isEmpty()) {
            Estimate separators = new Estimate(Math.max(0, list.min() - 1), Math.max(0, list.max() - 1));
            size = size.plus(arguments.getFirst().size().times(separators));
        }
        return CallEstimate.of(size.scaled(TRAVERSAL), size);
    }

    private CallEstimate find() {
        Estimate text = receiver().size();
        Estimate cost = text.plus(Estimate.ONE)
                .scaled(TRAVERSAL)
                .times(arguments.getFirst().size().scaled(REGEX));
        return CallEstimate.of(cost, new Estimate(0, text.max()));
    }

    private CallEstimate contained(String function, String overload) {
        Estimate bytes = new Estimate(4, 16);
        Estimate cost = bytes.plus(bytes).scaled(TRAVERSAL);
        if (function.equals("containsCIDR")) {
            cost = cost.plus(bytes.scaled(TRAVERSAL)).plus(Estimate.ONE);
        }
        if (overload.endsWith("_string")) {
            cost = cost.plus(arguments.getFirst().size().scaled(TRAVERSAL));
        }
        return CallEstimate.of(cost);
    }

    private @Nullable CallEstimate equality() {
        String left = arguments.get(0).type().name();
        if (arguments.size() != 2 || !left.equals(arguments.get(1).type().name())) {
            return null;
        }
        if (UNIT_EQUALITY.contains(left)) {
            return CallEstimate.of(Estimate.ONE);
        }
        return switch (left) {
            case "kubernetes.NamedFormat" -> CallEstimate.of(new Estimate(1, FORMAT_CHARS_MAX).scaled(TRAVERSAL));
            case "kubernetes.URL" -> {
                long max = arguments.get(1).known().map(Estimate::max).orElse(1L);
                yield CallEstimate.of(new Estimate(1, max).scaled(TRAVERSAL));
            }
            default -> null;
        };
    }

    private CallEstimate slice() {
        long from = integer(arguments.get(0), 0);
        long to = integer(arguments.get(1), receiver().size().max());
        return made(Estimate.exactly(to < from ? Long.MAX_VALUE : to - from), 1);
    }

    private static CallEstimate sorted(Operand keys, String overload) {
        boolean texts = overload.startsWith("list_string") || overload.startsWith("list_bytes");
        return made(square(keys.size()), texts ? 2 + TRAVERSAL : 2);
    }

    private CallEstimate pairs(double factor) {
        Estimate pairs = arguments.get(0).size().times(arguments.get(1).size());
        return CallEstimate.of(pairs.scaled(factor).plus(Estimate.ONE));
    }

    /** The number of a selector's entries says nothing about what is in them. */
    private static CallEstimate selector() {
        Estimate size = new Estimate(0, KeyFunctions.SELECTOR_SIZE_MAX);
        return CallEstimate.of(
                size.scaled(TRAVERSAL).plus(Estimate.ONE), new Estimate(1, KeyFunctions.SELECTOR_CHARS_MAX));
    }

    /** Of a call that refuses texts beyond a length. */
    private CallEstimate normalized(long charsMax, int times, long resultMax) {
        Estimate read = arguments.getFirst().size().atMost(charsMax).scaled(TRAVERSAL);
        return CallEstimate.of(read.times(Estimate.exactly(times)), new Estimate(1, resultMax));
    }

    private static Estimate square(Estimate size) {
        return size.times(size);
    }

    /** Of a call that makes a list. */
    private static CallEstimate made(Estimate size, double factor) {
        return CallEstimate.of(size.scaled(factor).plus(Estimate.exactly(11)), size);
    }

    /** The value of a literal. */
    private static long integer(Operand operand, long otherwise) {
        CelExpr expression = operand.expression();
        boolean literal = expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && expression.constant().getKind() == CelConstant.Kind.INT64_VALUE;
        return literal ? Math.max(0, expression.constant().int64Value()) : otherwise;
    }
}
