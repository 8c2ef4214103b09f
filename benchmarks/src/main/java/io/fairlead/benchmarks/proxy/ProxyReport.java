package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Checkout;
import io.fairlead.benchmarks.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a request, a handshake, a watch and an event cost, beside the yardsticks; and how long a start takes. */
public final class ProxyReport {
    static final int H1_CONNECTIONS = 16;
    static final int H2_CONNECTIONS = 4;
    static final int H2_STREAMS = 16;
    private static final int BULK_CONNECTIONS = 8;
    private static final int HANDSHAKE_BATCHES = 4;
    private static final int LATENCY_CONNECTIONS = 4;
    private static final int PACED_CONNECTIONS = 8;
    private static final int IDLE_ROUNDS = 3;
    /** A proxy sleeps between two events, so that what one costs differs much more from round to round than under full load. */
    private static final int EVENT_ROUNDS = 3;

    private static final String TYPE_CHANGES = "ms until a changed CRD of an attached cluster is seen in the index";

    private static final double P50 = 0.50;
    private static final double P99 = 0.99;

    private final Report report;
    private final Length length;
    private final ComparisonTable table;

    public ProxyReport(Report report, Length length) {
        this.report = report;
        this.length = length;
        this.table = new ComparisonTable(report, length.rounds(), Length.ROW_MAX);
    }

    /** Measures the checkout in the current folder; its launcher has built it before. */
    public void write() throws Exception {
        try (Arena arena = new Arena(Checkout.launcher())) {
            heading(arena);
            addFloor(arena);
            Bodies.requireSame(arena);
            warmUp(arena);
            requests(arena);
            timed().measure("added latencies", () -> latencies(arena));
            if (arena.types().isPresent()) {
                mutualTls(arena);
                timed().measure(
                                TYPE_CHANGES,
                                () -> typeChanges(arena, arena.types().get()));
                events(arena);
            }
            callers(arena).write();
            callers(arena).writeAudited();
            List<Profile> profiles = new ArrayList<>();
            timed().measure("profiles of requests", () -> profiles.addAll(profiles(arena)));
            if (arena.types().isPresent()) {
                idleWatches(arena, "watches", "h1 to h1", Watches.HTTP_1, 0.60);
                idleWatches(arena, "watches-h2", "h2 to h2", Watches.HTTP_2, 1.0);
            }
            cold(arena).write();
            table.floors().write(report);
            profiles.forEach(profile -> profile.write(report));
        }
        end();
    }

    /** Measures what requests cost, and nothing else. */
    public void writeCosts() throws Exception {
        try (Arena arena = new Arena(Checkout.launcher())) {
            heading(arena);
            Bodies.requireSame(arena);
            warmUp(arena);
            requests(arena);
            callers(arena).write();
        }
        end();
    }

    /** Measures what the audit log costs, and nothing else. */
    public void writeAudited() throws Exception {
        try (Arena arena = new Arena(Checkout.launcher())) {
            heading(arena);
            warmUp(arena);
            callers(arena).writeAudited();
        }
        end();
    }

    private TimedRows timed() {
        return table.timed();
    }

    private void end() throws IOException {
        timed().write();
        table.writeRaw();
    }

    private void addFloor(Arena arena) throws Exception {
        arena.addFloor(length.starts() > 0);
    }

    private void heading(Arena arena) {
        report.line("- Programs: " + String.join("; ", arena.versions()) + "; wrk, h2load");
        report.line("");
        report.line("## Proxy");
        report.line("");
        report.line("Backend (nginx, one worker) and load on CPU 1, the proxy under test on CPU 0. TLS 1.3 with"
            + " AES-128-GCM and a P-256 certificate on both sides, the upstream's verified, connections kept. Fairlead"
            + " with every default on but the limit of given up requests, which each load's end reaches; callers by"
            + " token. " + length.rounds() + " rounds of " + length.seconds()
                + " s in turns (of events " + EVENT_ROUNDS + " times as many), the order reversed every other"
                + " round; CPU from /proc/PID/stat. Bodies were"
                + " compared byte for byte first. Each ratio is Fairlead's figure by the yardstick's, median"
                + " of the rounds (range).");
        report.line("");
        if (!arena.absent().isEmpty()) {
            report.line("Missing here: " + String.join("; ", arena.absent()) + ".");
            report.line("");
            arena.absent().forEach(report::missing);
        }
        table.begin();
    }

    private void warmUp(Arena arena) throws Exception {
        if (length.warmUpSeconds() == 0) {
            return;
        }
        Load load = arena.load();
        int seconds = length.warmUpSeconds();
        for (Contestant compiled : line(arena, "haproxy", "nginx", "go")) { // They only open their connections.
            timed().measure(
                            "warm-up, h1, " + compiled.name(),
                            () -> load.h1(body(compiled, 0), H1_CONNECTIONS, seconds));
        }
        for (Contestant contestant : withFloor(arena, "floor h1", "fairlead h1")) {
            timed().measure("warm-up, h1, " + contestant.name(), () -> {
                length.warmUp(() -> cpu(contestant, () -> load.h1(body(contestant, 0), H1_CONNECTIONS, seconds)));
                length.warmUp(() -> cpu(contestant, () -> handshakes(load, body(contestant, 0))));
            });
        }
        for (Contestant contestant : withFloor(arena, "floor h2", "fairlead h2")) {
            timed().measure(
                            "warm-up, h2, " + contestant.name(),
                            () -> length.warmUp(() -> cpu(
                                    contestant,
                                    () -> load.h2(body(contestant, 0), H2_CONNECTIONS, H2_STREAMS, seconds))));
        }
    }

