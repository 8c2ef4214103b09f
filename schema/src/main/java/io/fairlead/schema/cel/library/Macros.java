package io.fairlead.schema.cel.library;

import com.google.errorprone.annotations.Immutable;
import dev.cel.common.CelIssue;
import dev.cel.common.ast.CelExpr;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import java.util.List;
import java.util.Optional;

/** The macros beyond CEL's standard ones: those of optional values, of two variables (since 1.32), and {@code sortBy} (1.34). */
public final class Macros {
    /**
     * The name of what {@code optMap} is called on. cel-go writes that twice, so that a chain of calls doubles with each of them;
     * here it is evaluated once and charged twice.
     */
    public static final String TWICE = "#twice";

    private static final String SORTED = "#sorted";
    private static final String UNUSED = "#unused";
    private static final String ADD = "_+_";
    private static final String CONDITIONAL = "_?_:_";
    private static final String NOT_STRICTLY_FALSE = "@not_strictly_false";
    private static final String MAP_INSERT = "cel.@mapInsert";

    private final CelMacroExprFactory make;
    private final CelExpr target;
    private final List<CelExpr> arguments;

    private Macros(CelMacroExprFactory make, CelExpr target, List<CelExpr> arguments) {
        this.make = make;
        this.target = target;
        this.arguments = arguments;
    }

    /** What one of them becomes. */
    @Immutable
    private interface Expansion {
        CelExpr of(Macros macros);
    }

    /** The macros. */
    public static List<CelMacro> all() {
        return List.of(
                macro("optMap", 2, macros -> macros.optional(true)),
                macro("optFlatMap", 2, macros -> macros.optional(false)),
                macro("all", 3, Macros::all3),
                macro("exists", 3, Macros::exists3),
                macro("exists_one", 3, Macros::existsOne3),
                macro("existsOne", 3, Macros::existsOne3),
                macro("transformList", 3, Macros::transformList),
                macro("transformList", 4, Macros::transformList),
                macro("transformMap", 3, Macros::transformMap),
                macro("transformMap", 4, Macros::transformMap),
                macro("transformMapEntry", 3, Macros::transformMapEntry),
                macro("transformMapEntry", 4, Macros::transformMapEntry),
                macro("sortBy", 2, Macros::sortBy),
                macro("format", 1, Macros::format));
    }

    private static CelMacro macro(String name, int arguments, Expansion expansion) {
        return CelMacro.newReceiverMacro(
                name, arguments, (make, target, given) -> Optional.of(expansion.of(new Macros(make, target, given))));
    }

    private CelExpr optional(boolean wraps) {
        CelExpr variable = arguments.getFirst();
        if (variable.getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return fault(variable, (wraps ? "optMap" : "optFlatMap") + "() variable name must be a simple identifier");
        }
        CelExpr value = make.newReceiverCall("value", make.newIdentifier(TWICE));
        CelExpr mapped = bound(variable.ident().name(), value, arguments.get(1));
        CelExpr optional = make.newIdentifier("optional");
        CelExpr chosen = make.newGlobalCall(
                CONDITIONAL,
                make.newReceiverCall("hasValue", make.newIdentifier(TWICE)),
                wraps ? make.newReceiverCall("of", optional, mapped) : mapped,
                make.newReceiverCall("none", make.newIdentifier("optional")));
        return bound(TWICE, target, chosen);
    }

    /** An expression in which another has a name (cel-go {@code cel.bind}): a loop over nothing. */
    private CelExpr bound(String name, CelExpr value, CelExpr within) {
        return make.fold(
                UNUSED, make.newList(), name, value, make.newBoolLiteral(false), make.newIdentifier(name), within);
    }

    private CelExpr all3() {
        return loop(
                make.newBoolLiteral(true),
                make.newGlobalCall(NOT_STRICTLY_FALSE, made()),
                make.newGlobalCall("_&&_", made(), arguments.get(2)),
                made());
    }

    private CelExpr exists3() {
        return loop(
                make.newBoolLiteral(false),
                make.newGlobalCall(NOT_STRICTLY_FALSE, make.newGlobalCall("!_", made())),
                make.newGlobalCall("_||_", made(), arguments.get(2)),
                made());
    }

    private CelExpr existsOne3() {
        CelExpr counted = make.newGlobalCall(ADD, made(), make.newIntLiteral(1));
        return loop(
                make.newIntLiteral(0),
                make.newBoolLiteral(true),
                make.newGlobalCall(CONDITIONAL, arguments.get(2), counted, made()),
                make.newGlobalCall("_==_", made(), make.newIntLiteral(1)));
    }

    private CelExpr transformList() {
        return transformed(make.newList(), make.newGlobalCall(ADD, made(), make.newList(arguments.getLast())));
    }

    private CelExpr transformMap() {
        if (arguments.getFirst().getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return fault(arguments.getFirst(), "argument must be a simple name");
        }
        CelExpr key = make.newIdentifier(arguments.getFirst().ident().name());
        return transformed(make.newMap(), make.newGlobalCall(MAP_INSERT, made(), key, arguments.getLast()));
    }

    private CelExpr transformMapEntry() {
        return transformed(make.newMap(), make.newGlobalCall(MAP_INSERT, made(), arguments.getLast()));
    }

    /** A loop that makes a list or a map, perhaps of those elements only that a filter wants. */
    private CelExpr transformed(CelExpr empty, CelExpr step) {
        CelExpr filtered =
                arguments.size() == 4 ? make.newGlobalCall(CONDITIONAL, arguments.get(2), step, made()) : step;
        return loop(empty, make.newBoolLiteral(true), filtered, made());
    }

    private CelExpr loop(CelExpr initial, CelExpr condition, CelExpr step, CelExpr result) {
        for (CelExpr variable : arguments.subList(0, 2)) {
            if (variable.getKind() != CelExpr.ExprKind.Kind.IDENT) {
                return fault(variable, "argument must be a simple name");
            }
        }
        String first = arguments.get(0).ident().name();
        String second = arguments.get(1).ident().name();
        if (first.equals(second)) {
            return fault(arguments.get(1), "duplicate variable name: " + first);
        }
        return make.fold(first, second, target, make.getAccumulatorVarName(), initial, condition, step, result);
    }

    private CelExpr sortBy() {
        CelExpr variable = arguments.getFirst();
        if (variable.getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return fault(variable, "argument must be a simple name");
        }
        CelExpr keys = make.fold(
                variable.ident().name(),
                make.newIdentifier(SORTED),
                make.getAccumulatorVarName(),
                make.newList(),
                make.newBoolLiteral(true),
                make.newGlobalCall(ADD, made(), make.newList(arguments.get(1))),
                made());
        CelExpr sorted = make.newReceiverCall("@sortByAssociatedKeys", make.newIdentifier(SORTED), keys);
        return bound(SORTED, target, sorted);
    }

    /** What is formatted may be of several types, unlike the elements of other lists. */
    private CelExpr format() {
        CelExpr list = arguments.getFirst();
        if (list.getKind() != CelExpr.ExprKind.Kind.LIST
                || !list.list().optionalIndices().isEmpty()) {
            return make.newReceiverCall("format", target, list);
        }
        List<CelExpr> elements = list.list().elements().stream()
                .map(element -> make.newGlobalCall("dyn", element))
                .toList();
        return make.newReceiverCall("format", target, make.newList(elements));
    }

    private CelExpr made() {
        return make.newIdentifier(make.getAccumulatorVarName());
    }

    private CelExpr fault(CelExpr at, String message) {
        return make.reportError(CelIssue.formatError(make.getSourceLocation(at), message));
    }
}
