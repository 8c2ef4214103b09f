package io.fairlead.schema.cel.evaluation;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import io.fairlead.schema.cel.value.Uint;
import io.fairlead.schema.cel.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Making lists and maps. */
final class Construction {
    private static final long LIST_COST = 10;
    private static final long MAP_COST = 30;

    private Construction() {}

    /**
     * {@code [a, ?b]}.
     *
     * @param optional the places of elements that are left out if they are empty
     */
    record Elements(List<Step> elements, Set<Integer> optional) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            frame.work().makeElements(elements.size());
            List<Object> values = new ArrayList<>(elements.size());
            for (int i = 0; i < elements.size(); i++) {
                Object value = elements.get(i).evaluate(frame);
                if (value instanceof CelError) {
                    return value;
                }
                if (!optional.contains(i)) {
                    values.add(value);
                } else if (value instanceof Optional<?> present) {
                    present.ifPresent(values::add);
                } else {
                    return notOptional(value);
                }
            }
            frame.charge(LIST_COST);
            return ListValue.of(values);
        }
    }

    /** {@code key: value} of a map. */
    record Entry(Step key, Step value, boolean optional) {}

    /** {@code {a: b, ?c: d}}. */
    record Entries(List<Entry> entries) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            frame.work().makeElements(entries.size());
            Map<Object, Object> values = new LinkedHashMap<>();
            for (Entry entry : entries) {
                Object key = entry.key.evaluate(frame);
                Object value = entry.value.evaluate(frame);
                if (key instanceof CelError || value instanceof CelError) {
                    return key instanceof CelError ? key : value;
                }
                if (entry.optional && !(value instanceof Optional<?>)) {
                    return notOptional(value);
                }
                Object fault = entry.optional && value instanceof Optional<?> present
                        ? present.map(inner -> put(values, key, inner)).orElse(true)
                        : put(values, key, value);
                if (fault instanceof CelError) {
                    return fault;
                }
            }
            frame.charge(MAP_COST);
            return MapValue.of(values);
        }
    }

    /** Appends to the list that a loop makes. */
    record Append(int slot, List<Step> elements) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            frame.charge(1);
            Object made = frame.local(slot);
            frame.work().makeElements(elements.size());
            for (Step element : elements) {
                Object value = element.evaluate(frame);
                if (made instanceof CelError) {
                    return made;
                }
                if (value instanceof CelError || !(made instanceof ListValue.Elements list)) {
                    return value instanceof CelError ? value : CelError.NO_SUCH_OVERLOAD;
                }
                list.elements().add(value);
            }
            frame.charge(LIST_COST + 1);
            return made;
        }
    }

    /** Inserts a key and its value, or all entries of a map, into the map that a loop makes. */
    record Insert(int slot, List<Step> arguments) implements Step {
        @Override
        public Object evaluate(Frame frame) {
            frame.charge(1);
            Object made = frame.local(slot);
            List<Object> values = new ArrayList<>(arguments.size());
            for (Step argument : arguments) {
                Object value = argument.evaluate(frame);
                if (value instanceof CelError || made instanceof CelError) {
                    return made instanceof CelError ? made : value;
                }
                values.add(value);
            }
            frame.charge(1);
            if (!(made instanceof MapValue.Entries(Map<Object, Object> entries))) {
                return CelError.NO_SUCH_OVERLOAD;
            }
            Object result = values.size() == 2
                    ? put(frame, entries, values.getFirst(), values.getLast())
                    : putAll(frame, entries, values.getFirst());
            return result instanceof CelError ? result : made;
        }

        private static Object putAll(Frame frame, Map<Object, Object> entries, Object added) {
            if (!(added instanceof MapValue map)) {
                return CelError.NO_SUCH_OVERLOAD;
            }
            for (Object key : map.keys()) {
                Object value = map.find(key);
                Object result = value == null ? true : put(frame, entries, key, value);
                if (result instanceof CelError) {
                    return result;
                }
            }
            return true;
        }

        private static Object put(Frame frame, Map<Object, Object> entries, Object key, Object value) {
            frame.work().makeElements(1);
            return entries.containsKey(MapValue.Entries.normalized(key))
                    ? new CelError("insert failed: key " + Values.shown(key) + " already exists")
                    : Construction.put(entries, key, value);
        }
    }

    private static Object put(Map<Object, Object> values, Object key, Object value) {
        return switch (key) {
            case String _, Long _, Uint _, Boolean _, Double _ -> {
                boolean added = values.putIfAbsent(MapValue.Entries.normalized(key), value) == null;
                yield added ? true : new CelError("Failed with repeated key");
            }
            default -> new CelError("unsupported key type");
        };
    }

    private static CelError notOptional(Object value) {
        return new CelError("cannot initialize optional list element from non-optional value " + Values.shown(value));
    }
}
