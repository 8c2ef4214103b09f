package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a request, a handshake, a watch and an event cost, beside the yardsticks; and how long a start takes. */
public final class ProxyReport {
    /**
     * How long to measure.
     *
     * @param rounds of each figure
     * @param seconds of each load
     * @param warmUpSeconds before the first figure
     * @param watches that are open at once
     * @param starts of the gateway
     */
    public record Length(int rounds, int seconds, int warmUpSeconds, int watches, int starts) {
        /** As reports are made; about ten minutes. */
        public static final Length FULL = new Length(5, 3, 10, 1_000, 7);

        /** Seconds, to see that everything still runs. */
        static final Length SMOKE = new Length(1, 1, 0, 20, 1);
    }

    private static final int H1_CONNECTIONS = 16;
    private static final int H2_CONNECTIONS = 4;
    private static final int H2_STREAMS = 16;
    private static final int BULK_CONNECTIONS = 8;
    private static final int HANDSHAKES = 250;
    private static final int HANDSHAKE_BATCHES = 4;
    private static final int LATENCY_CONNECTIONS = 4;
    private static final int PACED_CONNECTIONS = 8;
    private static final double P50 = 0.50;
    private static final double P99 = 0.99;

    private final Report report;
    private final Length length;
    private final List<String> raw = new ArrayList<>(List.of("quantity,contestant,round,value"));

    public ProxyReport(Report report, Length length) {
        this.report = report;
        this.length = length;
    }

    /** Measures the checkout in the current folder; its launcher has built it before. */
    public void write() throws Exception {
        Path repository = Path.of("").toAbsolutePath();
        while (!Files.exists(repository.resolve("fairlead"))) {
            repository = Optional.ofNullable(repository.getParent()).orElseThrow();
        }
        try (Arena arena = new Arena(repository)) {
            heading(arena);
            Bodies.requireSame(arena);
            warmUp(arena);
            requests(arena);
            latencies(arena);
            if (arena.find("go").isPresent()) {
                watches(arena);
            }
            starts(repository);
            Profile.write(report, arena, length.seconds() * 2);
        }
        report.missing("one CRD change visible in the index of an attached cluster: not measured by this command");
        report.missing("memory per idle watch h2 to h2: not measured by this command");
        Files.write(report.beside("-proxy.csv"), raw);
    }

    private void heading(Arena arena) {
        report.line("- Programs: " + String.join("; ", arena.versions()) + "; wrk, h2load");
        report.line("");
        report.line("## Proxy");
        report.line("");
        report.line("Backend (nginx, one worker) and load on CPU 1, the proxy under test on CPU 0. TLS 1.3 with"
                + " AES-128-GCM and a P-256 certificate on both sides, the upstream's verified, connections kept."
                + " Fairlead with every default on; callers"
                + " by token."
                + " " + length.rounds() + " rounds of " + length.seconds()
                + " s in turns, the order reversed every other round; CPU from /proc/PID/stat. Bodies were"
                + " compared byte for byte first. Each ratio is Fairlead's figure by the yardstick's, median"
                + " of the rounds (range).");
        report.line("");
        if (!arena.absent().isEmpty()) {
            report.line("Missing here: " + String.join("; ", arena.absent()) + ".");
            report.line("");
            arena.absent().forEach(report::missing);
        }
        report.line("| quantity | yardstick | Fairlead | yardstick's | ratio (range) | must | met |");
        report.line("| --- | --- | ---: | ---: | ---: | ---: | --- |");
    }

    private void warmUp(Arena arena) throws Exception {
        if (length.warmUpSeconds() > 0) {
            for (String role : List.of("fairlead h1", "haproxy", "nginx", "go")) {
                Optional<Contestant> contestant = arena.find(role);
                if (contestant.isPresent()) {
                    arena.load().h1(body(contestant.get(), 0), H1_CONNECTIONS, length.warmUpSeconds());
                }
            }
            arena.load().h2(body(arena.get("fairlead h2"), 0), H2_CONNECTIONS, H2_STREAMS, length.warmUpSeconds());
        }
    }

    private void requests(Arena arena) throws Exception {
        Load load = arena.load();
        compare(
                "CPU us per request, 2 KB, h1 to h1",
                line(arena, "fairlead h1", "haproxy", "nginx", "go"),
                contestant -> cpu(contestant, () -> load.h1(body(contestant, 0), H1_CONNECTIONS, length.seconds())),
                1.00,
                1.05,
                0.50);
        compare(
                "CPU us per request, 2 KB, h2 in front",
                line(arena, "fairlead h2", "haproxy h2", "haproxy h2 to h2", "go"),
                contestant -> cpu(
                        contestant, () -> load.h2(body(contestant, 0), H2_CONNECTIONS, H2_STREAMS, length.seconds())),
                0.80,
                1.0,
                0.25);
        compare(
                "CPU us per request, 64 KB, h1",
                line(arena, "fairlead h1", "haproxy, large buffers"),
                contestant -> cpu(contestant, () -> load.h1(body(contestant, 1), BULK_CONNECTIONS, length.seconds())),
                0.80);
        compare(
                "CPU us per request, 1 MB, h1",
                line(arena, "fairlead h1", "haproxy, large buffers"),
                contestant -> cpu(contestant, () -> load.h1(body(contestant, 2), BULK_CONNECTIONS, length.seconds())),
                0.95);
        compare(
                "CPU us per new connection: full TLS handshake and one request",
                line(arena, "fairlead h1", "haproxy", "nginx", "go"),
                contestant -> cpu(contestant, () -> handshakes(load, body(contestant, 0))),
                1.1);
    }

