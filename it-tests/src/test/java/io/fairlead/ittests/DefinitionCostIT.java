package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What many definitions cost a hosted cluster, beside a kube-apiserver that is given the same, and what they cost its neighbour. */
@Isolated("it measures time")
final class DefinitionCostIT {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String ROLE = "/clusters/quiet/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/r";
    private static final Pattern ESTABLISHED =
            Pattern.compile("\"type\":\\s*\"Established\",\\s*\"status\":\\s*\"True\"|\"status\":\\s*\"True\",[^{}]*"
                    + "\"type\":\\s*\"Established\"");
    private static final int DEFINITION_BYTES = 9_500;
    private static final int WRITERS = 4;
    private static final Duration ESTABLISHED_WITHIN = Duration.ofMinutes(5);

    /** Rounds of one definition cost the clock more than the work: what differs by less is no difference. */
    private static final Duration GRAIN = Duration.ofSeconds(2);

    /** What the 99th percentile of a few hundred writes differs by on a machine with two processors and nothing to do. */
    private static final Duration JITTER = Duration.ofMillis(50);

    private static final Path FOLDER = Checkout.scratch("DefinitionCostIT");
    private static final FairleadProcess FAIRLEAD = FairleadProcess.notStarted(
            FOLDER,
            "--token-auth-file",
            FairleadUsers.tokenFile(FOLDER, List.of(TwinClusters.ADMIN)).toString());

    @BeforeAll
    static void start() {
        FAIRLEAD.startBy(
                List.of("env", "-u", "FAIRLEAD_JAVA_OPTS", Checkout.launcher().toString())); // as shipped
        for (String cluster : List.of("busy", "quiet")) {
            assertThat(FAIRLEAD.command("cluster", "create", cluster).exitCode())
                    .isZero();
        }
    }

    @AfterAll
    static void stop() {
        FAIRLEAD.close();
    }

    @Test
    void someDefinitions_areEstablishedAsSoonAsInKubeApiserver() throws Exception {
        compare("some", 50);
    }

    @Test
    @Tag("endurance")
    void fiveHundredDefinitions_areEstablishedAsSoonAsInKubeApiserver_andTheNeighbourIsHardlySlowed() throws Exception {
        compare("five", 500);
    }

    private static void compare(String group, int definitions) throws Exception {
        try (var kube = KubeCluster.start(Checkout.scratch("DefinitionCostIT/kube-" + group));
                var direct = HttpProbe.withToken(kube.url(), KubeCluster.ADMIN_TOKEN);
                var busy = HttpProbe.withToken(FAIRLEAD.endpoint() + "/clusters/busy", TwinClusters.ADMIN.token());
                var neighbour = new Neighbour()) {
            Duration alone = neighbour.p99While(() -> writeConfigMaps(busy, definitions));
            var ours = new Duration[1];
            Duration beside = neighbour.p99While(() -> ours[0] = establish(busy, group, definitions));
            Duration theirs = establish(direct, group, definitions);
            Files.writeString(
                    FOLDER.resolve("costs.txt"),
                    "%s definitions of %s bytes: hosted %s, kube-apiserver %s; the neighbour's p99 %s, beside as many"
                                    .formatted(definitions, DEFINITION_BYTES, ours[0], theirs, beside)
                            + " ConfigMaps of the same size " + alone + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
            assertThat(ours[0]).as("kube-apiserver took %s", theirs).isLessThan(theirs.plus(GRAIN));
            assertThat(beside)
                    .as("the neighbour's p99, %s before", alone)
                    .isLessThan(alone.multipliedBy(2).plus(JITTER));
        }
    }

    /** As much to write and to send as the definitions are, and nothing to be made of it. */
    private static Duration writeConfigMaps(HttpProbe probe, int count) throws Exception {
        String text = "x".repeat(DEFINITION_BYTES - 120);
        return byWriters(
                count,
                i -> create(
                        probe,
                        "/api/v1/namespaces/default/configmaps",
                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"generateName\":\"load-\"},\"data\":{\"text\":\""
                                + text + "\"}}"));
    }

    private static Duration establish(HttpProbe probe, String group, int count) throws Exception {
        long begin = System.nanoTime();
        Duration _ = byWriters(count, i -> create(probe, DEFINITIONS, definition(group, i)));
        Await.until(
                count + " definitions are established",
                ESTABLISHED_WITHIN,
                () -> ESTABLISHED
                                .matcher(probe.get(DEFINITIONS).body())
                                .results()
                                .count()
                        >= count);
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private interface Step {
        void of(int i) throws Exception;
    }

    private static Duration byWriters(int count, Step step) throws Exception {
        long begin = System.nanoTime();
        var next = new AtomicInteger();
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            var all = new ArrayList<Callable<Void>>();
            for (int writer = 0; writer < WRITERS; writer++) {
                all.add(() -> {
                    for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                        step.of(i);
                    }
                    return null;
                });
            }
            for (Future<Void> written : writers.invokeAll(all)) {
                written.get();
            }
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static void create(HttpProbe probe, String path, String body) throws Exception {
        Answer answer = probe.send("POST", path, "application/json", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    }

    /** A definition of {@link #DEFINITION_BYTES}, as an operator's are: many fields, each with a description. */
    private static String definition(String group, int i) {
        String head = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",\
            "metadata":{"name":"t%1$ss.%2$s.example.com"},"spec":{"group":"%2$s.example.com","scope":"Namespaced",\
            "names":{"plural":"t%1$ss","singular":"t%1$s","kind":"T%1$s","listKind":"T%1$sList"},\
            "versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},\
            "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{\
            """.formatted(i, group);
        var definition = new StringBuilder(head);
        for (int field = 0; definition.length() < DEFINITION_BYTES - 200; field++) {
            definition.append("""
                "field%1$s":{"type":"object","description":"What the controller shall do with part %1$s of the thing.",\
                "properties":{"size":{"type":"integer","minimum":0,"maximum":%1$s00},"name":{"type":"string",\
                "pattern":"^[a-z]{1,%1$s}$","maxLength":63}}},\
                """.formatted(field + 1));
        }
        definition.setLength(definition.length() - 1);
        return definition.append("}}}}}}]}}").toString();
    }

    /** Writes a Role of the other cluster again and again, and knows how long it took. */
    private static final class Neighbour implements AutoCloseable {
        private static final int WARM = 200;

        private final HttpProbe probe = HttpProbe.withToken(FAIRLEAD.endpoint(), TwinClusters.ADMIN.token());
        private int writes;

        Neighbour() throws Exception {
            for (int i = 0; i < WARM; i++) {
                write();
            }
        }

        /** The 99th percentile of its writes while something else is done. */
        Duration p99While(Callable<Duration> other) throws Exception {
            var took = new ArrayList<Long>();
            try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
                Future<Duration> done = thread.submit(other);
                while (!done.isDone()) {
                    long begin = System.nanoTime();
                    write();
                    took.add(System.nanoTime() - begin);
                }
                done.get();
            }
            took.sort(null);
            return Duration.ofNanos(took.get(took.size() * 99 / 100));
        }

        private void write() {
            String role = """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"r","namespace":"default"},\
                "rules":[{"apiGroups":[""],"resources":["configmaps"],"resourceNames":["c%s"],"verbs":["get"]}]}\
                """.formatted(writes++);
            try {
                Answer answer = writes == 1
                        ? probe.send("POST", ROLE.substring(0, ROLE.lastIndexOf('/')), "application/json", role)
                        : probe.send("PUT", ROLE, "application/json", role);
                assertThat(answer.status()).as(answer.body()).isBetween(200, 201);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            probe.close();
        }
    }
}
