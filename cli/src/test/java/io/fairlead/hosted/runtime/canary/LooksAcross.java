package io.fairlead.hosted.runtime.canary;

import io.fairlead.hosted.kinds.BuiltInKinds;

/** Breaks the wall on purpose: the rule for this room must name it. */
public final class LooksAcross {
    private LooksAcross() {}

    static Class<?> forbidden() {
        return BuiltInKinds.class;
    }
}
