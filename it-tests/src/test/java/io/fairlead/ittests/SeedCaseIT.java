package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two CRDs serve one group/version: the end of one must not be felt by those who use the other. */
final class SeedCaseIT {
    private static final int GETS = 1000;
    private static final int AT_ONCE = 64;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Path FOLDER = Checkout.scratch("SeedCaseIT");
    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);

    @BeforeAll
    static void start() {
        ATTACHED.start();
        Output created = ATTACHED.fairlead().command("cluster", "create", "dev");
        assertThat(created.exitCode()).as("%s", created).isZero();
    }

    @AfterAll
    static void stop() {
        ATTACHED.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prod", "dev"})
    void oneOfTwoCrds_goesWithoutDisturbingTheOther(String cluster) throws Exception {
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
                            && probe.get(path("bars")).status() == 200);

            List<Answer> answers = getsDuring(probe, () -> probe.delete(crdPath("foos")));

            assertThat(answers)
                    .hasSize(GETS)
                    .allSatisfy(answer ->
                            assertThat(answer.status()).as(answer.body()).isEqualTo(200));
            Await.until("foos are gone", SOON, () -> probe.get(path("foos")).status() == 404);
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

    /** Sends the GETs, some at once, with a call in their midst. */
    private static List<Answer> getsDuring(HttpProbe probe, Callable<Answer> call) throws Exception {
        var room = new Semaphore(AT_ONCE);
        var running = new ArrayList<Future<Answer>>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> called = null;
            for (int i = 0; i < GETS; i++) {
                if (i == GETS / 4) {
                    called = threads.submit(call);
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
            assertThat(called).isNotNull();
            assertThat(called.get().status()).isEqualTo(200);
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
        return "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + plural + ".example.com";
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
