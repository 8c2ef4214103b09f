package io.fairlead.cli.canary;

import io.fairlead.hosted.HostedCluster;

/** Breaks the layering on purpose: the rule for this folder must name it. */
public final class LooksUp {
    private LooksUp() {}

    static Class<?> forbidden() {
        return HostedCluster.class;
    }

    static String touch(HostedCluster value) {
        return value.getClass().getName();
    }
}
