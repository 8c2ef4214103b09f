package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A real cluster that is Available only once three APIServices are, as its real aggregation layer says. */
final class AvailabilityGateIT {
    private static final Path FOLDER = Checkout.scratch("AvailabilityGateIT");
    private static final Duration SOON = Duration.ofSeconds(20);

    /** From a change in the cluster to the condition, on a machine that does something else as well. */
    private static final Duration NOTICED = Duration.ofSeconds(5);

    private static final String GATED = """
        apiVersion: fairlead.io/v1alpha1
        kind: Cluster
        metadata: {name: gated}
        spec:
          requiredAPIServices: [v1.one.example.com, v1.two.example.com, v1.three.example.com]
          gateTimeout: TIMEOUT
          attached: {kubeconfigSecretRef: {name: gated}}
        """;

    private static final String SERVICES_SINCE =
            "jsonpath={.status.conditions[?(@.type==\"APIServicesAvailable\")].lastTransitionTime}";

    private static final String BOATS = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: boats.boats.example.com}
        spec:
          group: boats.example.com
          scope: Namespaced
          names: {plural: boats, singular: boat, kind: Boat}
          versions:
            - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
        """;

    private static KubeCluster kube;
    private static FairleadProcess fairlead;
    private static Kubectl root;
    private static Kubectl prod;

    @BeforeAll
    static void start() throws IOException {
        kube = KubeCluster.start(Files.createDirectories(FOLDER.resolve("kube")));
        fairlead = FairleadProcess.start(
                Files.createDirectories(FOLDER.resolve("fairlead")), "--upstream-allow-loopback=true");
        root = new Kubectl(FOLDER.resolve("root"), fairlead.adminKubeconfig());
        prod = new Kubectl(FOLDER.resolve("prod"), kube.kubeconfig());
        Path whole = Files.writeString(FOLDER.resolve("whole"), prod.succeed("config", "view", "--raw", "--flatten"));
        root.succeed(
                "create",
                "secret",
                "generic",
                "gated",
                "--namespace=fairlead-system",
                "--from-file=kubeconfig=" + whole);
    }

    @AfterAll
    static void stop() {
        fairlead.close();
        kube.close();
    }

    @BeforeEach
    void makeTwo() {
        served("one");
        served("two");
    }

    @AfterEach
    void remove() {
        root.succeed("delete", "cluster", "gated", "--ignore-not-found");
        prod.succeed("delete", "apiservices", "--selector=of=test", "--ignore-not-found");
    }

    /** The cluster through Fairlead, which has another port after each start. */
    private static Kubectl gated() {
        return new Kubectl(FOLDER.resolve("gated"), fairlead.kubeconfigOf("gated"));
    }

    /** One that the API server says to be available: it is served by itself, as far as the aggregation layer cares. */
    private static void served(String name) {
        apiService(name, "null");
    }

    /** One whose backend is not there. */
    private static void unserved(String name) {
        apiService(name, "{namespace: default, name: nowhere}");
    }

    private static void apiService(String name, String service) {
        prod.succeedWith(
                "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1." + name
                        + ".example.com, labels: {of: test}}, spec: {group: " + name
                        + ".example.com, version: v1, groupPriorityMinimum: 1000, versionPriority: 10, service: "
                        + service + (service.equals("null") ? "" : ", insecureSkipTLSVerify: true") + "}}",
                "apply",
                "-f",
                "-");
    }

    private static void register(String timeout) {
        root.succeedWith(GATED.replace("TIMEOUT", timeout), "create", "-f", "-");
        root.succeed("wait", "cluster/gated", "--for=condition=Ready", "--timeout=20s");
    }

    private static void requireUnavailable(String reason, String... names) throws IOException, InterruptedException {
        String of = "jsonpath={.status.conditions[?(@.type==\"Available\")]['status','reason','message']}";
        Await.until("Available is False for " + reason, SOON, () -> {
            String said = root.succeed("get", "cluster", "gated", "-o", of);
            return said.startsWith("False " + reason + " ")
                    && List.of(names).stream().allMatch(said::contains);
        });
        assertThat(root.run("wait", "cluster/gated", "--for=condition=Available", "--timeout=1s")
                        .errors())
                .contains("timed out");
        assertThat(gated().run("get", "--raw", "/readyz").errors()).contains("[-]required-apiservices failed");
        try (HttpProbe fairleadItself = new HttpProbe(fairlead.endpoint(), Map.of())) {
            assertThat(fairleadItself.get("/readyz").status()).isEqualTo(200);
        }
    }

    /** How long it took, from now on. */
    private static Duration awaitAvailable() {
        long began = System.nanoTime();
        root.succeed("wait", "cluster/gated", "--for=condition=Available", "--timeout=" + SOON.toSeconds() + "s");
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertThat(gated().succeed("get", "--raw", "/readyz")).isEqualTo("ok");
        return took;
    }

    private static void awaitServices(String status, String text) {
        String of = "jsonpath={.status.conditions[?(@.type==\"APIServicesAvailable\")]['status','message']}";
        Await.until("APIServicesAvailable is " + status + " for " + text, SOON, () -> {
            String said = root.succeed("get", "cluster", "gated", "-o", of);
            return said.startsWith(status + " ") && said.contains(text);
        });
    }

    /** Two of the three are there; the third is late, missing until after the timeout, or without a backend at first. */
    @ParameterizedTest
    @CsvSource({
        "absent,   5m, APIServicesNotAvailable, APIServiceNotFound, 1 of 3",
        "absent,   3s, GateTimedOut,            APIServiceNotFound, not within 3s",
        "unserved, 5m, APIServicesNotAvailable, ServiceNotFound,    1 of 3"
    })
    void oneThatIsNotAvailable_isNamed_andAwaited(String third, String timeout, String reason, String word, String text)
            throws Exception {
        if (third.equals("unserved")) {
            unserved("three");
        }
        register(timeout);
        requireUnavailable(reason, text, "v1.three.example.com: " + word);

        served("three");

        assertThat(awaitAvailable()).isLessThan(NOTICED);
    }

    @Test
    void oneThatFlaps_opensTheGateOnlyWhenAllAreThereAtOnce() throws Exception {
        register("5m");
        prod.succeed("delete", "apiservice", "v1.one.example.com");
        for (int flap = 0; flap < 3; flap++) {
            unserved("three");
            awaitServices("False", "v1.three.example.com: ServiceNotFound");
            served("three");
            awaitServices("False", "1 of 3 not available: APIService v1.one.example.com: APIServiceNotFound");
            requireUnavailable("APIServicesNotAvailable", "v1.one.example.com");
        }

        served("one");

        assertThat(awaitAvailable()).isLessThan(NOTICED);
    }

    @Test
    void clusterThatWasAvailable_staysSo_andSaysWhatIsNot_alsoAfterARestart() {
        served("three");
        register("5m");
        awaitAvailable();
        awaitServices("True", "3 of 3");

        unserved("two");
        awaitServices("False", "1 of 3 not available: APIService v1.two.example.com: ServiceNotFound");
        assertThat(awaitAvailable()).isLessThan(NOTICED);

        fairlead.kill();
        fairlead.start();
        awaitServices("False", "v1.two.example.com");
        root.succeed("wait", "cluster/gated", "--for=condition=Ready", "--timeout=20s");
        assertThat(awaitAvailable()).isLessThan(NOTICED);
        assertThat(root.succeed("get", "cluster", "gated", "-o", "jsonpath={.status.gate.passed}"))
                .isNotEmpty();

        served("two");
        awaitServices("True", "3 of 3");
    }

    /** It has no APIServices: that a group and version is served stands for one. */
    @Test
    void hostedCluster_requiresWhatItServes_andIsNeverSaidToLackItWhileThatIsNotKnown() throws Exception {
        root.succeedWith(
                "{apiVersion: fairlead.io/v1alpha1, kind: Cluster, metadata: {name: gated}, spec: {requiredAPIServices:"
                        + " [v1.rbac.authorization.k8s.io, v1.boats.example.com], hosted: {deletionPolicy: Delete}}}",
                "create",
                "-f",
                "-");
        requireUnavailable("APIServicesNotAvailable", "the cluster does not serve \"boats.example.com/v1\"");
        gated().succeedWith(BOATS, "create", "-f", "-");
        assertThat(awaitAvailable()).isLessThan(NOTICED);

        String since = root.succeed("get", "cluster", "gated", "-o", SERVICES_SINCE);
        fairlead.kill();
        fairlead.start();
        root.succeed("wait", "cluster/gated", "--for=condition=Ready", "--timeout=20s");
        assertThat(awaitAvailable()).isLessThan(NOTICED);
        assertThat(root.succeed("get", "cluster", "gated", "-o", SERVICES_SINCE))
                .isEqualTo(since);

        root.succeed("patch", "cluster", "gated", "--type=merge", "--patch={\"spec\": {\"paused\": true}}");
        awaitServices("Unknown", "Paused");
    }
}
