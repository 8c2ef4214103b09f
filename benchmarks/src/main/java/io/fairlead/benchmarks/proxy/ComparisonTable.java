package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The table of a report: a row for each figure beside each yardstick; and all figures, as they were taken. */
final class ComparisonTable {
    private final Report report;
    private final int rounds;
    private final TimedRows timed;
    private final FloorTable floors = new FloorTable();
    private final List<String> raw = new ArrayList<>(List.of("quantity,contestant,round,value"));

    /**
     * An empty table.
     *
     * @param rounds of each figure
     * @param rowMax in which each row is to be measured
     */
    ComparisonTable(Report report, int rounds, Duration rowMax) {
        this.report = report;
        this.rounds = rounds;
        this.timed = new TimedRows(report, rowMax);
    }

    void begin() {
        report.line("| quantity | yardstick | Fairlead | yardstick's | ratio (range) | must | met |");
        report.line("| --- | --- | ---: | ---: | ---: | ---: | --- |");
    }

    /** By which rows that are no plain comparison are measured. */
    TimedRows timed() {
        return timed;
    }

    /** What is shown of the floor, below this table. */
    FloorTable floors() {
        return floors;
    }

    /** Writes all figures beside the report. */
    void writeRaw() throws IOException {
        Files.write(report.beside("-proxy.csv"), raw);
    }

    /**
     * Measures in turns and within the bound of time, and adds one row for each yardstick, which is each contestant behind the
     * first but the floor.
     */
    void compare(String quantity, List<Contestant> contestants, Rounds.Measurement measurement, double... musts)
            throws Exception {
        timed.measure(quantity, () -> compare(quantity, Rounds.take(rounds, contestants, measurement), musts));
    }

    void compare(String quantity, Rounds measured, double... musts) {
        List<Contestant> contestants = measured.contestants();
        contestants.forEach(contestant -> keep(quantity, contestant.name(), measured.of(contestant)));
        Contestant fairlead = contestants.getFirst();
        List<Contestant> yardsticks = contestants.stream()
                .skip(1)
                .filter(contestant -> !contestant.isFloor())
                .toList();
        for (int i = 0; i < yardsticks.size(); i++) {
            Contestant yardstick = yardsticks.get(i);
            String must = i < musts.length ? Report.figure(musts[i]) : "";
            List<Double> ratios = measured.ratios(fairlead, yardstick);
            String met = must.isEmpty()
                    ? ""
                    : report.judge(quantity + ", by " + yardstick.name() + "'s", Rounds.median(ratios), musts[i]);
            row(
                    quantity,
                    yardstick.name(),
                    Report.figure(measured.median(fairlead)),
                    Report.figure(measured.median(yardstick)),
                    Rounds.inWords(ratios),
                    must,
                    met);
            floors.add(quantity, measured, yardstick, must);
        }
    }

    void added(String quantity, Rounds measured, List<Contestant> proxies, Contestant direct, double must) {
        proxies.forEach(proxy -> keep(quantity + " (total)", proxy.name(), measured.of(proxy)));
        keep(quantity + " (total)", direct.name(), measured.of(direct));
        ToDoubleFunction<Contestant> added = proxy -> measured.median(proxy) - measured.median(direct);
        double ours = added.applyAsDouble(proxies.getFirst());
        for (Contestant yardstick : proxies.subList(1, proxies.size())) {
            if (yardstick.isFloor()) {
                continue;
            }
            double theirs = added.applyAsDouble(yardstick);
            row(
                    quantity,
                    yardstick.name(),
                    Report.figure(ours),
                    Report.figure(theirs),
                    Report.figure(ours / theirs),
                    Report.figure(must),
                    report.judge(quantity + ", by " + yardstick.name() + "'s", ours / theirs, must));
            floors.added(quantity, proxies, yardstick, added, Report.figure(must));
        }
    }

    void row(String... cells) {
        report.line("| " + String.join(" | ", cells) + " |");
    }

    void keep(String quantity, String contestant, List<Double> values) {
        for (int round = 0; round < values.size(); round++) {
            raw.add(String.format(
                    Locale.ROOT, "\"%s\",\"%s\",%d,%.3f", quantity, contestant, round + 1, values.get(round)));
        }
    }
}
