package io.fairlead.http;

import java.util.ArrayList;
import java.util.List;

/** A set of names of fields, in which a field is looked up without a hash. Immutable. */
public final class FieldNames {
    private final boolean[] known = new boolean[FieldName.IDS];
    private final FieldName[] others;

    /** The lengths of the others, a bit for each, modulo 64: most names have none of them. */
    private final long lengths;

    private FieldNames(List<FieldName> names) {
        List<FieldName> rest = new ArrayList<>();
        long restLengths = 0;
        for (FieldName name : names) {
            if (name.id() == 0) {
                rest.add(name);
                restLengths |= 1L << name.bytes().length;
            } else {
                known[name.id()] = true;
            }
        }
        others = rest.toArray(FieldName[]::new);
        lengths = restLengths;
    }

    public static FieldNames of(String... names) {
        return new FieldNames(List.of(names).stream().map(FieldName::of).toList());
    }

    /** The same names and others. */
    public FieldNames and(FieldName... more) {
        List<FieldName> names = new ArrayList<>(List.of(others));
        for (FieldName name : FieldName.known()) {
            if (known[name.id()]) {
                names.add(name);
            }
        }
        names.addAll(List.of(more));
        return new FieldNames(names);
    }

    public boolean contains(FieldName name) {
        return contains(name.id(), name.bytes(), 0, name.bytes().length);
    }

    /** Whether a field's name is one of these. */
    public boolean contains(Fields fields, int field) {
        return contains(fields.id(field), fields.bytes(), fields.nameStart(field), fields.nameLength(field));
    }

    boolean contains(int id, byte[] bytes, int start, int length) {
        if (id != 0) {
            return known[id];
        }
        if ((lengths & 1L << length) == 0) {
            return false;
        }
        for (FieldName other : others) {
            if (other.matches(bytes, start, length)) {
                return true;
            }
        }
        return false;
    }
}
