package io.fairlead.schema.cel.evaluation;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.Work;
import java.util.Map;

/** One evaluation: its variables and what it has cost. */
final class Frame {
    private final Map<String, Object> variables;
    private final Object[] locals;
    private final long costMax;
    private final Work work;
    private long cost;

    Frame(Map<String, Object> variables, int locals, long costMax, Work work) {
        this.variables = variables;
        this.locals = new Object[locals];
        this.costMax = costMax;
        this.work = work;
    }

    Object variable(String name) {
        Object value = variables.get(name);
        return value == null ? new CelError("no such attribute(s): " + name) : value;
    }

    Object local(int slot) {
        return locals[slot];
    }

    void setLocal(int slot, Object value) {
        locals[slot] = value;
    }

    Work work() {
        return work;
    }

    void charge(long units) {
        cost += units;
        if (cost > costMax || cost < 0) {
            cost = Math.max(cost, costMax + 1);
            throw new CostExceededException();
        }
    }

    long cost() {
        return cost;
    }
}
