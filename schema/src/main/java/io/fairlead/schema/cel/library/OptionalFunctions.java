package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.Bytes;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import io.fairlead.schema.cel.value.Null;
import io.fairlead.schema.cel.value.Uint;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Optional values (cel-go {@code cel.OptionalTypes}). */
final class OptionalFunctions {
    private OptionalFunctions() {}

    @SuppressWarnings("rawtypes")
    static void addTo(Registry registry) {
        Class<Optional> optional = Optional.class;
        registry.add("optional.none", (_, _) -> Optional.empty())
                .unary("optional.of", Object.class, (value, _) -> Optional.of(value))
                .unary(
                        "optional.ofNonZeroValue",
                        Object.class,
                        (value, _) -> isZero(value) ? Optional.empty() : Optional.of(value))
                .unary("hasValue", optional, (value, _) -> value.isPresent())
                .unary(
                        "value",
                        optional,
                        (value, _) -> value.isPresent() ? value.get() : new CelError("optional.none() dereference"))
                .unary(
                        "first",
                        ListValue.class,
                        (list, _) -> list.size() == 0 ? Optional.empty() : Optional.of(list.get(0)))
                .unary(
                        "last",
                        ListValue.class,
                        (list, _) -> list.size() == 0 ? Optional.empty() : Optional.of(list.get(list.size() - 1)))
                .unary("optional.unwrap", ListValue.class, OptionalFunctions::unwrap)
                .unary("unwrapOpt", ListValue.class, OptionalFunctions::unwrap);
    }

    private static boolean isZero(Object value) {
        return switch (value) {
            case Null _ -> true;
            case Boolean bool -> !bool;
            case Long number -> number == 0;
            case Uint number -> number.bits() == 0;
            case Double number -> number == 0;
            case String text -> text.isEmpty();
            case Bytes bytes -> bytes.size() == 0;
            case ListValue list -> list.size() == 0;
            case MapValue map -> map.size() == 0;
            case Duration duration -> duration.isZero();
            case Optional<?> inner -> inner.isEmpty();
            default -> false;
        };
    }

    private static Object unwrap(ListValue list, Work work) {
        List<Object> values = new ArrayList<>();
        work.makeElements(list.size());
        for (int i = 0; i < list.size(); i++) {
            if (!(list.get(i) instanceof Optional<?> optional)) {
                return new CelError("value " + Values.shown(list.get(i)) + " is not optional");
            }
            optional.ifPresent(values::add);
        }
        return ListValue.of(values);
    }
}
