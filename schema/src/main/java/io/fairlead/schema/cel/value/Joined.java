package io.fairlead.schema.cel.value;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Two lists as one, as the kind of the first wants it: a set keeps what it has, a list map takes the second's elements. */
public final class Joined {
    private Joined() {}

    /** The joined list; that of atomic lists is not copied. */
    public static ListValue of(ListValue left, ListValue right, Work work) {
        long size = (long) left.size() + right.size();
        work.spend(size > Integer.MAX_VALUE ? size : 1);
        return switch (left.kind()) {
            case ListKind.Atomic() -> ListValue.concatenation(left, right);
            case ListKind.AnySet() -> union(left, right, work);
            case ListKind.Keyed keyed -> merged(left, right, keyed, work);
        };
    }

    private static ListValue union(ListValue left, ListValue right, Work work) {
        List<Object> elements = elements(left, right, work);
        Set<Object> known = new HashSet<>();
        elements.stream().filter(Values::isScalar).forEach(known::add);
        for (int i = 0; i < right.size(); i++) {
            Object element = right.get(i);
            ListValue joined = ListValue.lazy(elements.size(), ListKind.ATOMIC, elements::get);
            boolean isNew = Values.isScalar(element)
                    ? known.add(element)
                    : !Values.contains(joined, element, work).equals(true);
            if (isNew) {
                elements.add(element);
            }
        }
        return lazy(elements, left.kind());
    }

    private static ListValue merged(ListValue left, ListValue right, ListKind.Keyed kind, Work work) {
        List<Object> elements = elements(left, right, work);
        Map<KeyedElements.Key, Integer> places = new HashMap<>();
        for (int i = 0; i < elements.size(); i++) {
            places.put(KeyedElements.key(elements.get(i), kind), i);
        }
        for (int i = 0; i < right.size(); i++) {
            Object element = right.get(i);
            Integer place = places.get(KeyedElements.key(element, kind));
            if (place == null) {
                elements.add(element);
            } else {
                elements.set(place, element);
            }
        }
        return lazy(elements, kind);
    }

    private static List<Object> elements(ListValue left, ListValue right, Work work) {
        work.makeElements((long) left.size() + right.size());
        List<Object> elements = new ArrayList<>(left.size());
        for (int i = 0; i < left.size(); i++) {
            elements.add(left.get(i));
        }
        return elements;
    }

    private static ListValue lazy(List<Object> elements, ListKind kind) {
        return ListValue.lazy(elements.size(), kind, elements::get);
    }
}
