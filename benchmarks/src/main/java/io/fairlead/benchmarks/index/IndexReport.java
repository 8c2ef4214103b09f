package io.fairlead.benchmarks.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.util.Version;

/**
 * Measures the index beside the reference design and writes {@code <date>-index.md} and the raw numbers beside it.
 * Arguments: the folder for the results, and optionally a number of clusters.
 */
public final class IndexReport {
    private static final List<String> READS =
            List.of("oneReader", "twoReaders", "oneReaderBesideWriter", "twoReadersBesideWriter");

    private final Path folder;
    private final int clusters;
    private final LocalDate date = LocalDate.now(Clock.systemUTC());
    private final List<String> lines = new ArrayList<>();

    private IndexReport(Path folder, int clusters) {
        this.folder = folder;
        this.clusters = clusters;
    }

    public static void main(String[] args) throws IOException, RunnerException {
        int clusters = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
        new IndexReport(Path.of(args[0]), clusters).write();
    }

    private void write() throws IOException, RunnerException {
        Files.createDirectories(folder);
        heading();
        footprint();
        lookups(new Runner(options()).run());
        Files.write(folder.resolve(date + "-index.md"), lines);
    }

    private Options options() {
        return new OptionsBuilder()
                .include(LookupBenchmark.class.getSimpleName())
                .param("clusters", Integer.toString(clusters))
                .addProfiler(GCProfiler.class)
                .jvmArgs("-Xmx1g", "-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders")
                .resultFormat(ResultFormatType.JSON)
                .result(folder.resolve(date + "-index.json").toString())
                .build();
    }

    private void heading() throws IOException {
        lines.add("# Index: " + date);
        lines.add("");
        lines.add("Command: `benchmarks/run`. " + clusters + " clusters, " + FleetShape.PER_CLUSTER
                + " group/versions of 400 in each. Reference design: one lock around a map with joined string keys.");
        lines.add("");
        lines.add("- Machine: " + processor() + ", " + Runtime.getRuntime().availableProcessors() + " processors, "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch"));
        lines.add("- JVM: " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version")
                + ", Parallel GC, compact object headers; JMH " + Version.getPlainVersion());
        lines.add("");
    }

    private void footprint() {
        FleetShape equal = FleetShape.equalSets(clusters);
        FleetShape unique = FleetShape.uniqueSets(clusters);
        double reference = Footprint.bytesPerEntry(equal, () -> new ReferenceIndex(equal));
        lines.add("## Bytes for each entry");
        lines.add("");
        lines.add("| fleet | reference | Fairlead | ratio | must |");
        lines.add("| --- | ---: | ---: | ---: | ---: |");
        sizeRow("20 distinct sets", reference, equal, FairleadIndex.Holders.BUILT_IN, "1/50");
        sizeRow("every set unique", reference, unique, FairleadIndex.Holders.BUILT_IN, "1/10");
        sizeRow(
                "every set unique, a CRD with its own uid behind each entry",
                reference,
                unique,
                FairleadIndex.Holders.CRDS,
                "");
        lines.add("");
        lines.add("Fairlead's figures hold everything that the index keeps, holders included. The reference keeps a"
                + " count and no holders; the last row shows what CRDs' names, uids and resource versions cost"
                + " beyond it.");
        lines.add("");
    }

    private void sizeRow(String fleet, double reference, FleetShape shape, FairleadIndex.Holders holders, String must) {
        double bytes = Footprint.bytesPerEntry(shape, () -> new FairleadIndex(shape, holders));
        lines.add(String.format(
                Locale.ROOT, "| %s | %.1f | %.2f | 1/%.1f | %s |", fleet, reference, bytes, reference / bytes, must));
    }

    private void lookups(Collection<RunResult> results) {
        lines.add("## Nanoseconds for each lookup");
        lines.add("");
        lines.add("| readers | sets | reference | Fairlead | ratio | must | bytes allocated, reference | Fairlead |");
        lines.add("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        for (String read : READS) {
            for (String sets : List.of("equal", "unique")) {
                lookupRow(read, sets, find(results, read, sets, "reference"), find(results, read, sets, "fairlead"));
            }
        }
        lines.add("");
        lines.add("Beside a writer the allocation is that of readers and writer together, for each operation of any of"
                + " them.");
    }

    private void lookupRow(String read, String sets, RunResult reference, RunResult fairlead) {
        double referenceNanos = nanos(reference);
        double fairleadNanos = nanos(fairlead);
        lines.add(String.format(
                Locale.ROOT,
                "| %s | %s | %.0f | %.1f | 1/%.1f | %s | %.1f | %.3f |",
                read,
                sets,
                referenceNanos,
                fairleadNanos,
                referenceNanos / fairleadNanos,
                read.equals("oneReader") ? "" : "1/5",
                allocated(reference),
                allocated(fairlead)));
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
    private static double nanos(RunResult result) {
        return secondary(result, "BusyReader")
                .orElseGet(() -> result.getPrimaryResult().getScore());
    }

    private static double allocated(RunResult result) {
        return secondary(result, "gc.alloc.rate.norm").orElse(Double.NaN);
    }

    @SuppressWarnings("rawtypes") // as JMH declares it
    private static OptionalDouble secondary(RunResult result, String label) {
        return result.getSecondaryResults().entrySet().stream()
                .filter(entry -> entry.getKey().contains(label))
                .mapToDouble(entry -> entry.getValue().getScore())
                .findFirst();
    }

    private static String processor() throws IOException {
        Path cpuinfo = Path.of("/proc/cpuinfo");
        if (!Files.isReadable(cpuinfo)) {
            return "unnamed processor";
        }
        return Files.readAllLines(cpuinfo).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unnamed processor");
    }
}
