package io.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.fairlead.testkit.LogLines;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class StartPhasesTest {
    private static final String LINE = "DEBUG Start: a phase is over phase=";

    @Test
    void phase_isToldWithTheTimeSinceTheProcessBegan() {
        try (LogLines lines = debugged()) {
            new StartPhases(() -> Duration.ofMinutes(10)).done("store");

            assertThat(lines.texts()).singleElement().asString().startsWith(LINE + "store millis=");
            assertThat(millis(lines)).isBetween(590_000L, 600_000L);
        }
    }

    @Test
    void phaseBeforeTheLog_isToldWithItsOwnTime() {
        try (LogLines lines = debugged()) {
            long aMinuteAgo = System.nanoTime() - TimeUnit.MINUTES.toNanos(1);

            new StartPhases(() -> Duration.ofMinutes(10)).done("JVM", aMinuteAgo);

            assertThat(millis(lines)).isBetween(530_000L, 540_000L);
        }
    }

    @Test
    void processOfItsOwn_beganBeforeThis() {
        try (LogLines lines = debugged()) {
            new StartPhases().done("ready");

            assertThat(millis(lines)).isBetween(1L, Duration.ofHours(1).toMillis());
        }
    }

    @Test
    void withoutDebugLines_theTimeIsNotAskedFor() {
        try (LogLines lines = new LogLines(StartPhases.class)) {
            new StartPhases(() -> {
                        throw new AssertionError("asked for");
                    })
                    .done("store");

            assertThat(lines.texts()).isEmpty();
        }
    }

    private static LogLines debugged() {
        LogLines lines = new LogLines(StartPhases.class);
        ((Logger) LoggerFactory.getLogger(StartPhases.class)).setLevel(Level.DEBUG);
        return lines;
    }

    private static long millis(LogLines lines) {
        String text = lines.texts().getFirst();
        return Long.parseLong(text.substring(text.lastIndexOf('=') + 1));
    }
}
