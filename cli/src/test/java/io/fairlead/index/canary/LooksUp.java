package io.fairlead.index.canary;

import tools.jackson.databind.JsonNode;

/** Breaks the layering on purpose: the rule for this folder must name it. */
public final class LooksUp {
    private LooksUp() {}

    static Class<?> forbidden() {
        return JsonNode.class;
    }

    static String touch(JsonNode value) {
        return value.getClass().getName();
    }
}
