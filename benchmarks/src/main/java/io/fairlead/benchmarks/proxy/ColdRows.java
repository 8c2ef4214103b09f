package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What users see of a gateway that has just started: how soon it listens and answers, and what its first requests cost. */
final class ColdRows {
    private static final double LISTENING_SECONDS = 0.65;
    private static final double ANSWERED_SECONDS = 0.75;
    private static final double BY_BARE = 1.1;
    private static final double BY_STEADY = 4.0;
    private static final int COLD_ROUNDS = 3;

    private final Report report;
    private final ComparisonTable table;
    private final Arena arena;
    private final int starts;

    /** @param starts of the gateway; if none, what needs processes that were just started is measured once and briefly */
    ColdRows(Report report, ComparisonTable table, Arena arena, int starts) {
        this.report = report;
        this.table = table;
        this.arena = arena;
        this.starts = starts;
    }

    void write() throws Exception {
        table.timed().measure("s from start to first answer", () -> {
            Starts measured = Starts.measure(arena, starts);
            start("s from start to listening", measured::listening, LISTENING_SECONDS);
            start("s from start to first answer", measured::answered, ANSWERED_SECONDS);
        });
        Load load = arena.load();
        measureFirst(
                "h1",
                "h1 to h1",
                (contestant, count) ->
                        load.countedH1(ProxyReport.body(contestant, 0), ProxyReport.H1_CONNECTIONS, count));
        measureFirst(
                "h2",
                "h2 in front",
                (contestant, count) -> load.countedH2(
                        ProxyReport.body(contestant, 0), ProxyReport.H2_CONNECTIONS, ProxyReport.H2_STREAMS, count));
    }

    /** Soon enough by the clock, or by what a JVM needs at least on this machine. */
    private void start(String quantity, Function<String, List<Double>> seconds, double must) {
        List<Double> ours = seconds.apply(Starts.FAIRLEAD);
        List<Double> floor = seconds.apply(Floor.NAME);
        List<Double> bare = seconds.apply(Starts.BARE);
        table.keep(quantity, Starts.FAIRLEAD, ours);
        table.keep(quantity, Floor.NAME, floor);
        table.keep(quantity, Starts.BARE, bare);
        double ratio = Rounds.median(ours) / Rounds.median(bare);
        double met = Math.min(Rounds.median(ours) / must, ratio / BY_BARE);
        table.row(
                quantity,
                Starts.BARE,
                Rounds.inWords(ours),
                Rounds.inWords(bare),
                Report.figure(ratio),
                Report.figure(must) + " s or ratio " + Report.figure(BY_BARE),
                report.judge(quantity + ", of what is allowed", met, 1));
        table.floors()
                .row(
                        quantity,
                        Starts.BARE,
                        Rounds.inWords(ours),
                        Rounds.inWords(floor),
                        Rounds.inWords(bare),
                        Report.figure(Rounds.median(ours) / Rounds.median(floor)),
                        Report.figure(Rounds.median(floor) / Rounds.median(bare)),
                        Report.figure(must) + " s");
    }

    private void measureFirst(String cluster, String way, ColdRequests.Requests requests) throws Exception {
        String quantity = "CPU us per request, the first 20,000 after a start, 2 KB, " + way;
        table.timed().measure(quantity, () -> first(quantity, cluster, requests));
    }

    private void first(String quantity, String cluster, ColdRequests.Requests requests) throws Exception {
        boolean whole = starts > 0;
        int count = whole ? ColdRequests.FIRST : 200;
        int loads = whole ? Integer.MAX_VALUE : 1;
        List<ColdRequests> ours = new ArrayList<>();
        List<ColdRequests> floors = new ArrayList<>();
        for (int i = 0; i < (whole ? COLD_ROUNDS : 1); i++) {
            ours.add(ColdRequests.measure(arena, "fairlead " + cluster, count, loads, requests));
            floors.add(ColdRequests.measure(arena, "floor " + cluster, count, loads, requests));
        }
        keep(quantity, "Fairlead", ours);
        keep(quantity, Floor.NAME, floors);
        double cold = median(ours, ColdRequests::cold);
        List<Double> ratios = ours.stream().map(ColdRequests::ratio).toList();
        table.row(
                quantity,
                "its own steady price",
                Report.figure(cold),
                Report.figure(median(ours, ColdRequests::steady)),
                Rounds.inWords(ratios),
                Report.figure(BY_STEADY),
                report.judge(quantity + ", by the steady price", Rounds.median(ratios), BY_STEADY));
        double floor = median(floors, ColdRequests::cold);
        table.floors()
                .row(
                        quantity,
                        "the floor's steady price",
                        Report.figure(cold),
                        Report.figure(floor),
                        Report.figure(median(floors, ColdRequests::steady)),
                        Report.figure(cold / floor),
                        Rounds.inWords(floors.stream().map(ColdRequests::ratio).toList()),
                        Report.figure(BY_STEADY));
    }

    private void keep(String quantity, String contestant, List<ColdRequests> rounds) {
        table.keep(quantity, contestant, rounds.stream().map(ColdRequests::cold).toList());
        table.keep(
                quantity + ", steady",
                contestant,
                rounds.stream().map(ColdRequests::steady).toList());
    }

    private static double median(List<ColdRequests> rounds, Function<ColdRequests, Double> figure) {
        return Rounds.median(rounds.stream().map(figure).toList());
    }
}
