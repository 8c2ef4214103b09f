package io.fairlead.schema.canary;

import io.fairlead.net.Upstream;

/** Breaks the layering on purpose: the rule for this folder must name it. */
public final class LooksUp {
    private LooksUp() {}

    static Class<?> forbidden() {
        return Upstream.class;
    }

    static String touch(Upstream value) {
        return value.getClass().getName();
    }
}