    private void requests(Arena arena) throws Exception {
        Load load = arena.load();
        table.compare(
                "CPU us per request, 2 KB, h1 to h1",
                withFloor(arena, "floor h1", "fairlead h1", "haproxy", "nginx", "go"),
                contestant -> cpu(contestant, () -> load.h1(body(contestant, 0), H1_CONNECTIONS, length.seconds())),
                1.00,
                1.05,
                0.50);
        table.compare(
                "CPU us per request, 2 KB, h2 in front",
                withFloor(arena, "floor h2", "fairlead h2", "haproxy h2", "haproxy h2 to h2", "go"),
                contestant -> cpu(
                        contestant, () -> load.h2(body(contestant, 0), H2_CONNECTIONS, H2_STREAMS, length.seconds())),
                0.80,
                1.0,
                0.25);
        table.compare(
                "CPU us per request, 64 KB, h1",
                line(arena, "fairlead h1", "haproxy, large buffers"),
                contestant -> cpu(contestant, () -> load.h1(body(contestant, 1), BULK_CONNECTIONS, length.seconds())),
                0.80);
        table.compare(
                "CPU us per request, 1 MB, h1",
                line(arena, "fairlead h1", "haproxy, large buffers"),
                contestant -> cpu(contestant, () -> load.h1(body(contestant, 2), BULK_CONNECTIONS, length.seconds())),
                0.95);
        table.compare(
                "CPU us per new connection: full TLS handshake and one request",
                line(arena, "fairlead h1", "haproxy", "nginx", "go"),
                contestant -> cpu(contestant, () -> handshakes(load, body(contestant, 0))),
                1.1);
    }

    /** What a caller with a client certificate costs, once connected and anew. */
    private void mutualTls(Arena arena) throws Exception {
        Load load = arena.load();
        List<Contestant> contestants = line(arena, "fairlead h1", "haproxy mutual");
        table.compare(
                "CPU us per request, 2 KB, h1 to h1, mutual TLS",
                contestants,
                contestant ->
                        cpu(contestant, () -> load.mutual(body(contestant, 0), H1_CONNECTIONS, length.seconds(), true)),
                1.00);
        table.compare(
                "CPU us per new connection: full mutual TLS handshake and one request",
                contestants,
                contestant -> cpu(
                        contestant, () -> load.mutual(body(contestant, 0), H1_CONNECTIONS, length.seconds(), false)),
                1.1);
    }

    private List<Profile> profiles(Arena arena) throws Exception {
        int seconds = length.warmUpSeconds() + length.seconds();
        Contestant http1 = arena.get("fairlead h1");
        Contestant http2 = arena.get("fairlead h2");
        return List.of(
                Profile.take(
                        arena,
                        "requests of 2 KB, h1 to h1",
                        http1,
                        seconds,
                        all -> arena.load().h1(body(http1, 0), H1_CONNECTIONS, all)),
                Profile.take(
                        arena,
                        "requests of 2 KB, h2 to h2",
                        http2,
                        seconds,
                        all -> arena.load().h2(body(http2, 0), H2_CONNECTIONS, H2_STREAMS, all)));
    }

    private void latencies(Arena arena) throws Exception {
        Load load = arena.load();
        Contestant direct = arena.get("direct");
        List<Contestant> proxies = withFloor(arena, "floor h1", "fairlead h1", "haproxy");
        List<Contestant> all = new ArrayList<>(proxies);
        all.add(direct);
        Rounds p50 = Rounds.take(
                length.rounds(),
                all,
                contestant ->
                        quantile(load.latencies(body(contestant, 0), LATENCY_CONNECTIONS, 0, length.seconds()), P50));
        table.added("added p50 us, 4 connections", p50, proxies, direct, 1.5);
        long perSecond = Long.MAX_VALUE;
        for (Contestant proxy : proxies) {
            long requests = load.h1(body(proxy, 0), H1_CONNECTIONS, length.seconds());
            perSecond = Math.min(perSecond, requests / length.seconds());
        }
        int rate = (int) Math.max(1, perSecond / 2 / PACED_CONNECTIONS);
        Rounds p99 = Rounds.take(
                length.rounds(),
                all,
                contestant ->
                        quantile(load.latencies(body(contestant, 0), PACED_CONNECTIONS, rate, length.seconds()), P99));
        table.added("added p99 us at half load (" + rate * PACED_CONNECTIONS + "/s)", p99, proxies, direct, 2.0);
    }

