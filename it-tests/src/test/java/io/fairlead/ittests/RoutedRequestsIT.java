package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.AuditLog.Handled;
import io.fairlead.ittests.GoModule.Program;
import io.fairlead.ittests.MixedRequests.Expected;
import io.fairlead.ittests.MixedRequests.Sent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two kube-apiservers over one etcd, the second of which is named for what CRDs serve, while CRDs of one group/version come and
 * go. Both servers note each request that reaches them.
 */
final class RoutedRequestsIT {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long SEED = 20_261_122;
    private static final Path FOLDER = Checkout.scratch("RoutedRequestsIT");
    private static final String ROUTED = "fairlead_requests_routed_total";

    private static final BoundedType KEEL = new BoundedType("keels", "Keel", "kubectl.example.com", "depth");
    private static final String BUOYS = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: buoys.operator.example.com}
        spec:
          group: operator.example.com
          scope: Namespaced
          names: {plural: buoys, kind: Buoy}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}}
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, properties: {depth: {type: integer}}}
                  status: {type: object, properties: {moored: {type: integer}}}
        """;

    /** A definition that was not heard of for long would not be told of in answers. */
    private static final AttachedCluster ATTACHED =
            new AttachedCluster(FOLDER).audited().with("--types-max-staleness", "30m");

    private static String prod = "";

    @BeforeAll
    static void start() throws Exception {
        ATTACHED.startWithCrdRuntime();
        prod = ATTACHED.fairlead().endpoint() + "/clusters/prod";
        KubeCluster kube = ATTACHED.kube();
        try (var base = HttpProbe.withToken(kube.url(), KubeCluster.ADMIN_TOKEN);
                var second = HttpProbe.withToken(kube.secondUrl(), KubeCluster.ADMIN_TOKEN);
                var probe = HttpProbe.withToken(prod, AttachedCluster.ROOT_TOKEN)) {
            for (String plural : MixedRequests.STANDING) {
                String path = MixedRequests.path(plural);
                define(base, plural);
                Await.until(
                        plural + " are served by both",
                        SOON,
                        () -> base.get(path).status() == 200 && second.get(path).status() == 200);
                assertThat(base.send("POST", path, "application/json", MixedRequests.kept(plural))
                                .status())
                        .isEqualTo(201);
                Await.until(
                        "the index knows " + plural,
                        SOON,
                        () -> probe.get(path).headers().containsKey("fairlead-type-digest"));
            }
            String asked = MixedRequests.path(MixedRequests.STANDING.getFirst());
            Await.until("the second server is asked", SOON, () -> {
                var _ = probe.get(asked, Map.of("User-Agent", "first"));
                return kube.secondAudited().count(asked, "first") > 0;
            });
        }
    }

    @AfterAll
    static void stop() {
        ATTACHED.close();
    }

    @Test
    void kubectl_worksOnCustomResources_ofWhichTheBaseIsNeverAsked() {
        var kubectl = new Kubectl(FOLDER.resolve("kubectl"), ATTACHED.fairlead().kubeconfigOf("prod"));
        define(kubectl, KEEL.definition(10), "keels.kubectl.example.com");

        assertThat(resources(kubectl)).isEqualTo("keels.kubectl.example.com\n");
        Await.until(
                "OpenAPI has it",
                SOON,
                () -> kubectl.run("explain", "keel.spec.depth").output().contains("<integer>"));
        kubectl.succeedWith(keel(3), "apply", "-f", "-");
        try (OwnedProcess watch = kubectl.start(
                "watch", "get", "keels", "-n", "default", "--watch", "--output-watch-events", "--no-headers")) {
            awaitOutput(watch, "ADDED");
            kubectl.succeedWith(keel(4), "apply", "-f", "-");
            awaitOutput(watch, "MODIFIED");
            kubectl.succeedWith(keel(5), "apply", "--server-side", "--force-conflicts", "-f", "-");
            assertThat(kubectl.succeed("get", "keel", "long", "-n", "default", "-o", "jsonpath={.spec.depth}"))
                    .isEqualTo("5");
            assertThat(kubectl.apply(keel(11), "apply", "-f", "-").errors()).contains("less than or equal to 10");
            assertThat(kubectl.succeed("describe", "keel", "long", "-n", "default"))
                    .contains("Depth:");
            kubectl.succeed("delete", "keel", "long", "-n", "default", "--timeout=60s");
            awaitOutput(watch, "DELETED");
        }
        assertOfTheRuntimeAlone("/apis/kubectl.example.com/v1/namespaces/default/keels", "kubectl/");

        delete(kubectl, "keels.kubectl.example.com");
        Await.until("discovery has forgotten it", SOON, () -> resources(kubectl).isEmpty());
    }

    @Test
    void operatorOnControllerRuntime_reconcilesAsDirectly() throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve("operator"));
        Path program = new GoModule("operator", List.of(new Program("operator", ".", "-s -w")))
                .built()
                .resolve("operator");
        Path kubeconfig = ATTACHED.fairlead().kubeconfigOf("prod");
        var kubectl = new Kubectl(folder, kubeconfig);
        define(kubectl, BUOYS, "buoys.operator.example.com");

        try (OwnedProcess operator = OwnedProcess.start(
                "operator", folder, Map.of(), List.of(program.toString(), kubeconfig.toString(), "default"))) {
            kubectl.succeedWith(buoys(10), "apply", "-f", "-");
            awaitMoored(operator, kubectl, "0=0 1=1 2=2 3=3 4=4 5=5 6=6 7=7 8=8 9=9 ");
            kubectl.succeed("patch", "buoy", "b3", "-n", "default", "--type=merge", "-p", "{\"spec\":{\"depth\":42}}");
            kubectl.succeed("delete", "buoy", "b0", "b9", "-n", "default", "--timeout=60s");
            awaitMoored(operator, kubectl, "1=1 2=2 42=42 4=4 5=5 6=6 7=7 8=8 ");
            assertThat(kubectl.succeed(
                            "get", "configmap", "mooring-b3", "-n", "default", "-o", "jsonpath={.data.depth}"))
                    .isEqualTo("42");
            assertThat(kubectl.run("get", "configmap", "mooring-b0", "-n", "default")
                            .exitCode())
                    .isEqualTo(1);
            kubectl.succeed("delete", "buoys", "--all", "-n", "default", "--timeout=60s");

            assertOfTheRuntimeAlone("/apis/operator.example.com/v1/namespaces/default/buoys", "operator ");
            assertThat(ATTACHED.kube().secondAudited().count("/api/v1", "operator "))
                    .isZero();
            assertThat(operator.terminate(SOON)).as(operator.tail()).isZero();
        }
        delete(kubectl, "buoys.operator.example.com");
    }

    /**
     * Deletes a definition. Of two kube-apiservers with one etcd, each of which removes the finalizer of definitions, one may fail
     * (its storage is initialised again), try again while the other changes the definition, and leave it: both wait for another change.
     */
    private static void delete(Kubectl kubectl, String definition) {
        kubectl.succeed("delete", "crd", definition, "--wait=false");
        Await.until(
                definition + " is gone",
                SOON,
                () -> kubectl.run("annotate", "crd", definition, "--overwrite", "looked-at=" + System.nanoTime())
                        .errors()
                        .contains("(NotFound)"));
    }

    @Test
    void oneThousandRequests_reachTheServerThatTheIndexNamed_andNoneFailsByTheWay() throws Exception {
        requestsReachTheServerThatTheIndexNamed("some", 1_000, 25);
    }

    @Test
    @Tag("endurance")
    void twentyThousandRequests_reachTheServerThatTheIndexNamed_andNoneFailsByTheWay() throws Exception {
        requestsReachTheServerThatTheIndexNamed("many", 20_000, 100);
    }

    private static void requestsReachTheServerThatTheIndexNamed(String program, int count, int pace) throws Exception {
        try (var base = HttpProbe.withToken(ATTACHED.kube().url(), KubeCluster.ADMIN_TOKEN);
                var overHttp1 = HttpProbe.withToken(prod, AttachedCluster.ROOT_TOKEN);
                var overHttp2 = HttpProbe.overHttp2(prod, AttachedCluster.ROOT_TOKEN)) {
            var requests = new MixedRequests(program, overHttp1, overHttp2, SEED);
            Exposition before = scrape();
            var passing = new PassingDefinitions(base, MixedRequests.PASSING, requests::count, pace);
            try (passing) {
                requests.run(count);
            }
            Exposition after = scrape();

            List<Sent> sent = requests.sent();
            assertThat(sent).hasSizeGreaterThanOrEqualTo(count);
            Map<Integer, Handled> atBase = answered(ATTACHED.kube().audited(), program);
            Map<Integer, Handled> atRuntime = answered(ATTACHED.kube().secondAudited(), program);
            var faults = new ArrayList<String>();
            for (Sent each : sent) {
                judge(
                        each,
                        atBase.getOrDefault(each.number(), Handled.NEVER),
                        atRuntime.getOrDefault(each.number(), Handled.NEVER),
                        faults);
            }
            assertThat(faults).as("seed %d, %d requests", SEED, sent.size()).isEmpty();

            assertThat(difference(before, after, "crd-runtime")).isEqualTo(atRuntime.size());
            assertThat(difference(before, after, "base-handler")).isEqualTo(atBase.size());
            assertThat(difference(before, after, "aggregated")).isZero();
            assertThat(difference(before, after, "rejected")).isZero();
            assertNotVacuous(sent, atRuntime, passing);
        }
    }

    private static void judge(Sent sent, Handled atBase, Handled atRuntime, List<String> faults) {
        int received = atBase.received() + atRuntime.received();
        boolean isAtRuntime = atRuntime.received() > 0;
        int said = isAtRuntime ? atRuntime.status() : atBase.status();
        if (received != 1) {
            faults.add("reached servers " + received + " times: " + sent);
        } else if (isAtRuntime && !sent.isDigested()) {
            faults.add("the index knew no CRD of it: " + sent);
        } else if (sent.expected() != Expected.EITHER && isAtRuntime != (sent.expected() == Expected.CRD_RUNTIME)) {
            faults.add("reached the other server: " + sent);
        } else if (sent.status() != said) {
            faults.add("the server answered " + said + ": " + sent);
        } else if (sent.wanted() != 0 && sent.status() != sent.wanted()) {
            faults.add("failed, although nothing that it needs had changed: " + sent);
        }
    }

    /** Both ways were taken by requests for what came and went. */
    private static void assertNotVacuous(List<Sent> sent, Map<Integer, Handled> atRuntime, PassingDefinitions passing) {
        List<Sent> inFlux =
                sent.stream().filter(each -> each.expected() == Expected.EITHER).toList();
        assertThat(inFlux).anyMatch(each -> atRuntime.containsKey(each.number()));
        assertThat(inFlux).anyMatch(each -> !atRuntime.containsKey(each.number()));
        assertThat(inFlux).anyMatch(each -> each.status() == 201);
        assertThat(passing.created()).isGreaterThanOrEqualTo(4);
        assertThat(passing.deleted()).isGreaterThanOrEqualTo(2);
    }

    /** What a server noted, once it has noted an answer to each request that it received. */
    private static Map<Integer, Handled> answered(AuditLog log, String program) {
        var handled = new ArrayList<Map<Integer, Handled>>();
        Await.until("a server has noted what it answered", SOON, () -> {
            handled.add(log.handled(program));
            return handled.getLast().values().stream().allMatch(each -> each.answered() >= each.received());
        });
        return handled.getLast();
    }

    private static double difference(Exposition before, Exposition after, String route) {
        return after.sum(ROUTED, "cluster=prod", "route=" + route)
                - before.sum(ROUTED, "cluster=prod", "route=" + route);
    }

    private static Exposition scrape() throws IOException, InterruptedException {
        try (var probe = HttpProbe.withToken(ATTACHED.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
            return new Exposition(probe.get("/metrics").body());
        }
    }

    /** Defines a type, and waits until both servers serve it: the second hears of it by a watch of its own. */
    private static void define(Kubectl kubectl, String definition, String crd) {
        kubectl.succeedWith(definition, "apply", "-f", "-");
        kubectl.succeed("wait", "--for=condition=Established", "crd/" + crd, "--timeout=60s");
        Await.until(
                "it is served through Fairlead",
                SOON,
                () -> kubectl.run("get", crd, "-n", "default").exitCode() == 0);
    }

    /** As discovery has them now: other commands of kubectl rely on what it once said. */
    private static String resources(Kubectl kubectl) {
        return kubectl.succeed("api-resources", "--api-group=kubectl.example.com", "-o", "name");
    }

    private static void awaitMoored(OwnedProcess operator, Kubectl kubectl, String expected) {
        Await.until(expected + " are moored", SOON, () -> {
            assertThat(operator.isAlive()).as(operator.tail()).isTrue();
            return kubectl.succeed(
                            "get",
                            "buoys",
                            "-n",
                            "default",
                            "-o",
                            "jsonpath={range .items[*]}{.spec.depth}={.status.moored} {end}")
                    .equals(expected);
        });
    }

    private static void awaitOutput(OwnedProcess process, String word) {
        Await.until(word + " is told", SOON, () -> process.output().contains(word));
    }

    private static void assertOfTheRuntimeAlone(String path, String program) {
        assertThat(ATTACHED.kube().secondAudited().count(path, program)).isPositive();
        assertThat(ATTACHED.kube().audited().count(path, program)).isZero();
    }

    private static String keel(int depth) {
        return "{apiVersion: kubectl.example.com/v1, kind: Keel, metadata: {name: long, namespace: default}, spec:"
                + " {depth: " + depth + "}}";
    }

    private static String buoys(int count) {
        return IntStream.range(0, count)
                .mapToObj(number ->
                        ("{apiVersion: operator.example.com/v1, kind: Buoy, metadata: {name: b%1$d, namespace:"
                                        + " default}, spec: {depth: %1$d}}")
                                .formatted(number))
                .collect(Collectors.joining("\n---\n"));
    }

    private static void define(HttpProbe apiserver, String plural) throws IOException, InterruptedException {
        assertThat(apiserver
                        .send(
                                "POST",
                                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                                "application/json",
                                MixedRequests.definition(plural))
                        .status())
                .isEqualTo(201);
    }
}
