package io.fairlead.benchmarks.index;

import io.fairlead.benchmarks.Report;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.util.Statistics;
import org.openjdk.jmh.util.Version;

/** Measures the index beside the reference design. */
public final class IndexReport {
    /** As many as a large fleet has. */
    public static final int CLUSTERS = 10_000;

    private static final List<String> READS =
            List.of("oneReader", "twoReaders", "oneReaderBesideWriter", "twoReadersBesideWriter");
    private static final double LOOKUP_MUST = 1.0 / 5;

    private final Report report;
    private final int clusters;

    public IndexReport(Report report, int clusters) {
        this.report = report;
        this.clusters = clusters;
    }

    /** Takes about eight minutes. */
    public void write() throws RunnerException {
        heading();
        footprint();
        lookups(new Runner(options()).run());
    }

    private Options options() {
        return new OptionsBuilder()
                .include(LookupBenchmark.class.getSimpleName())
                .param("clusters", Integer.toString(clusters))
                .addProfiler(GCProfiler.class)
                .jvmArgs("-Xmx1g", "-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders")
                .resultFormat(ResultFormatType.JSON)
                .result(report.beside("-index.json").toString())
                .build();
    }

    private void heading() {
        report.line("");
        report.line("## Index");
        report.line("");
        report.line(clusters + " clusters, " + FleetShape.PER_CLUSTER
                + " group/versions of 400 in each. Reference design: one lock around a map with joined string keys."
                + " JMH "
                + Version.getPlainVersion() + ", three forks, Parallel GC, compact object headers.");
        report.line("");
    }

    private void footprint() {
        FleetShape equal = FleetShape.equalSets(clusters);
        FleetShape unique = FleetShape.uniqueSets(clusters);
        double reference = Footprint.bytesPerEntry(equal, () -> new ReferenceIndex(equal));
        report.line("### Bytes for each entry");
        report.line("");
        report.line("| fleet | reference | Fairlead | ratio | must | met |");
        report.line("| --- | ---: | ---: | ---: | ---: | --- |");
        sizeRow("20 distinct sets", reference, equal, FairleadIndex.Holders.BUILT_IN, 50);
        sizeRow("every set unique", reference, unique, FairleadIndex.Holders.BUILT_IN, 10);
        sizeRow(
                "every set unique, a CRD with its own uid behind each entry",
                reference,
                unique,
                FairleadIndex.Holders.CRDS,
                0);
        report.line("");
        report.line("Fairlead's figures hold everything that the index keeps, holders included. The reference keeps a"
                + " count and no holders; the last row shows what CRDs' names, uids and resource versions cost"
                + " beyond it.");
        report.line("");
    }

    private void sizeRow(String fleet, double reference, FleetShape shape, FairleadIndex.Holders holders, int must) {
        double bytes = Footprint.bytesPerEntry(shape, () -> new FairleadIndex(shape, holders));
        report.line(String.format(
                Locale.ROOT,
                "| %s | %.1f | %.2f | 1/%.1f | %s | %s |",
                fleet,
                reference,
                bytes,
                reference / bytes,
                must == 0 ? "" : "1/" + must,
                must == 0 ? "" : report.judge("bytes for each entry, " + fleet, bytes / reference, 1.0 / must)));
    }

    private void lookups(Collection<RunResult> results) {
        report.line("### Nanoseconds for each lookup");
        report.line("");
        report.line("| readers | sets | reference: median (range) | Fairlead | ratio of medians | must | met | bytes"
                + " allocated, reference | Fairlead | each change, reference | Fairlead |");
        report.line("| --- | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |");
        for (String read : READS) {
            for (String sets : List.of("equal", "unique")) {
                lookupRow(read, sets, find(results, read, sets, "reference"), find(results, read, sets, "fairlead"));
            }
        }
        report.line("");
        report.line(
                "Beside a writer the allocation is that of readers and writer together, for each operation of any of"
                    + " them. Neither design's writer ever rests, so that the one whose changes cost less makes more"
                    + " of them. Where readers and writer are more than the processors, their waiting for one counts"
                    + " too.");
    }

    private void lookupRow(String read, String sets, RunResult reference, RunResult fairlead) {
        Statistics referenceNanos = nanos(reference);
        Statistics fairleadNanos = nanos(fairlead);
        double ratio = fairleadNanos.getPercentile(50) / referenceNanos.getPercentile(50);
        report.line(String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | 1/%.1f | %s | %s | %.1f | %.3f | %s | %s |",
                read,
                sets,
                inWords(referenceNanos),
                inWords(fairleadNanos),
                1 / ratio,
                read.equals("oneReader") ? "" : "1/5",
                read.equals("oneReader") ? "" : report.judge("lookup, " + read + ", " + sets, ratio, LOOKUP_MUST),
                allocated(reference),
                allocated(fairlead),
                change(reference),
                change(fairlead)));
    }

    private static String inWords(Statistics nanos) {
        return String.format(Locale.ROOT, "%.0f (%.0f-%.0f)", nanos.getPercentile(50), nanos.getMin(), nanos.getMax());
    }

    private static RunResult find(Collection<RunResult> results, String read, String sets, String design) {
        return results.stream()
                .filter(result -> result.getParams().getBenchmark().endsWith("." + read)
                        && sets.equals(result.getParams().getParam("sets"))
                        && design.equals(result.getParams().getParam("design")))
                .findFirst()
                .orElseThrow();
    }

    /** The readers' time; in a group the writer's has a label of its own. */
    private static Statistics nanos(RunResult result) {
        return secondary(result, "Busy").orElseGet(result::getPrimaryResult).getStatistics();
    }

    /** The median time of the writer's changes; empty without a writer. */
    private static String change(RunResult result) {
        return secondary(result, "writer")
                .map(found ->
                        String.format(Locale.ROOT, "%.0f", found.getStatistics().getPercentile(50)))
                .orElse("");
    }

    private static double allocated(RunResult result) {
        return secondary(result, "gc.alloc.rate.norm")
                .map(found -> found.getScore())
                .orElse(Double.NaN);
    }

    @SuppressWarnings("rawtypes") // as JMH declares it
    private static Optional<Result> secondary(RunResult result, String label) {
        return result.getSecondaryResults().entrySet().stream()
                .filter(entry -> entry.getKey().contains(label))
                .<Result>map(Map.Entry::getValue)
                .findFirst();
    }
}
