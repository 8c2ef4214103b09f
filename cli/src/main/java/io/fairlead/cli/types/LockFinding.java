package io.fairlead.cli.types;

import io.fairlead.schema.json.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * One difference from a lock, or one part that cannot be compared.
 *
 * @param result which of the two
 * @param where the cluster or package ({@code cluster dev})
 * @param type the type ({@code Widget.example.com}); empty if it is about the whole
 * @param version the version; empty if it is about all of them
 * @param path of the difference; empty if there is none to name
 * @param rule the keyword; empty if there is none
 * @param locked the locked value, as text; empty if none
 * @param found the actual value, as text; empty if none
 */
record LockFinding(
        Result result,
        String where,
        String type,
        String version,
        String path,
        String rule,
        String locked,
        String found) {
    enum Result {
        DIFFERENT,
        UNKNOWN;

        String text() {
            return this == DIFFERENT ? "Different" : "Unknown";
        }
    }

    ObjectNode json() {
        return Json.object()
                .put("result", result.text())
                .put("where", where)
                .put("type", type)
                .put("version", version)
                .put("path", path)
                .put("rule", rule)
                .put("locked", locked)
                .put("found", found);
    }
}
