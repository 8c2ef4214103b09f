package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Report;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/*
 * A row waits for programs: what they print, or their end. So ending the programs that it started ends its waiting, and what
 * it waits for elsewhere has a bound of its own.
 */
/**
 * Measures the rows of a report, each within a bound of time. A row that fails or takes longer is named among what could not be
 * measured, and the next one is measured: whatever hangs, there is a report. One thread.
 */
final class TimedRows {
    /** Measures and adds rows to a table. */
    @FunctionalInterface
    interface Row {
        void measure() throws Exception;
    }

    private static final System.Logger LOG = System.getLogger(TimedRows.class.getName());

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final long AGAIN_MILLIS = 1_000;

    private final Report report;
    private final Duration max;
    private final List<String> took = new ArrayList<>();

    /** @param max of each row */
    TimedRows(Report report, Duration max) {
        this.report = report;
        this.max = max;
    }

    /** Measures one row, or some that are measured together. */
    void measure(String quantity, Row row) throws Exception {
        AtomicBoolean late = new AtomicBoolean();
        Set<ProcessHandle> before = programs().collect(Collectors.toSet());
        long began = System.nanoTime();
        try (ScheduledExecutorService bound = Executors.newSingleThreadScheduledExecutor()) {
            // Again and again: a row may start more before it notices.
            bound.scheduleWithFixedDelay(
                    () -> endLate(before, late), max.toMillis(), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
            row.measure();
        } catch (IOException | RuntimeException failure) {
            report.missing(quantity + ": "
                    + (late.get()
                            ? "not done within " + Report.figure(max.toMillis() / MILLIS_PER_SECOND) + " s"
                            : failure));
        } finally {
            took(quantity, (System.nanoTime() - began) / NANOS_PER_SECOND);
        }
    }

    /** Adds how long each row took. */
    void write() {
        report.line("");
        report.line("### How long each row took");
        report.line("");
        report.line("| row | s |");
        report.line("| --- | ---: |");
        took.forEach(report::line);
    }

    private void took(String quantity, double seconds) {
        String line = String.format(Locale.ROOT, "| %s | %.0f |", quantity, seconds);
        LOG.log(System.Logger.Level.INFO, line);
        took.add(line);
    }

    private static void endLate(Set<ProcessHandle> before, AtomicBoolean late) {
        late.set(true);
        programs().filter(program -> !before.contains(program)).forEach(ProcessHandle::destroyForcibly);
    }

    private static Stream<ProcessHandle> programs() {
        return ProcessHandle.current().descendants();
    }
}
