package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListKind;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.Uint;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Functions of lists: Kubernetes' own, and cel-go's {@code ext.Lists} (version 3) and {@code ext.Sets}. */
final class ListFunctions {
    private ListFunctions() {}

    static void addTo(Registry registry) {
        Class<ListValue> list = ListValue.class;
        registry.unary("isSorted", list, ListFunctions::isSorted)
                .unary("sum", list, ListFunctions::sum)
                .unary("max", list, (values, work) -> extreme(values, "max", -1, work))
                .unary("min", list, (values, work) -> extreme(values, "min", 1, work))
                .binary("indexOf", list, Object.class, ListFunctions::indexOf)
                .binary("lastIndexOf", list, Object.class, ListFunctions::lastIndexOf)
                .add("slice", ListFunctions::slice)
                .unary("flatten", list, (values, work) -> flatten(values, 1, work))
                .binary("flatten", list, Long.class, ListFunctions::flatten)
                .unary("lists.range", Long.class, ListFunctions::range)
                .unary(
                        "reverse",
                        list,
                        (values, _) ->
                                ListValue.lazy(values.size(), values.kind(), i -> values.get(values.size() - 1 - i)))
                .unary("distinct", list, ListFunctions::distinct)
                .unary("sort", list, (values, work) -> sort(values, values, work))
                .binary("@sortByAssociatedKeys", list, list, ListFunctions::sort)
                .binary("sets.contains", list, list, ListFunctions::containsAll)
                .binary("sets.intersects", list, list, ListFunctions::intersect)
                .binary(
                        "sets.equivalent",
                        list,
                        list,
                        (a, b, work) -> containsAll(a, b, work).equals(true) ? containsAll(b, a, work) : false);
    }

    private static Object isSorted(ListValue list, Work work) {
        for (int i = 1; i < list.size(); i++) {
            Integer order = Values.compare(list.get(i - 1), list.get(i), work);
            if (order == null) {
                return CelError.NO_SUCH_OVERLOAD;
            }
            if (order > 0) {
                return false;
            }
        }
        return true;
    }

    /** The sum of nothing is the zero of integers here; the type checker knows no other. */
    private static Object sum(ListValue list, Work work) {
        Function plus = Functions.named("_+_").orElseThrow();
        Object sum = zero(list.size() == 0 ? 0L : list.get(0));
        for (int i = 0; i < list.size() && !(sum instanceof CelError); i++) {
            work.spend(1);
            sum = plus.call(new Object[] {sum, list.get(i)}, work);
        }
        return sum;
    }

    private static Object zero(Object value) {
        return switch (value) {
            case Uint _ -> new Uint(0);
            case Double _ -> 0.0;
            case Duration _ -> Duration.ZERO;
            default -> 0L;
        };
    }

    private static Object extreme(ListValue list, String name, int replaced, Work work) {
        if (list.size() == 0) {
            return new CelError(name + " called on empty list");
        }
        Object result = list.get(0);
        for (int i = 1; i < list.size(); i++) {
            Integer order = Values.compare(result, list.get(i), work);
            if (order == null) {
                return CelError.NO_SUCH_OVERLOAD;
            }
            result = order == replaced || (order != 0 && Integer.signum(order) == replaced) ? list.get(i) : result;
        }
        return result;
    }

    private static Object indexOf(ListValue list, Object item, Work work) {
        for (int i = 0; i < list.size(); i++) {
            if (Values.equal(list.get(i), item, work).equals(true)) {
                return (long) i;
            }
        }
        return -1L;
    }

    private static Object lastIndexOf(ListValue list, Object item, Work work) {
        for (int i = list.size() - 1; i >= 0; i--) {
            if (Values.equal(list.get(i), item, work).equals(true)) {
                return (long) i;
            }
        }
        return -1L;
    }

    private static Object slice(Object[] arguments, Work work) {
        if (!(arguments[0] instanceof ListValue list
                && arguments[1] instanceof Long from
                && arguments[2] instanceof Long to)) {
            return CelError.NO_SUCH_OVERLOAD;
        }
        if (from < 0 || to < 0) {
            return new CelError("cannot slice(" + from + ", " + to + "), negative indexes not supported");
        }
        if (from > to) {
            return new CelError(
                    "cannot slice(" + from + ", " + to + "), start index must be less than or equal to end index");
        }
        if (list.size() < to) {
            return new CelError("cannot slice(" + from + ", " + to + "), list is length " + list.size());
        }
        work.makeElements(to - from);
        List<Object> elements = new ArrayList<>();
        for (int i = from.intValue(); i < to; i++) {
            elements.add(list.get(i));
        }
        return ListValue.of(elements);
    }

    private static Object flatten(ListValue list, long depth, Work work) {
        if (depth < 0) {
            return new CelError("level must be non-negative");
        }
        List<Object> elements = new ArrayList<>();
        flatten(list, depth, elements, work);
        return ListValue.of(elements);
    }

    private static void flatten(ListValue list, long depth, List<Object> elements, Work work) {
        for (int i = 0; i < list.size(); i++) {
            Object element = list.get(i);
            work.makeElements(1);
            if (depth > 0 && element instanceof ListValue inner) {
                flatten(inner, depth - 1, elements, work);
            } else {
                elements.add(element);
            }
        }
    }

    private static Object range(long size, Work work) {
        int elements = (int) Math.clamp(size, 0, Work.MADE_MAX);
        work.makeElements(elements);
        return ListValue.lazy(elements, ListKind.ATOMIC, i -> (long) i);
    }

    private static Object distinct(ListValue list, Work work) {
        List<Object> elements = new ArrayList<>();
        Set<Object> seen = new HashSet<>();
        ListValue found = ListValue.of(List.of());
        for (int i = 0; i < list.size(); i++) {
            Object element = list.get(i);
            work.makeElements(1);
            boolean scalar = element instanceof String || element instanceof Long || element instanceof Boolean;
            if (scalar
                    ? seen.add(element)
                    : Values.contains(found, element, work).equals(false)) {
                elements.add(element);
                found = ListValue.lazy(elements.size(), list.kind(), elements::get);
            }
        }
        return ListValue.of(elements);
    }

    /** A value cannot be compared with another. */
    private static final class NoOrderException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoOrderException() {
            super("no order", null, false, false);
        }
    }

    private static Object sort(ListValue list, ListValue keys, Work work) {
        if (list.size() != keys.size()) {
            return new CelError("@sortByAssociatedKeys() expected a list of the same size as the associated keys list,"
                    + " but got " + list.size() + " and " + keys.size() + " elements respectively.");
        }
        work.makeElements(list.size());
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            places.add(i);
        }
        try {
            places.sort((a, b) -> order(keys.get(a), keys.get(b), work));
        } catch (NoOrderException e) {
            return new CelError("list elements must be comparable");
        }
        return ListValue.of(places.stream().map(list::get).toList());
    }

    private static int order(Object left, Object right, Work work) {
        Integer order = Values.typeName(left).equals(Values.typeName(right)) ? Values.compare(left, right, work) : null;
        if (order == null) {
            throw new NoOrderException();
        }
        return order;
    }

    private static Object containsAll(ListValue list, ListValue elements, Work work) {
        for (int i = 0; i < elements.size(); i++) {
            Object contained = Values.contains(list, elements.get(i), work);
            if (!contained.equals(true)) {
                return contained;
            }
        }
        return true;
    }

    private static Object intersect(ListValue left, ListValue right, Work work) {
        for (int i = 0; i < left.size(); i++) {
            if (Values.contains(right, left.get(i), work).equals(true)) {
                return true;
            }
        }
        return false;
    }
}
