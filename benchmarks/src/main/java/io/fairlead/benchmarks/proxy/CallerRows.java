package io.fairlead.benchmarks.proxy;

import io.fairlead.benchmarks.Report;
import java.io.IOException;
import java.util.List;

/** The rows of what a request of the gateway costs beside another one of the gateway's own: by who asks, and by what is recorded. */
final class CallerRows {
    private final ComparisonTable table;
    private final Arena arena;
    private final Length length;

    CallerRows(ComparisonTable table, Arena arena, Length length) {
        this.table = table;
        this.arena = arena;
        this.length = length;
    }

    /** What a caller costs who is no administrator, and what a request allocates. */
    void write() throws Exception {
        Contestant http1 = arena.get("fairlead h1");
        Contestant http2 = arena.get("fairlead h2");
        besideAdministrator("h1 to h1", http1, load -> h1(load, http1, length.seconds()));
        besideAdministrator("h2 to h2", http2, load -> h2(load, http2, length.seconds()));
        allocated("h1 to h1", http1, seconds -> h1(arena.load(), http1, seconds));
        allocated("h2 to h2", http2, seconds -> h2(arena.load(), http2, seconds));
    }

    private void besideAdministrator(String way, Contestant fairlead, Loading loading) throws Exception {
        Contestant ann = new Contestant("Fairlead, another caller", fairlead.process(), fairlead.url());
        Contestant administrator = new Contestant("Fairlead, an administrator", fairlead.process(), fairlead.url());
        table.compare(
                "CPU us per request, 2 KB, " + way + ", of a caller who is no administrator",
                List.of(ann, administrator),
                contestant -> ProxyReport.cpu(
                        contestant, () -> loading.answers(contestant.equals(ann) ? arena.loadOfAnn() : arena.load())),
                1.10);
    }

    /** What a line of the audit log costs a request, at the level that records who did what. */
    void writeAudited() throws Exception {
        arena.addAudited();
        Contestant http1 = arena.get("audited h1");
        Contestant http2 = arena.get("audited h2");
        table.timed().measure("warm-up with an audit log", () -> {
            length.warmUp(() -> ProxyReport.cpu(http1, () -> h1(arena.load(), http1, length.warmUpSeconds())));
            length.warmUp(() -> ProxyReport.cpu(http2, () -> h2(arena.load(), http2, length.warmUpSeconds())));
        });
        table.compare(
                "CPU us per request, 2 KB, h1 to h1, with audit level Metadata",
                List.of(http1, arena.get("fairlead h1")),
                contestant -> ProxyReport.cpu(contestant, () -> h1(arena.load(), contestant, length.seconds())),
                1.10);
        table.compare(
                "CPU us per request, 2 KB, h2 to h2, with audit level Metadata",
                List.of(http2, arena.get("fairlead h2")),
                contestant -> ProxyReport.cpu(contestant, () -> h2(arena.load(), contestant, length.seconds())),
                1.10);
    }

    private static long h1(Load load, Contestant contestant, int seconds) throws IOException, InterruptedException {
        return load.h1(ProxyReport.body(contestant, 0), ProxyReport.H1_CONNECTIONS, seconds);
    }

    private static long h2(Load load, Contestant contestant, int seconds) throws IOException, InterruptedException {
        return load.h2(ProxyReport.body(contestant, 0), ProxyReport.H2_CONNECTIONS, ProxyReport.H2_STREAMS, seconds);
    }

    private void allocated(String way, Contestant fairlead, Profile.Requests requests) throws Exception {
        String quantity = "bytes allocated per request, 2 KB, " + way;
        table.timed().measure(quantity, () -> {
            double bytes = Allocation.bytesPerRequest(arena, fairlead, length.seconds(), requests);
            table.keep(quantity, "Fairlead", List.of(bytes));
            table.row(quantity, "", Report.figure(bytes), "", "", "", "");
        });
    }

    /** Makes a load as one caller or another. */
    @FunctionalInterface
    private interface Loading {
        long answers(Load load) throws IOException, InterruptedException;
    }
}
