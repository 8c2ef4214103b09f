package io.fairlead.schema.cel.value;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** A list. Elements may be errors. */
public interface ListValue {
    /** How many elements it has. */
    int size();

    /** The element at an index below the size. */
    Object get(int index);

    /** How its elements are compared and joined. */
    default ListKind kind() {
        return ListKind.ATOMIC;
    }

    /** A list of these values. */
    static ListValue of(List<?> elements) {
        return new Elements(new ArrayList<>(elements));
    }

    /** A list of values that are made when they are needed. */
    static ListValue lazy(int size, ListKind kind, IntFunction<Object> elements) {
        return new Lazy(size, kind, elements);
    }

    /** One after the other, without a copy. */
    static ListValue concatenation(ListValue left, ListValue right) {
        return left.size() == 0 ? right : right.size() == 0 ? left : new Concatenation(left, right);
    }

    /** A list that holds its elements. Only its maker may add some, before others see it. */
    record Elements(ArrayList<Object> elements) implements ListValue {
        @Override
        public int size() {
            return elements.size();
        }

        @Override
        public Object get(int index) {
            return elements.get(index);
        }
    }

    /** A list whose elements are made anew each time. */
    record Lazy(int size, ListKind kind, IntFunction<Object> elements) implements ListValue {
        @Override
        public Object get(int index) {
            return elements.apply(index);
        }
    }

    /** Two lists as one. It is no deeper than the expression that made it. */
    record Concatenation(ListValue left, ListValue right, int size) implements ListValue {
        Concatenation(ListValue left, ListValue right) {
            this(left, right, Math.addExact(left.size(), right.size()));
        }

        @Override
        public Object get(int index) {
            return index < left.size() ? left.get(index) : right.get(index - left.size());
        }
    }
}
