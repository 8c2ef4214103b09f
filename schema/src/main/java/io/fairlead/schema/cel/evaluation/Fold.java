package io.fairlead.schema.cel.evaluation;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A comprehension: what all macros over lists and maps become. */
record Fold(Step range, Slots slots, Step initial, Step condition, Step step, Step result) implements Step {
    /**
     * The places of its variables.
     *
     * @param second -1 if it has one variable
     */
    record Slots(int first, int second, int result) {}

    @Override
    public Object evaluate(Frame frame) {
        Object over = range.evaluate(frame);
        Object start = initial.evaluate(frame);
        frame.setLocal(slots.result, own(start));
        Object fault = switch (over) {
            case ListValue list -> overList(list, frame);
            case MapValue map -> overMap(map, frame);
            case CelError error -> error;
            default -> CelError.NO_SUCH_OVERLOAD;
        };
        return fault instanceof CelError ? fault : result.evaluate(frame);
    }

    private Object overList(ListValue list, Frame frame) {
        for (int i = 0; i < list.size(); i++) {
            boolean both = slots.second >= 0;
            frame.setLocal(slots.first, both ? (Object) (long) i : list.get(i));
            if (both) {
                frame.setLocal(slots.second, list.get(i));
            }
            if (!goesOn(frame)) {
                return true;
            }
        }
        return true;
    }

    private Object overMap(MapValue map, Frame frame) {
        List<Object> keys = map.keys();
        frame.work().makeElements(keys.size());
        for (Object key : keys) {
            frame.setLocal(slots.first, key);
            if (slots.second >= 0) {
                Object value = map.find(key);
                frame.setLocal(slots.second, value == null ? CelError.noSuchKey(key) : value);
            }
            if (!goesOn(frame)) {
                return true;
            }
        }
        return true;
    }

    private boolean goesOn(Frame frame) {
        frame.work().spend(1);
        if (!condition.evaluate(frame).equals(true)) {
            return false;
        }
        frame.setLocal(slots.result, step.evaluate(frame));
        return true;
    }

    /** An empty list or map that steps may add to, since nothing else sees it. */
    private static Object own(Object start) {
        return switch (start) {
            case ListValue list when list.size() == 0 -> ListValue.of(new ArrayList<>());
            case MapValue map when map.size() == 0 -> MapValue.of(new LinkedHashMap<>(Map.of()));
            default -> start;
        };
    }
}
