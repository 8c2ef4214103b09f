package io.fairlead.fleet;

import io.fairlead.clustersync.EndpointFinding;
import io.fairlead.fleet.root.Condition;
import io.fairlead.model.Visible;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The API servers of a cluster in its status, each with whether it is ready. */
final class EndpointDocument {
    private static final String FIELD = "endpoints";

    private EndpointDocument() {}

    /**
     * Writes them; each keeps its {@code lastTransitionTime} while it stays as ready as it is.
     *
     * @param before the status until now
     */
    static void write(ObjectNode status, JsonNode before, List<EndpointFinding> endpoints, Instant now) {
        if (endpoints.isEmpty()) {
            return;
        }
        ArrayNode written = status.putArray(FIELD);
        for (EndpointFinding endpoint : endpoints) {
            JsonNode known = stored(before, endpoint.url());
            String ready = Condition.spelled(endpoint.ready().status());
            boolean isTransition = !known.path("ready").asString("").equals(ready);
            written.addObject()
                    .put("url", endpoint.url())
                    .put("ready", ready)
                    .put("reason", endpoint.ready().reason())
                    .put("message", Visible.printable(endpoint.ready().message()))
                    .put(
                            "lastTransitionTime",
                            Condition.since(known.path("lastTransitionTime").asString(""), isTransition, now));
        }
    }

    private static JsonNode stored(JsonNode status, String url) {
        return status.path(FIELD).values().stream()
                .filter(endpoint -> endpoint.path("url").asString("").equals(url))
                .findFirst()
                .orElseGet(Json::object);
    }
}
