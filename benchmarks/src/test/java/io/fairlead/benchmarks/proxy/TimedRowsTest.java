package io.fairlead.benchmarks.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A report comes to its end, whatever its rows wait for. */
@Timeout(30)
class TimedRowsTest {
    private static final List<String> HANGING = List.of("sleep", "600");

    private final List<Process> started = new ArrayList<>();

    @TempDir
    Path folder;

    private Report report;

    @BeforeEach
    void begin() throws IOException {
        report = Report.of("proxy", folder);
    }

    @AfterEach
    void endPrograms() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void rowThatHangs_hasItsProgramsEnded_andIsNamed() throws Exception {
        Process server = start();
        TimedRows rows = new TimedRows(report, Duration.ofMillis(200));

        rows.measure("us per request", () -> {
            if (start().waitFor() != 0) {
                throw new IOException("the load has failed");
            }
        });

        assertThat(server.isAlive()).as("what ran before").isTrue();
        assertThat(page()).contains("- us per request: not done within 0.200 s");
    }

    @Test
    void rowThatFails_isNamed_andTheNextIsMeasured() throws Exception {
        TimedRows rows = new TimedRows(report, Duration.ofMinutes(1));

        rows.measure("first", () -> {
            throw new IOException("connection refused");
        });
        rows.measure("second", () -> report.line("| second | 1 |"));
        rows.write();

        assertThat(page())
                .contains("- first: java.io.IOException: connection refused")
                .contains("| second | 1 |")
                .containsPattern("(?s)How long each row took.*\\| first \\| 0 \\|.*\\| second \\| 0 \\|");
    }

    private Process start() throws IOException {
        Process process = new ProcessBuilder(HANGING).start();
        started.add(process);
        return process;
    }

    private String page() throws IOException {
        report.save();
        return Files.readString(report.beside(".md"));
    }
}
