package io.fairlead.schema.cel.value;

import io.fairlead.schema.json.RandomHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The elements of a list map by their keys. */
final class KeyedElements {
    private static final int ORDERED = 31;

    private final ListKind.Keyed kind;
    private final Map<Key, Object> byKey = new HashMap<>();

    private KeyedElements(ListKind.Keyed kind) {
        this.kind = kind;
    }

    static KeyedElements of(ListValue list, ListKind.Keyed kind, Work work) {
        KeyedElements elements = new KeyedElements(kind);
        work.makeElements(list.size());
        for (int i = 0; i < list.size(); i++) {
            Object element = list.get(i);
            elements.byKey.put(key(element, kind), element);
        }
        return elements;
    }

    Object equalTo(ListValue other, Work work) {
        for (int i = 0; i < other.size(); i++) {
            work.spend(1);
            Object element = other.get(i);
            Object mine = byKey.get(key(element, kind));
            Object equal = mine == null ? false : Values.equal(mine, element, work);
            if (!equal.equals(true)) {
                return equal;
            }
        }
        return true;
    }

    /** The values of the keys of one element. */
    record Key(List<Object> values) {
        /** A client chooses the values, but not which of them have one hash. */
        @Override
        public int hashCode() {
            int hash = 0;
            for (Object value : values) {
                hash = ORDERED * hash
                        + switch (value) {
                            case String text -> RandomHash.of(text);
                            case Long number -> RandomHash.of(number);
                            case Uint number -> RandomHash.of(number.bits());
                            case Double number -> RandomHash.of(number.toString());
                            default -> value.hashCode();
                        };
            }
            return hash;
        }
    }

    static Key key(Object element, ListKind.Keyed kind) {
        List<Object> key = new ArrayList<>(kind.names().size());
        for (String name : kind.names()) {
            Object value = element instanceof MapValue map ? map.find(name) : null;
            key.add(value == null ? Null.VALUE : Values.isScalar(value) ? value : new Object());
        }
        return new Key(key);
    }
}