    private void latencies(Arena arena) throws Exception {
        Load load = arena.load();
        Contestant direct = arena.get("direct");
        List<Contestant> proxies = line(arena, "fairlead h1", "haproxy");
        List<Contestant> all = new ArrayList<>(proxies);
        all.add(direct);
        Rounds p50 = Rounds.take(
                length.rounds(),
                all,
                contestant ->
                        quantile(load.latencies(body(contestant, 0), LATENCY_CONNECTIONS, 0, length.seconds()), P50));
        added("added p50 us, 4 connections", p50, proxies, direct, 1.5);
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
        added("added p99 us at half load (" + rate * PACED_CONNECTIONS + "/s)", p99, proxies, direct, 2.0);
    }

    private void watches(Arena arena) throws Exception {
        List<Contestant> proxies = line(arena, "fairlead watches", "haproxy watches");
        Watches watches = new Watches(arena, length);
        // Once: what a process has taken it keeps, and a second round would see nothing.
        compare("RSS KiB per idle watch, h1 to h1", Rounds.take(1, proxies, watches::kibPerIdleWatch), 0.60);
        compare("CPU us per delivered watch event", proxies, watches::cpuMicrosPerEvent, 1.1);
    }

    private void starts(Path repository) throws Exception {
        List<Double> listening = new ArrayList<>();
        List<Double> answered = new ArrayList<>();
        Starts.measure(repository.resolve("fairlead"), length.starts(), listening, answered);
        single("s from start to listening", listening, 1.2);
        single("s from start to first answer", answered, 1.2);
    }

    /** One row for each yardstick, which is each contestant behind the first. */
    private void compare(String quantity, List<Contestant> contestants, Rounds.Measurement measurement, double... musts)
            throws Exception {
        compare(quantity, Rounds.take(length.rounds(), contestants, measurement), musts);
    }

    private void compare(String quantity, Rounds rounds, double... musts) {
        List<Contestant> contestants = rounds.contestants();
        contestants.forEach(contestant -> keep(quantity, contestant.name(), rounds.of(contestant)));
        Contestant fairlead = contestants.getFirst();
        for (int i = 1; i < contestants.size(); i++) {
            Contestant yardstick = contestants.get(i);
            String must = i <= musts.length ? Report.figure(musts[i - 1]) : "";
            List<Double> ratios = rounds.ratios(fairlead, yardstick);
            String met = must.isEmpty()
                    ? ""
                    : report.judge(quantity + ", by " + yardstick.name() + "'s", Rounds.median(ratios), musts[i - 1]);
            row(
                    quantity,
                    yardstick.name(),
                    Report.figure(rounds.median(fairlead)),
                    Report.figure(rounds.median(yardstick)),
                    Rounds.inWords(ratios),
                    must,
                    met);
        }
    }

    private void added(String quantity, Rounds rounds, List<Contestant> proxies, Contestant direct, double must) {
        proxies.forEach(proxy -> keep(quantity + " (total)", proxy.name(), rounds.of(proxy)));
        keep(quantity + " (total)", direct.name(), rounds.of(direct));
        if (proxies.size() == 2) {
            double ours = rounds.median(proxies.get(0)) - rounds.median(direct);
            double theirs = rounds.median(proxies.get(1)) - rounds.median(direct);
            row(
                    quantity,
                    proxies.get(1).name(),
                    Report.figure(ours),
                    Report.figure(theirs),
                    Report.figure(ours / theirs),
                    Report.figure(must),
                    report.judge(quantity + ", by HAProxy's", ours / theirs, must));
        }
    }

    private void single(String quantity, List<Double> values, double must) {
        keep(quantity, "Fairlead", values);
        row(
                quantity,
                "",
                Rounds.inWords(values),
                "",
                "",
                Report.figure(must),
                report.judge(quantity, Rounds.median(values), must));
    }

    private void row(String... cells) {
        report.line("| " + String.join(" | ", cells) + " |");
    }

    private void keep(String quantity, String contestant, List<Double> values) {
        for (int round = 0; round < values.size(); round++) {
            raw.add(String.format(
                    Locale.ROOT, "\"%s\",\"%s\",%d,%.3f", quantity, contestant, round + 1, values.get(round)));
        }
    }

    /** CPU microseconds for each of the answers that a load got. */
    private static double cpu(Contestant contestant, Answers answers) throws IOException, InterruptedException {
        double before = contestant.cpuMicros();
        long count = answers.count();
        return (contestant.cpuMicros() - before) / count;
    }

    private static double quantile(List<Long> sorted, double part) {
        return sorted.get((int) ((sorted.size() - 1) * part));
    }

    private static String body(Contestant contestant, int size) {
        return contestant.url() + Arena.BODIES + Arena.SIZES.get(size);
    }

    private static List<Contestant> line(Arena arena, String... roles) {
        List<Contestant> present = new ArrayList<>();
        for (String role : roles) {
            arena.find(role).ifPresent(present::add);
        }
        return present;
    }

    private static long handshakes(Load load, String url) throws IOException, InterruptedException {
        long count = 0;
        for (int i = 0; i < HANDSHAKE_BATCHES; i++) {
            count += load.handshakes(url, HANDSHAKES);
        }
        return count;
    }

    /** A load that is over when it is counted. */
    @FunctionalInterface
    private interface Answers {
        long count() throws IOException, InterruptedException;
    }
}
