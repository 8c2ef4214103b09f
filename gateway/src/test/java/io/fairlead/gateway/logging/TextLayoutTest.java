package io.fairlead.gateway.logging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** What texts of others do to a log for people. */
class TextLayoutTest {
    private static final String EVIL = "x\n00:00:00.000 INFO  Gateway: all is well\r\u001b[2J\u0007\u202e";

    private final LoggerContext context = new LoggerContext();
    private final TextLayout layout = new TextLayout(context);

    @BeforeEach
    void start() {
        layout.start();
    }

    @Test
    void messageAndValues_areOneLine_withoutEscapeCodes() {
        LoggingEvent event = event(EVIL, null);
        event.addKeyValuePair(new KeyValuePair("name", EVIL));
        String text = layout.doLayout(event);

        assertThat(text.lines()).hasSize(1);
        assertThat(text.strip())
                .matches("[ -~]*")
                .contains("INFO  here: x\\u000A00:00:00.000", "name=\"x\\u000A", "\\u001B[2J", "\\u202E");
    }

    @Test
    void exceptionWithSeveralLines_beginsNoLineOfTheLog() {
        String text = layout.doLayout(event("failed", new IllegalStateException(EVIL)));

        assertThat(text.lines().skip(1)).isNotEmpty().allMatch(line -> line.startsWith("\t"));
        assertThat(text)
                .contains("IllegalStateException", "TextLayoutTest.java")
                .doesNotContain("\u001b", "\u202e");
    }

    @Test
    void ordinaryLetters_stay() {
        assertThat(layout.doLayout(event("größer als 漢字", null))).contains("here: größer als 漢字");
    }

    private LoggingEvent event(String message, @Nullable Throwable thrown) {
        return new LoggingEvent("", context.getLogger("io.fairlead.here"), Level.INFO, message, thrown, null);
    }
}
