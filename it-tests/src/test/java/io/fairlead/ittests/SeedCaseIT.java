package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two CRDs serve one group/version: the end of one must not be felt by those who use the other; in a hosted cluster, in an attached
 * one, and in an attached one with a second API server for what CRDs serve.
 */
final class SeedCaseIT {
    private static final int GETS = 1000;
    private static final int GETS_MAX = 20_000;
    private static final int AT_ONCE = 64;
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Path FOLDER = Checkout.scratch("SeedCaseIT");
    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);

    private static @Nullable RecordingRelay second;

    @BeforeAll
    static void start() throws Exception {
        ATTACHED.start();
        Output created = ATTACHED.fairlead().command("cluster", "create", "hosted");
        assertThat(created.exitCode()).as("%s", created).isZero();
        ATTACHED.fairlead().attach("split", ATTACHED.relay().kubeconfig(), "--alias-of", "prod");
        second = RecordingRelay.start(
                Files.createDirectories(FOLDER.resolve("second")),
                ATTACHED.kube().startSecondApiserver());
        ATTACHED.nameCrdRuntime("split", second.url(), second.caFile());
    }

    @AfterAll
    static void stop() {
        if (second != null) {
            second.close();
            ATTACHED.kube().killSecondApiserver();
        }
        ATTACHED.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hosted", "prod"})
    void oneOfTwoCrds_comesAndGoesWithoutDisturbingTheOther(String cluster) throws Exception {
        comesAndGoes(cluster, () -> true);
    }

    @Test
    void oneOfTwoCrds_comesAndGoesWithoutDisturbingTheOther_atACrdRuntime() throws Exception {
        RecordingRelay base = ATTACHED.relay();
        RecordingRelay runtime = Objects.requireNonNull(second);
        String get = "GET " + path("bars") + " ";

        comesAndGoes("split", () -> {
            boolean isAsked =
                    runtime.received().contains(get) && !base.received().contains(get);
            base.forget();
            return isAsked;
        });

        assertThat(runtime.received()).contains(get);
        assertThat(base.received()).contains("DELETE " + crdPath("foos") + " ").doesNotContain(get);
    }

    /**
     * Goes through the case.
     *
     * @param isSettled whether requests go where they shall, asked after each of the first ones
     */
    private static void comesAndGoes(String cluster, Callable<Boolean> isSettled) throws Exception {
        var kubectl = new Kubectl(
                FOLDER.resolve("kubectl-" + cluster), ATTACHED.fairlead().kubeconfigOf(cluster));
        kubectl.succeedWith(crd("foos", "Foo") + "---\n" + crd("bars", "Bar"), "apply", "-f", "-");
        kubectl.succeed(
                "wait", "--for=condition=Established", "crd/foos.example.com", "crd/bars.example.com", "--timeout=30s");
        String url = ATTACHED.fairlead().endpoint() + "/clusters/" + cluster;
        try (var probe = HttpProbe.withToken(url, AttachedCluster.ROOT_TOKEN)) {
            Await.until(
                    "both are served",
                    SOON,
                    () -> probe.get(path("foos")).status() == 200
                            && probe.get(path("bars")).status() == 200
                            && isSettled.call());

            List<Answer> answers = getsDuring(probe, () -> {
                goes(probe);
                comes(probe);
                goes(probe);
                return null;
            });

            assertThat(answers)
                    .hasSizeGreaterThanOrEqualTo(GETS)
                    .allSatisfy(answer ->
                            assertThat(answer.status()).as(answer.body()).isEqualTo(200));
            assertThat(probe.get(path("bars")).status()).isEqualTo(200);
            Await.until(
                    "discovery names no foos",
                    SOON,
                    () -> !probe.get("/apis/example.com/v1").body().contains("\"foos\""));
            assertThat(probe.get("/apis/example.com/v1").body()).contains("\"bars\"");
            assertThat(served(cluster, "example.com/v1/bars")).isZero();

            assertThat(probe.delete(crdPath("bars")).status()).isEqualTo(200);
            Await.until(
                    "the version is gone",
                    SOON,
                    () -> probe.get("/apis/example.com/v1").status() == 404);
            Await.until(
                    "the group is gone",
                    SOON,
                    () -> probe.get("/apis/example.com").status() == 404);
            assertThat(probe.get("/apis").body()).doesNotContain("\"example.com\"");
            Await.until("the index has forgotten it", SOON, () -> served(cluster, "example.com/v1") == 1);
        }
    }

    private static void goes(HttpProbe probe) throws Exception {
        assertThat(probe.delete(crdPath("foos")).status()).isEqualTo(200);
        Await.until("foos are gone", SOON, () -> probe.get(path("foos")).status() == 404);
    }

    /** The same name with another uid. */
    private static void comes(HttpProbe probe) {
        Await.until(
                "foos are created again",
                SOON,
                () -> probe.send("POST", CRDS, "application/yaml", crd("foos", "Foo"))
                                .status()
                        == 201);
        Await.until("foos are served again", SOON, () -> probe.get(path("foos")).status() == 200);
    }

    /** Sends the GETs, some at once, and does something in their midst; goes on until it is done. */
    private static List<Answer> getsDuring(HttpProbe probe, Callable<@Nullable Void> change) throws Exception {
        var room = new Semaphore(AT_ONCE);
        var running = new ArrayList<Future<Answer>>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<@Nullable Void> changed = null;
            for (int i = 0; i < GETS || (changed != null && !changed.isDone() && i < GETS_MAX); i++) {
                if (i == GETS / 4) {
                    changed = threads.submit(change);
                }
                room.acquire();
                running.add(threads.submit(() -> {
                    try {
                        return probe.get(path("bars"));
                    } finally {
                        room.release();
                    }
                }));
            }
            assertThat(changed).isNotNull();
            changed.get();
            var answers = new ArrayList<Answer>();
            for (Future<Answer> each : running) {
                answers.add(each.get());
            }
            return answers;
        }
    }

    private static int served(String cluster, String what) {
        return ATTACHED.fairlead().command("served", "-c", cluster, what).exitCode();
    }

    private static String path(String plural) {
        return "/apis/example.com/v1/namespaces/default/" + plural;
    }

    private static String crdPath(String plural) {
        return CRDS + "/" + plural + ".example.com";
    }

    private static String crd(String plural, String kind) {
        return """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: %1$s.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: %1$s, kind: %2$s}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """.formatted(plural, kind);
    }
}
