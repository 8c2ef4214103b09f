package io.fairlead.canary.owners;

import io.fairlead.fleet.root.Condition;
import io.fairlead.model.TransitionTime;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Writes conditions of which another class is the writer, and the time of a transition: two rules must name it. */
final class WritesCondition {
    private WritesCondition() {}

    static JsonNode conditions(Instant now) {
        return Condition.merge(Json.object(), List.of(), 1, now);
    }

    static String time(Instant now) {
        return TransitionTime.next("", true, now);
    }
}
