package io.fairlead.gateway.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;

/** What a log collector reads. */
class JsonLayoutTest {
    private final LoggerContext context = new LoggerContext();
    private final JsonLayout layout = new JsonLayout();

    @Test
    void line_isAnObjectOfFlatFields() {
        LoggingEvent event = event("Follows cluster {}", null, "prod");
        event.addKeyValuePair(new KeyValuePair("cluster", "prod"));
        event.addKeyValuePair(new KeyValuePair("leftOut", 12L));
        event.addKeyValuePair(new KeyValuePair("terminal", true));
        event.addKeyValuePair(new KeyValuePair("nothing", null));

        assertThat(layout.doLayout(event))
                .isEqualTo("{\"ts\":\"2026-03-01T09:05:07.040Z\",\"level\":\"info\",\"logger\":\"io.fairlead.here\","
                        + "\"msg\":\"Follows cluster prod\",\"cluster\":\"prod\",\"leftOut\":12,\"terminal\":true,"
                        + "\"nothing\":null}\n");
    }

    @Test
    void keyOfTheLinesOwn_getsAnUnderscore() {
        LoggingEvent event = event("all is well", null);
        event.addKeyValuePair(new KeyValuePair("msg", "forged"));

        JsonNode line = Json.read(layout.doLayout(event));
        assertThat(line.path("msg").stringValue()).isEqualTo("all is well");
        assertThat(line.path("msg_").stringValue()).isEqualTo("forged");
    }

    @Test
    void exception_isAnErrorAndAStackTrace() {
        JsonNode line = Json.read(layout.doLayout(event("Cannot", new IllegalStateException("two\nlines"))));

        assertThat(line.path("error").stringValue()).isEqualTo("java.lang.IllegalStateException: two\nlines");
        assertThat(line.path("stacktrace").stringValue()).contains("JsonLayoutTest.java");
    }

    @Test
    void textOfOthers_staysOneLineOfUtf8() {
        LoggingEvent event = event("x\n{\"level\":\"error\"}", null);
        event.addKeyValuePair(new KeyValuePair("name", "half \ud800 größer"));

        String text = layout.doLayout(event);

        assertThat(text.lines()).hasSize(1);
        assertThat(Json.read(text).path("name").stringValue()).isEqualTo("half ? größer");
    }

    private LoggingEvent event(String message, @Nullable Throwable thrown, Object... arguments) {
        LoggingEvent event =
                new LoggingEvent("", context.getLogger("io.fairlead.here"), Level.INFO, message, thrown, arguments);
        event.setInstant(Instant.parse("2026-03-01T09:05:07.040999Z"));
        return event;
    }
}
