package io.fairlead.benchmarks.hosted;

import io.fairlead.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** How soon a hosted cluster is there and gone, and how much heap it takes. */
public final class HostedReport {
    /**
     * How much to measure.
     *
     * @param warmUp clusters that are made and removed before
     * @param idle clusters over which the heap is shared out
     * @param oneByOne clusters that are made and removed one after another
     * @param atOnce clusters that are made by several callers at once
     * @param rest before the heap is looked at: what is made for watchers of a change is kept for ten seconds
     */
    public record Length(int warmUp, int idle, int oneByOne, int atOnce, Duration rest) {
        /** As reports are made; about two minutes. */
        public static final Length FULL = new Length(200, 200, 300, 1_000, Duration.ofSeconds(15));

        /** To see that everything still runs. */
        static final Length SMOKE = new Length(1, 2, 2, 4, Duration.ZERO);
    }

    private static final int CALLERS = 8;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_KIB = 1_024;
    private static final String CLUSTERS = "/clusters/root/apis/fairlead.io/v1alpha1/clusters";
    private static final String CLUSTER = """
        {"apiVersion": "fairlead.io/v1alpha1", "kind": "Cluster", "metadata": {"name": "NAME"},
         "spec": {"hosted": {"builtIns": "Core", "deletionPolicy": "Delete"}}}\
        """;
    private static final String CRD = """
        {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
         "metadata": {"name": "boats.example.com"},
         "spec": {"group": "example.com", "scope": "Namespaced",
          "names": {"plural": "boats", "singular": "boat", "kind": "Boat", "listKind": "BoatList"},
          "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema":
           {"type": "object", "properties": {"spec": {"type": "object", "properties":
            {"length": {"type": "integer"}}}}}}}]}}\
        """;
    private static final String OBJECT = """
        {"apiVersion": "example.com/v1", "kind": "Boat", "metadata": {"name": "ketch"}, "spec": {"length": 40}}\
        """;

    private final Report report;
    private final Length length;
    private final Path launcher;
    private final List<String> raw = new ArrayList<>(List.of("quantity,number,value"));

    public HostedReport(Report report, Length length, Path launcher) {
        this.report = report;
        this.length = length;
        this.launcher = launcher;
    }

    public void write() throws Exception {
        heading();
        try (Gateway gateway = new Gateway(launcher)) {
            for (int i = 0; i < length.warmUp(); i++) {
                create(gateway, "warm-up-" + i);
                delete(gateway, "warm-up-" + i);
            }
            heap(gateway);
            oneByOne(gateway);
            atOnce(gateway);
        }
        Files.write(report.beside("-hosted.csv"), raw);
    }

    private void heading() {
        report.line("");
        report.line("## Hosted clusters");
        report.line("");
        report.line("A gateway with every default on and the embedded store, which makes each change durable before it"
                + " answers. A cluster is there when its administrator's first request in it is answered, and gone when"
                + " its registration is, which goes after its data. Callers and gateway share the processors.");
        report.line("");
        report.line("| quantity | Fairlead | must | met |");
        report.line("| --- | ---: | ---: | --- |");
    }

    /** Each with its namespaces, the default ServiceAccount, a CRD and an object of it. */
    private void heap(Gateway gateway) throws IOException, InterruptedException {
        long before = heapAtRest(gateway);
        for (int i = 0; i < length.idle(); i++) {
            String cluster = "idle-" + i;
            create(gateway, cluster);
            String inside = "/clusters/" + cluster;
            gateway.sendUntil(200, "GET", inside + "/api/v1/namespaces/default/serviceaccounts/default", "");
            gateway.sendUntil(201, "POST", inside + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", CRD);
            gateway.sendUntil(201, "POST", inside + "/apis/example.com/v1/namespaces/default/boats", OBJECT);
        }
        double kib = (heapAtRest(gateway) - before) / BYTES_PER_KIB / length.idle();
        row("KiB of heap per idle cluster with namespaces, ServiceAccount, CRD and object", kib, 80);
    }

    private long heapAtRest(Gateway gateway) throws IOException, InterruptedException {
        LockSupport.parkNanos(length.rest().toNanos());
        return gateway.heapBytes();
    }

    private void oneByOne(Gateway gateway) throws IOException, InterruptedException {
        List<Double> created = new ArrayList<>();
        List<Double> deleted = new ArrayList<>();
        for (int i = 0; i < length.oneByOne(); i++) {
            created.add(create(gateway, "single-" + i));
        }
        for (int i = 0; i < length.oneByOne(); i++) {
            deleted.add(delete(gateway, "single-" + i));
        }
        keep("ms from creation to the first answer", created);
        keep("ms from deletion to gone", deleted);
        row("ms from creation to the first answer, p50", quantile(created, 0.50), 0);
        row("ms from creation to the first answer, p99", quantile(created, 0.99), 100);
        row("ms from deletion to gone, p50", quantile(deleted, 0.50), 0);
        row("ms from deletion to gone, p99", quantile(deleted, 0.99), 0);
    }

    private void atOnce(Gateway gateway) throws Exception {
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<Callable<Double>> creations = IntStream.range(0, length.atOnce())
                    .<Callable<Double>>mapToObj(i -> () -> create(gateway, "many-" + i))
                    .toList();
            long begin = System.nanoTime();
            for (Future<Double> creation : callers.invokeAll(creations)) {
                creation.get();
            }
            double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
            row("s for " + length.atOnce() + " clusters by " + CALLERS + " callers at once", seconds, 10);
        }
    }

    /** Milliseconds until the cluster answers. */
    private static double create(Gateway gateway, String cluster) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        gateway.sendUntil(201, "POST", CLUSTERS, CLUSTER.replace("NAME", cluster));
        gateway.sendUntil(200, "GET", "/clusters/" + cluster + "/api/v1/namespaces", "");
        return (System.nanoTime() - begin) / NANOS_PER_MILLI;
    }

    /** Milliseconds until the cluster is gone. */
    private static double delete(Gateway gateway, String cluster) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        gateway.send("DELETE", CLUSTERS + "/" + cluster, "");
        gateway.sendUntil(404, "GET", CLUSTERS + "/" + cluster, "");
        return (System.nanoTime() - begin) / NANOS_PER_MILLI;
    }

    private void row(String quantity, double value, double must) {
        report.line("| " + quantity + " | " + Report.figure(value) + " | "
                + (must == 0 ? " | |" : Report.figure(must) + " | " + report.judge(quantity, value, must) + " |"));
    }

    private void keep(String quantity, List<Double> values) {
        for (int i = 0; i < values.size(); i++) {
            raw.add(String.format(Locale.ROOT, "\"%s\",%d,%.3f", quantity, i + 1, values.get(i)));
        }
    }

    private static double quantile(List<Double> values, double part) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get((int) ((sorted.size() - 1) * part));
    }
}
