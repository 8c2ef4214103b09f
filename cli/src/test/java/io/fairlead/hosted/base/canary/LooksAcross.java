package io.fairlead.hosted.base.canary;

import io.fairlead.hosted.runtime.CrdRuntime;

/** Breaks the wall on purpose: the rule for this room must name it. */
public final class LooksAcross {
    private LooksAcross() {}

    static Class<?> forbidden() {
        return CrdRuntime.class;
    }
}
