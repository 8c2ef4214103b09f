package io.fairlead.fleet;

import io.fairlead.index.history.KnownHistory;
import io.fairlead.index.history.Rewind;
import io.fairlead.index.history.RewoundRevisions;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is known of a cluster's histories, in the status of its {@code Cluster}: so it is known after a restart as well.
 *
 * <pre>
 * epoch: 2
 * history:
 *   rewinds:
 *   - {after: "500", upTo: "1000", time: "2026-11-24T12:00:00Z"}
 * </pre>
 */
final class HistoryDocument {
    private static final String HISTORY = "history";
    private static final String REWINDS = "rewinds";

    private HistoryDocument() {}

    /** Of the status of a {@code Cluster}; what cannot be read is left out. */
    static KnownHistory read(JsonNode status) {
        List<Rewind> rewinds = new ArrayList<>();
        for (JsonNode rewind : status.path(HISTORY).path(REWINDS).values()) {
            time(rewind)
                    .ifPresent(time -> rewinds.add(new Rewind(
                            rewind.path("after").asString(""),
                            rewind.path("upTo").asString(""),
                            time)));
        }
        return new KnownHistory(Math.max(status.path("epoch").asLong(0), 1), new RewoundRevisions(rewinds));
    }

    private static Optional<Instant> time(JsonNode rewind) {
        try {
            return Optional.of(Instant.parse(rewind.path("time").asString("")));
        } catch (DateTimeParseException unreadable) {
            return Optional.empty();
        }
    }

    /** Adds the rewinds to a status, if there are any. */
    static void write(ObjectNode status, RewoundRevisions rewound) {
        if (rewound.isEmpty()) {
            return;
        }
        ArrayNode rewinds = status.putObject(HISTORY).putArray(REWINDS);
        for (Rewind rewind : rewound.rewinds()) {
            ObjectNode node = Json.object();
            node.put("after", rewind.after());
            node.put("upTo", rewind.upTo());
            node.put("time", rewind.time().toString());
            rewinds.add(node);
        }
    }
}
