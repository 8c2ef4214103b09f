package io.fairlead.cli.history;

import io.fairlead.cli.print.Age;
import io.fairlead.cli.print.Table;
import io.fairlead.model.HumanDuration;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * A transition as the table shows it.
 *
 * @param json of the report, and {@code for}: how long it was so
 */
record TransitionRow(JsonNode json) {
    private static final String LASTED = "for";

    static List<TransitionRow> all(JsonNode report) {
        List<JsonNode> transitions = List.copyOf(report.path("transitions").values());
        List<TransitionRow> rows = new ArrayList<>();
        for (int i = 0; i < transitions.size(); i++) {
            JsonNode transition = transitions.get(i);
            String lasted = i + 1 == transitions.size()
                    ? Age.since(observed(transition))
                    : lasted(transition, transitions.get(i + 1));
            rows.add(new TransitionRow(Json.object()
                    .put("observed", observed(transition))
                    .put("ready", transition.path("ready").asString(""))
                    .put(LASTED, lasted)
                    .put("reason", reason(transition))));
        }
        return rows;
    }

    static List<Table.Column<JsonNode>> columns() {
        return List.of(
                column("OBSERVED", "observed"),
                column("READY", "ready"),
                column("FOR", LASTED),
                column("REASON", "reason"));
    }

    /** Before a first sight Fairlead was stopped: until then at most. */
    private static String lasted(JsonNode transition, JsonNode next) {
        String atMost = next.path("firstSight").asBoolean(false) ? "<=" : "";
        try {
            return atMost
                    + HumanDuration.of(
                            Duration.between(Instant.parse(observed(transition)), Instant.parse(observed(next))));
        } catch (DateTimeParseException unreadable) {
            return "<unknown>";
        }
    }

    private static String reason(JsonNode transition) {
        return transition.path("reason").asString("")
                + (transition.path("firstSight").asBoolean(false) ? " (first sight)" : "");
    }

    private static String observed(JsonNode transition) {
        return transition.path("observed").asString("");
    }

    private static Table.Column<JsonNode> column(String header, String field) {
        return new Table.Column<>(header, row -> row.path(field).asString(""));
    }
}
