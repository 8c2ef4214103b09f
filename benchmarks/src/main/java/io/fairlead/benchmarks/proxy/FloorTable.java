package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The part of a report that shows how much of a figure the gateway's stages can be blamed for. */
final class FloorTable {
    private final List<String> rows = new ArrayList<>();

    /** Adds a row if the floor was measured in the same rounds as the gateway, which comes first, and the yardstick. */
    void add(String quantity, Rounds measured, Contestant yardstick, String must) {
        Contestant fairlead = measured.contestants().getFirst();
        measured.contestants().stream()
                .filter(Contestant::isFloor)
                .forEach(floor -> row(
                        quantity,
                        yardstick.name(),
                        Report.figure(measured.median(fairlead)),
                        Report.figure(measured.median(floor)),
                        Report.figure(measured.median(yardstick)),
                        Rounds.inWords(measured.ratios(fairlead, floor)),
                        Rounds.inWords(measured.ratios(floor, yardstick)),
                        must));
    }

    /**
     * The same for what a proxy adds.
     *
     * @param proxies of which the gateway comes first
     */
    void added(
            String quantity,
            List<Contestant> proxies,
            Contestant yardstick,
            ToDoubleFunction<Contestant> added,
            String must) {
        double ours = added.applyAsDouble(proxies.getFirst());
        double theirs = added.applyAsDouble(yardstick);
        proxies.stream().filter(Contestant::isFloor).forEach(floor -> {
            double least = added.applyAsDouble(floor);
            row(
                    quantity,
                    yardstick.name(),
                    Report.figure(ours),
                    Report.figure(least),
                    Report.figure(theirs),
                    Report.figure(ours / least),
                    Report.figure(least / theirs),
                    must);
        });
    }

    void row(String... cells) {
        rows.add("| " + String.join(" | ", cells) + " |");
    }

    void write(Report report) {
        if (rows.isEmpty()) {
            return;
        }
        report.line("");
        report.line("### The floor: the same path with Fairlead's stages removed");
        report.line("");
        report.line(
                "The floor is a program of Fairlead's own listener, HTTP and upstream client (`listen`, `http`, `net`)"
                        + " that sends each request to one server: no callers, rights, index, impersonation, guards of"
                        + " watches or metrics, and no store. It runs with the options of the gateway's JVM and an"
                        + " ahead-of-time cache of its own, and was measured in the same rounds. What Fairlead costs"
                        + " beyond it are the stages; what it costs beyond a yardstick are the listener, the libraries,"
                        + " the JVM and the kernel. Resident memory may grow by less than the floor's: a larger process"
                        + " has touched memory before, which its watches may take first.");
        report.line("");
        report.line("| quantity | yardstick | Fairlead | floor | yardstick's | Fairlead/floor (range)"
                + " | floor/yardstick (range) | must |");
        report.line("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
        rows.forEach(report::line);
    }
}
