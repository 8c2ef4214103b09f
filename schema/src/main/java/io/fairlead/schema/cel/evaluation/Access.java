package io.fairlead.schema.cel.evaluation;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import io.fairlead.schema.cel.value.Uint;
import io.fairlead.schema.cel.value.Values;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reading variables and parts of values. Each variable, and each part of one, costs a unit; of another value, one more. */
final class Access {
    private Access() {}

    /** A value that is known. */
    record Constant(Object value) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            return value;
        }
    }

    /** A variable of the environment. */
    record Variable(String name) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            frame.charge(1);
            return frame.variable(name);
        }

        @Override
        public boolean isAttribute() {
            return true;
        }
    }

    /** A variable of a comprehension. */
    record Local(int slot) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            frame.charge(1);
            return frame.local(slot);
        }

        @Override
        public boolean isAttribute() {
            return true;
        }
    }

    /** What is evaluated once and charged again wherever it is named, and therefore not yet here. */
    record Once(Step value, int price) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            long before = frame.cost();
            Object found = value.evaluate(frame);
            long cost = frame.cost() - before;
            frame.setLocal(price, cost);
            frame.charge(-cost);
            return found;
        }
    }

    /** The value of {@link Once}. */
    record Again(int slot, int price) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            frame.charge((Long) frame.local(price));
            return frame.local(slot);
        }
    }

    /** {@code operand.field}, {@code operand[key]}. */
    record Part(Step operand, Step key) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            Object container = operand.evaluate(frame);
            Object at = key.evaluate(frame);
            frame.charge(operand.isAttribute() ? 1 : 2);
            return container instanceof CelError ? container : at instanceof CelError ? at : part(container, at);
        }

        @Override
        public boolean isAttribute() {
            return true;
        }
    }

    /** {@code operand.?field}, {@code operand[?key]}. */
    record OptionalPart(Step operand, Step key) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            Object container = operand.evaluate(frame);
            Object at = key.evaluate(frame);
            frame.charge(operand.isAttribute() ? 1 : 2);
            if (container instanceof CelError) {
                return container;
            }
            Object inner = container instanceof Optional<?> optional ? optional.orElse(null) : container;
            Object found = inner == null ? null : found(inner, at);
            return found == null ? Optional.empty() : found instanceof CelError ? found : Optional.of(found);
        }

        @Override
        public boolean isAttribute() {
            return true;
        }
    }

    /** {@code has(operand.field)}. */
    record Presence(Step operand, String field) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            Object container = operand.evaluate(frame);
            if (container instanceof CelError) {
                return container;
            }
            Object inner = container instanceof Optional<?> optional ? optional.orElse(null) : container;
            Object found = inner == null ? null : found(inner, field);
            return found instanceof CelError ? found : found != null;
        }
    }

    private static Object part(Object container, Object key) {
        if (container instanceof Optional<?> optional) {
            Object found = optional.isPresent() ? found(optional.get(), key) : null;
            return found == null ? Optional.empty() : found instanceof CelError ? found : Optional.of(found);
        }
        Object found = found(container, key);
        if (found != null) {
            return found;
        }
        return container instanceof ListValue ? CelError.outOfBounds(key) : CelError.noSuchKey(key);
    }

    private static @Nullable Object found(Object container, Object key) {
        return switch (container) {
            case MapValue map -> map.find(key);
            case ListValue list -> element(list, key);
            case CelError error -> error;
            default -> null;
        };
    }

    private static @Nullable Object element(ListValue list, Object key) {
        long index = switch (key) {
            case Long number -> number;
            case Uint number -> number.bits();
            case Double number when number == Math.rint(number) -> number.longValue();
            default -> Long.MIN_VALUE;
        };
        if (index == Long.MIN_VALUE) {
            return new CelError("unsupported index type '" + Values.typeName(key) + "' in list");
        }
        return index < 0 || index >= list.size() ? null : list.get((int) index);
    }
}
