package io.fairlead.schema.cel.evaluation;

import io.fairlead.schema.cel.library.Function;
import io.fairlead.schema.cel.value.CelError;

/** A call of a function that needs all its arguments, the receiver first. */
record Invocation(String name, Function function, Step[] arguments) implements Step {
    @Override
    public Object evaluate(Frame frame) {
        Object[] values = new Object[arguments.length];
        Object fault = null;
        for (int i = 0; i < values.length; i++) {
            values[i] = arguments[i].evaluate(frame);
            if (fault == null && values[i] instanceof CelError) {
                fault = values[i];
            }
        }
        if (fault != null) {
            frame.charge(1);
            return fault;
        }
        Object result = function.call(values, frame.work());
        frame.charge(CallCost.of(name, values, result, frame.work()));
        return result;
    }
}
