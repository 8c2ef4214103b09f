package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Many clusters with many large definitions, all the same, in a small heap. One real API server's pages stand for those of
 * all clusters: fifty of them would need more than this machine, and Fairlead would wait where it should be pressed.
 */
@Tag("endurance")
@Isolated("it measures a heap and time")
final class ManyTypesIT {
    private static final int CLUSTERS = 50;
    private static final int DEFINITIONS = 600;
    private static final int FIELDS = 250; // about 25 kB of JSON
    private static final int BATCH = 50;
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @Test
    void fiftyClustersWithSixHundredDefinitions_syncInAHeapOf512MiB() throws Exception {
        Path folder = Checkout.scratch("ManyTypesIT");
        int metricsPort = FreePorts.take(1).getFirst();
        List<String> launcher = List.of(
                "env", "FAIRLEAD_JAVA_OPTS=-Xmx512m", Checkout.launcher().toString());
        try (KubeCluster kube = KubeCluster.start(Checkout.scratch("ManyTypesIT-kube"))) {
            define(new Kubectl(folder.resolve("kubectl"), kube.kubeconfig()), folder);
            try (ListCopies copies = ListCopies.start(Files.createDirectories(folder.resolve("copies")), kube.url());
                    FairleadProcess fairlead =
                            FairleadProcess.startBy(launcher, folder, ManyClustersIT.flags(folder, metricsPort));
                    var metrics = new HttpProbe("http://127.0.0.1:" + metricsPort, Map.of());
                    var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN)) {
                long begun = System.nanoTime();
                ManyClustersIT.register(probe, copies.url(), copies.caFile(), CLUSTERS, 0);
                ManyClustersIT.awaitReady(probe, CLUSTERS, TIMEOUT);
                long readyAfter = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);

                Await.until(
                        "every definition is counted",
                        TIMEOUT,
                        () -> metrics.get("/metrics")
                                .body()
                                .contains("fairlead_types_holders " + (double) (CLUSTERS * DEFINITIONS)));
                assertThat(metrics.get("/metrics").body()).contains("fairlead_types_distinct " + (double) DEFINITIONS);
                Files.writeString(
                        folder.resolve("footprint.txt"),
                        "Ready after " + readyAfter + " s: " + Footprint.of(fairlead, metrics));
            }
        }
    }

    private static void define(Kubectl kubectl, Path folder) throws Exception {
        for (int first = 0; first < DEFINITIONS; first += BATCH) {
            StringBuilder batch = new StringBuilder();
            for (int i = first; i < first + BATCH; i++) {
                batch.append(definition(i)).append("\n---\n");
            }
            Path file = Files.writeString(folder.resolve("definitions.yaml"), batch);
            kubectl.succeed("create", "-f", file.toString());
        }
    }

    private static String definition(int number) {
        StringBuilder fields = new StringBuilder();
        for (int field = 0; field < FIELDS; field++) {
            fields.append(
                    "field%dOf%d: {type: string, maxLength: %d, description: What the field is for in few words.}, "
                            .formatted(field, number, field));
        }
        return """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: things%1$d.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: things%1$d, kind: Thing%1$d}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, properties: {%2$s}}}
            """.formatted(number, fields);
    }
}
