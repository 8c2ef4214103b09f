package io.fairlead.benchmarks.types;

import io.fairlead.benchmarks.Report;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.util.Statistics;

/** Measures digests of definitions. */
public final class TypesReport {
    private static final double DIGESTS_MICROS_MUST = 3_000;

    private final Report report;

    public TypesReport(Report report) {
        this.report = report;
    }

    /** Takes less than a minute. */
    public void write() throws RunnerException {
        RunResult digests = new Runner(new OptionsBuilder()
                        .include(DigestBenchmark.class.getSimpleName())
                        .addProfiler(GCProfiler.class)
                        .jvmArgs("-Xmx1g", "-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders")
                        .build())
                .runSingle();
        Statistics micros = digests.getPrimaryResult().getStatistics();
        report.line("");
        report.line("## Types");
        report.line("");
        report.line("| what | bytes | µs: median (range) | must | met |");
        report.line("| --- | ---: | ---: | ---: | --- |");
        report.line(String.format(
                Locale.ROOT,
                "| all digests of one definition, from its JSON text | %d | %.0f (%.0f-%.0f) | %.0f | %s |",
                DigestBenchmark.definition().length,
                micros.getPercentile(50),
                micros.getMin(),
                micros.getMax(),
                DIGESTS_MICROS_MUST,
                report.judge("digests of one definition, µs", micros.getPercentile(50), DIGESTS_MICROS_MUST)));
    }
}
