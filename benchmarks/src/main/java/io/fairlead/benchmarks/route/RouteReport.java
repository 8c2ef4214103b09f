package io.fairlead.benchmarks.route;

import io.fairlead.benchmarks.Report;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.util.Statistics;

/** Measures what the look-up in the serves index costs a request. */
public final class RouteReport {
    private static final double LOOKUP_NANOS_MUST = 300;
    private static final String BASELINE = "noResource";
    private static final Map<String, String> ASKED = Map.of(
            "customResource", "what a CRD serves",
            "builtIn", "what the API server serves itself",
            "absent", "what is not served");

    private final Report report;

    public RouteReport(Report report) {
        this.report = report;
    }

    /** Takes about three minutes. */
    public void write() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(RouteBenchmark.class.getSimpleName())
                        .jvmArgs("-Xmx1g", "-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders")
                        .build())
                .run();
        report.line("");
        report.line("### Nanoseconds that routing by the index adds to a request");
        report.line("");
        report.line(
                "The route stage with its look-up, against the same stage for a path that is no resource, which needs"
                        + " none. 1,000 clusters with " + RoutedFleet.DEFINITIONS
                        + " CRDs each; medians, one thread, three forks.");
        report.line("");
        report.line("| cluster | asked for | without a look-up | with it: median (range) | more | must | met |");
        report.line("| --- | --- | ---: | ---: | ---: | ---: | --- |");
        for (String cluster : List.of("attached", "hosted")) {
            double without = find(results, cluster, BASELINE).getPercentile(50);
            for (String asked : List.of("customResource", "builtIn", "absent")) {
                row(cluster, asked, without, find(results, cluster, asked));
            }
        }
    }

    private void row(String cluster, String asked, double without, Statistics nanos) {
        double more = nanos.getPercentile(50) - without;
        report.line(String.format(
                Locale.ROOT,
                "| %s | %s | %.0f | %.0f (%.0f-%.0f) | %.0f | %.0f | %s |",
                cluster,
                ASKED.get(asked),
                without,
                nanos.getPercentile(50),
                nanos.getMin(),
                nanos.getMax(),
                more,
                LOOKUP_NANOS_MUST,
                report.judge("routing by the index, " + cluster + ", " + asked + ", ns", more, LOOKUP_NANOS_MUST)));
    }

    private static Statistics find(Collection<RunResult> results, String cluster, String asked) {
        return results.stream()
                .filter(result -> cluster.equals(result.getParams().getParam("cluster"))
                        && asked.equals(result.getParams().getParam("asked")))
                .findFirst()
                .orElseThrow()
                .getPrimaryResult()
                .getStatistics();
    }
}
