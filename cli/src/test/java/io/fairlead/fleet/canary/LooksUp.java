package io.fairlead.fleet.canary;

import io.fairlead.gateway.Gateway;

/** Breaks the layering on purpose: the rule for this folder must name it. */
public final class LooksUp {
    private LooksUp() {}

    static Class<?> forbidden() {
        return Gateway.class;
    }

    static String touch(Gateway value) {
        return value.getClass().getName();
    }
}
