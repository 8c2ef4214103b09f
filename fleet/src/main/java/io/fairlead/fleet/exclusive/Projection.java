package io.fairlead.fleet.exclusive;

import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The part of an object that expressions read.
 *
 * @param paths below each of which anything may be read; the empty one is the whole
 */
record Projection(Set<List<String>> paths) {
    Projection {
        paths = Set.copyOf(paths);
    }

    /** That of an object; a field that is missing, or is none of an object, is left as it is. */
    JsonNode of(JsonNode object) {
        if (paths.contains(List.<String>of())) {
            return object;
        }
        ObjectNode part = Json.object();
        paths.stream().filter(path -> !isBelowAnother(path)).forEach(path -> copy(object, part, path));
        return part;
    }

    private boolean isBelowAnother(List<String> path) {
        for (int length = 1; length < path.size(); length++) {
            if (paths.contains(path.subList(0, length))) {
                return true;
            }
        }
        return false;
    }

    private static void copy(JsonNode from, ObjectNode to, List<String> path) {
        String field = path.getFirst();
        JsonNode value = from.path(field);
        if (value.isMissingNode()) {
            return;
        }
        if (path.size() == 1 || !value.isObject()) {
            to.set(field, value);
        } else {
            copy(value, to.withObjectProperty(field), path.subList(1, path.size()));
        }
    }
}
