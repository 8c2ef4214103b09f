package io.fairlead.cli.types;

import io.fairlead.schema.json.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * One thing that is not as it was locked, or of which nobody can say whether it is.
 *
 * @param result which of the two
 * @param where the cluster or package ({@code cluster dev})
 * @param type the type ({@code Widget.example.com}); empty if it is about the whole
 * @param version the version; empty if it is about all of them
 * @param path of the difference; empty if there is none to name
 * @param rule the keyword; empty if there is none
 * @param locked what was locked, as text; empty if nothing was
 * @param found what is there, as text; empty if nothing is
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
