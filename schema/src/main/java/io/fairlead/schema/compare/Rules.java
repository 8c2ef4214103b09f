package io.fairlead.schema.compare;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.JsonKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The CEL rules of two schemas: texts, of which only more or less of the same can be judged. */
final class Rules {
    private Rules() {}

    /** Whether a rule of the old schema is one of the new schema too. */
    static boolean anyStays(SchemaNode before, SchemaNode after) {
        List<JsonNode> old = before.list(SchemaNode.RULES);
        return without(old, after.list(SchemaNode.RULES)).size() < old.size();
    }

    static void compare(SchemaNode before, SchemaNode after, Place place, Differences found) {
        ArrayNode gone = without(before.list(SchemaNode.RULES), after.list(SchemaNode.RULES));
        ArrayNode added = without(after.list(SchemaNode.RULES), before.list(SchemaNode.RULES));
        if (!gone.isEmpty() && !added.isEmpty()) {
            found.add(place.told(), SchemaNode.RULES, gone, added, Verdict.UNKNOWN);
            return;
        }
        gone.forEach(rule -> found.add(place.told(), SchemaNode.RULES, rule, null, Verdict.WIDER));
        added.forEach(rule -> found.add(place.told(), SchemaNode.RULES, null, rule, verdictOnNew(rule)));
    }

    private static Verdict verdictOnNew(JsonNode rule) {
        return rule.path("rule").asString("").strip().equals("true") ? Verdict.UNKNOWN : Verdict.NARROWER;
    }

    private static ArrayNode without(List<JsonNode> rules, List<JsonNode> others) {
        Map<JsonKey, Integer> left = new HashMap<>();
        others.forEach(rule -> left.merge(Values.key(rule), 1, Integer::sum));
        ArrayNode without = Json.array();
        for (JsonNode rule : rules) {
            if (left.merge(Values.key(rule), -1, Integer::sum) < 0) {
                without.add(rule);
            }
        }
        return without;
    }
}
