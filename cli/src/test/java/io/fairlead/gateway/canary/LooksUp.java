package io.fairlead.gateway.canary;

import io.fairlead.cli.FairleadCommand;

/** Breaks the layering on purpose: the rule for this folder must name it. */
public final class LooksUp {
    private LooksUp() {}

    static Class<?> forbidden() {
        return FairleadCommand.class;
    }

    static String touch(FairleadCommand value) {
        return value.getClass().getName();
    }
}
