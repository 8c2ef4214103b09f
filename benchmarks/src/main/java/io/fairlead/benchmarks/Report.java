package io.fairlead.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A page of results, {@code <date>.md} or {@code <date>-<part>.md}, with the raw numbers in files beside it. */
public final class Report {
    private final Path folder;
    private final String name;
    private final List<String> lines = new ArrayList<>();
    private final List<String> misses = new ArrayList<>();

    private Report(Path folder, String name) {
        this.folder = folder;
        this.name = name;
    }

    /** Begins with the machine. */
    public static Report of(String part, Path folder) throws IOException {
        Files.createDirectories(folder);
        LocalDate date = LocalDate.now(Clock.systemUTC());
        Report report = new Report(folder, part.equals("all") ? date.toString() : date + "-" + part);
        report.line("# Measured on " + date);
        report.line("");
        report.line("Command: `benchmarks/run " + part + "`. Ratios within one run count; absolute figures differ from"
                + " machine to machine.");
        report.line("");
        report.line("- Machine: " + processor() + ", " + Runtime.getRuntime().availableProcessors() + " processors, "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch") + ", load when it began " + load());
        report.line("- JVM: " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        return report;
    }

    public void line(String line) {
        lines.add(line);
    }

    /** Where a part keeps its raw numbers. */
    public Path beside(String suffix) {
        return folder.resolve(name + suffix);
    }

    /** Says whether a figure is small enough, and remembers it if not. */
    public String judge(String quantity, double measured, double must) {
        if (measured <= must) {
            return "yes";
        }
        misses.add(String.format(
                Locale.ROOT, "%s: %s where at most %s was wanted", quantity, figure(measured), figure(must)));
        return "**no**";
    }

    /** Remembers that something could not be measured. */
    public void missing(String what) {
        misses.add(what);
    }

    /** Writes the page, the misses at its end. */
    public void save() throws IOException {
        line("");
        line("## Missed or not measured");
        line("");
        misses.forEach(miss -> line("- " + miss));
        if (misses.isEmpty()) {
            line("Nothing.");
        }
        Files.write(beside(".md"), lines);
    }

    /** Three digits that mean something. */
    public static String figure(double value) {
        double size = Math.abs(value);
        return String.format(
                Locale.ROOT, size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f", value);
    }

    private static String load() throws IOException {
        Path load = Path.of("/proc/loadavg");
        return Files.isReadable(load) ? Files.readString(load).split(" ", 2)[0] : "unknown";
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
