package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Work;
import java.util.HashMap;
import java.util.Map;

/** Functions by name; several of one name are asked in turn. */
final class Registry {
    private final Map<String, Function> functions = new HashMap<>();

    /** A function of one argument. */
    @FunctionalInterface
    interface Unary<A> {
        Object call(A argument, Work work);
    }

    /** A function of two arguments. */
    @FunctionalInterface
    interface Binary<A, B> {
        Object call(A first, B second, Work work);
    }

    Registry add(String name, Function function) {
        functions.merge(name, function, (first, second) -> (arguments, work) -> {
            Object result = first.call(arguments, work);
            return result.equals(CelError.NO_SUCH_OVERLOAD) ? second.call(arguments, work) : result;
        });
        return this;
    }

    <A> Registry unary(String name, Class<A> type, Unary<A> function) {
        return add(
                name,
                (arguments, work) -> arguments.length == 1 && type.isInstance(arguments[0])
                        ? function.call(type.cast(arguments[0]), work)
                        : CelError.NO_SUCH_OVERLOAD);
    }

    <A, B> Registry binary(String name, Class<A> first, Class<B> second, Binary<A, B> function) {
        return add(
                name,
                (arguments, work) ->
                        arguments.length == 2 && first.isInstance(arguments[0]) && second.isInstance(arguments[1])
                                ? function.call(first.cast(arguments[0]), second.cast(arguments[1]), work)
                                : CelError.NO_SUCH_OVERLOAD);
    }

    Map<String, Function> functions() {
        return Map.copyOf(functions);
    }
}