    private void typeChanges(Arena arena, Process server) throws Exception {
        List<Double> millis = TypeChanges.millis(arena, server, length.typeChanges());
        table.keep("ms until a changed CRD is seen in the index", "Fairlead", millis);
        List<Double> sorted = millis.stream().sorted().toList();
        double p99 = quantile(sorted, P99);
        table.row(TYPE_CHANGES + ", p50", "", Report.figure(quantile(sorted, P50)), "", "", "", "");
        table.row(
                TYPE_CHANGES + ", p99",
                "",
                Report.figure(p99),
                "",
                "",
                "1000",
                report.judge(TYPE_CHANGES + ", p99", p99, 1_000));
    }

    /** Measures watches, and nothing else. */
    public void writeWatches() throws Exception {
        try (Arena arena = new Arena(Checkout.launcher())) {
            heading(arena);
            addFloor(arena);
            if (arena.types().isPresent()) {
                Watches watches = new Watches(arena, length);
                events(arena);
                Contestant fairlead = arena.get("fairlead watches");
                int seconds = length.warmUpSeconds() + length.seconds();
                List<Profile> profiles = new ArrayList<>();
                timed().measure(
                                "profile of events",
                                () -> profiles.add(Profile.take(
                                        arena,
                                        "watch events",
                                        fairlead,
                                        seconds,
                                        all -> watches.events(fairlead, all))));
                idleWatches(arena, "watches", "h1 to h1", Watches.HTTP_1, 0.60);
                idleWatches(arena, "watches-h2", "h2 to h2", Watches.HTTP_2, 1.0);
                table.floors().write(report);
                profiles.forEach(profile -> profile.write(report));
            }
        }
        end();
    }

    private void events(Arena arena) throws Exception {
        Watches watches = new Watches(arena, length);
        List<Contestant> proxies =
                withFloor(arena, "floor watches", "fairlead watches", "haproxy watches", "unguarded watches");
        if (length.warmUpSeconds() > 0) {
            for (Contestant contestant : line(arena, "fairlead watches", "unguarded watches", "floor watches")) {
                timed().measure(
                                "warm-up, watch events, " + contestant.name(),
                                () -> length.warmUp(() -> watches.cpuMicrosPerWarmUpEvent(contestant)));
            }
        }
        String quantity = "CPU us per delivered watch event";
        timed().measure(quantity, () -> {
            Rounds measured = Rounds.take(EVENT_ROUNDS * length.rounds(), proxies, watches::cpuMicrosPerEvent);
            table.compare(quantity, measured, 1.1, 1.15);
        });
    }

    /** By processes that are just started. What a process needs beside its watches differs from start to start. */
    private void idleWatches(Arena arena, String roles, String way, String protocol, double must) throws Exception {
        Watches watches = new Watches(arena, length);
        boolean fresh = length.starts() > 0;
        List<Contestant> proxies = withFloor(arena, "floor " + roles, "fairlead " + roles, "haproxy " + roles);
        String quantity = "RSS KiB per idle watch, " + way;
        timed().measure(quantity, () -> {
            Rounds measured = Rounds.take(fresh ? IDLE_ROUNDS : 1, proxies, contestant -> {
                Contestant started = fresh ? arena.restart(contestant) : contestant;
                return watches.kibPerIdleWatch(started, protocol);
            });
            table.compare(quantity, measured, must);
        });
    }

    /** Starts and first requests, and nothing else. */
    public void writeCold() throws Exception {
        try (Arena arena = new Arena(Checkout.launcher())) {
            heading(arena);
            addFloor(arena);
            cold(arena).write();
            table.floors().write(report);
        }
        end();
    }

    private CallerRows callers(Arena arena) {
        return new CallerRows(table, arena, length);
    }

    private ColdRows cold(Arena arena) {
        return new ColdRows(report, table, arena, length.starts());
    }

    /** CPU microseconds for each of the answers that a load got. */
    static double cpu(Contestant contestant, Answers answers) throws IOException, InterruptedException {
        double before = contestant.cpuMicros();
        long count = answers.count();
        return (contestant.cpuMicros() - before) / count;
    }

    private static double quantile(List<? extends Number> sorted, double part) {
        return sorted.get((int) ((sorted.size() - 1) * part)).doubleValue();
    }

    static String body(Contestant contestant, int size) {
        return contestant.url() + Arena.BODIES + Arena.SIZES.get(size);
    }

    /** Those that are there; the gateway comes first. */
    private List<Contestant> line(Arena arena, String... roles) {
        return Stream.of(roles)
                .flatMap(role -> arena.find(role).stream())
                .limit(1L + length.yardsticks())
                .toList();
    }

    /** Those and the floor, if it takes part. */
    private List<Contestant> withFloor(Arena arena, String floor, String... roles) {
        return Stream.concat(line(arena, roles).stream(), arena.find(floor).stream())
                .toList();
    }

    private long handshakes(Load load, String url) throws IOException, InterruptedException {
        long count = 0;
        for (int i = 0; i < HANDSHAKE_BATCHES; i++) {
            count += load.handshakes(url, length.handshakes());
        }
        return count;
    }

    /** A load that is over when it is counted. */
    @FunctionalInterface
    interface Answers {
        long count() throws IOException, InterruptedException;
    }
}
