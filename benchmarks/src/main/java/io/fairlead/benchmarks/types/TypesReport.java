package io.fairlead.benchmarks.types;

import io.fairlead.benchmarks.Report;
import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.util.Statistics;

/** Measures digests of definitions, and pins. */
public final class TypesReport {
    private static final double DIGESTS_MICROS_MUST = 3_000;
    private static final double PIN_MICROS_MUST = 5;

    private final Report report;

    public TypesReport(Report report) {
        this.report = report;
    }

    /** Takes two minutes. */
    public void write() throws RunnerException {
        report.line("");
        report.line("## Types");
        report.line("");
        report.line("A definition of " + DigestBenchmark.definition().length + " bytes; pins on one of 600 types of 50"
                + " clusters. JMH, three forks.");
        report.line("");
        report.line("| what | µs: median (range) | must | met |");
        report.line("| --- | ---: | ---: | --- |");
        for (RunResult digests : run(DigestBenchmark.class)) {
            row("all digests of one definition, from its JSON text", digests, DIGESTS_MICROS_MUST);
        }
        for (RunResult pinned : run(PinBenchmark.class)) {
            String requirement = pinned.getParams().getParam("requirement");
            row("what a write costs more under a pin with `" + requirement + "`", pinned, PIN_MICROS_MUST);
        }
    }

    private static Collection<RunResult> run(Class<?> benchmark) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(benchmark.getSimpleName())
                        .jvmArgs("-Xmx1g", "-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders")
                        .build())
                .run();
    }

    private void row(String what, RunResult result, double must) {
        Statistics micros = result.getPrimaryResult().getStatistics();
        report.line(String.format(
                Locale.ROOT,
                "| %s | %s (%s-%s) | %s | %s |",
                what,
                Report.figure(micros.getPercentile(50)),
                Report.figure(micros.getMin()),
                Report.figure(micros.getMax()),
                Report.figure(must),
                report.judge(what + ", µs", micros.getPercentile(50), must)));
    }
}
