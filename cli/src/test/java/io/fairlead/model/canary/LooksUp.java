package io.fairlead.model.canary;

import io.fairlead.index.FleetIndex;

/** Breaks the layering on purpose: the rule for this folder must name it. */
public final class LooksUp {
    private LooksUp() {}

    static Class<?> forbidden() {
        return FleetIndex.class;
    }

    static String touch(FleetIndex value) {
        return value.getClass().getName();
    }
}
