package io.fairlead.fleet.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What conditions say, and when they were last other ones. */
class ConditionTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

    @Test
    void messageThatQuotesOthers_makesATerminalDoNothing() {
        Condition condition = new Condition(
                Condition.REACHABLE, Finding.no("CertificateRefused", "issued by \"CN=x\n\u001b[2J\u202e\""));

        assertThat(Condition.merge(Json.object(), List.of(condition), 1, Instant.EPOCH)
                        .path(0)
                        .path("message")
                        .asString(""))
                .isEqualTo("issued by \"CN=x\\u000A\\u001B[2J\\u202E\"");
    }

    @Test
    void transition_isNeverOlderThanTheOneBefore() {
        ArrayNode first = at(Json.array(), Finding.yes("A", "a"), NOON);

        ArrayNode setBack = at(first, Finding.no("B", "b"), NOON.minusSeconds(3_600));
        ArrayNode later = at(setBack, Finding.yes("A", "a"), NOON.plusSeconds(60));

        assertThat(time(setBack)).isEqualTo("2026-01-02T12:00:00Z");
        assertThat(time(later)).isEqualTo("2026-01-02T12:01:00Z");
    }

    @Test
    void transition_staysWhileTheStatusDoes() {
        ArrayNode first = at(Json.array(), Finding.yes("A", "a"), NOON);

        assertThat(time(at(first, Finding.yes("B", "b"), NOON.plusSeconds(60)))).isEqualTo("2026-01-02T12:00:00Z");
    }

    @Test
    void stored_isWhatTheConditionSays_andMergesToTheSame() {
        ObjectNode status = Json.object();
        status.set("conditions", at(Json.array(), Finding.no("B", "\"x\u001b\""), NOON));
        Finding stored = Condition.stored(status, Condition.READY).orElseThrow();

        assertThat(stored).isEqualTo(Finding.no("B", "\"x\\u001B\""));
        assertThat(at((ArrayNode) status.get("conditions"), stored, NOON.plusSeconds(60)))
                .isEqualTo(status.get("conditions"));
        assertThat(Condition.stored(status, Condition.REACHABLE)).isEmpty();
    }

    private static ArrayNode at(ArrayNode before, Finding finding, Instant now) {
        ObjectNode status = Json.object();
        status.set("conditions", before);
        return Condition.merge(status, List.of(new Condition(Condition.READY, finding)), 1, now);
    }

    private static String time(ArrayNode conditions) {
        return conditions.get(0).path("lastTransitionTime").asString();
    }
}
