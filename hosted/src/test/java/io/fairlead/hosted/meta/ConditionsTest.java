package io.fairlead.hosted.meta;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.schema.json.Json;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Conditions of built-in kinds: when they were last other ones, beside those of other controllers. */
class ConditionsTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

    private final ObjectNode object = Json.object();

    @Test
    void transition_isNeverOlderThanTheOneBefore() {
        set(true, "A", NOON);
        set(false, "B", NOON.minusSeconds(3_600));

        assertThat(time()).isEqualTo("2026-01-02T12:00:00Z");

        set(true, "A", NOON.plusSeconds(60));

        assertThat(time()).isEqualTo("2026-01-02T12:01:00Z");
    }

    @Test
    void otherReason_isNoTransition() {
        set(true, "A", NOON);
        set(true, "B", NOON.plusSeconds(60));

        assertThat(time()).isEqualTo("2026-01-02T12:00:00Z");
        assertThat(object.at("/status/conditions/0/reason").asString("")).isEqualTo("B");
    }

    @Test
    void conditionOfAnotherController_staysAsItIs() {
        ObjectNode other = Json.object().put("type", "Other").put("status", "Maybe");
        object.withObjectProperty("status").putArray("conditions").add(other.deepCopy());

        set(true, "A", NOON);

        assertThat(object.at("/status/conditions/0")).isEqualTo(other);
        assertThat(object.at("/status/conditions")).hasSize(2);
    }

    private void set(boolean status, String reason, Instant now) {
        new Conditions(object, now).set("Ready", status, reason, "why");
    }

    private String time() {
        return object.at("/status/conditions/0/lastTransitionTime").asString("");
    }
}
