package io.fairlead.storage.canary;

import io.fairlead.model.ClusterName;

/** Breaks the layering on purpose: the rule for this folder must name it. */
public final class LooksUp {
    private LooksUp() {}

    static Class<?> forbidden() {
        return ClusterName.class;
    }

    static String touch(ClusterName value) {
        return value.getClass().getName();
    }
}
