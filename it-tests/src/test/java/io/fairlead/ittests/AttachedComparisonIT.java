package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.KubectlSession.Outcome;
import io.fairlead.ittests.KubectlSession.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * kubectl says the same of an attached cluster through Fairlead as it says of it directly: by path in every step, by host
 * and by header in the steps in which one form could differ from another.
 */
final class AttachedComparisonIT {
    private static final String STRANGER_TOKEN = "token-of-a-stranger";
    private static final String MANAGER_TOKEN = "token-of-a-manager";
    private static final Path FOLDER = Checkout.scratch("AttachedComparisonIT");
    private static final List<Step> STEPS = ComparisonSteps.all();
    private static final List<Step> BRIEF = ComparisonSteps.brief();

    private static Map<String, Outcome> direct = Map.of();
    private static Map<String, Outcome> byPath = Map.of();
    private static Map<String, Outcome> briefDirect = Map.of();
    private static Map<String, Outcome> byHost = Map.of();
    private static Map<String, Outcome> byHeader = Map.of();

    @BeforeAll
    static void performEveryWay() throws Exception {
        var stranger = new KubeCluster.User(STRANGER_TOKEN, "stranger", "uid-of-a-stranger", "strangers");
        var manager = new KubeCluster.User(MANAGER_TOKEN, "manager", "uid-of-a-manager", "system:masters");
        try (var attached = new AttachedCluster(FOLDER, stranger, manager).with("--base-domain", "fleet.test")) {
            attached.start();
            KubeCluster cluster = attached.kube();
            cluster.startControllerManager();
            FairleadProcess fairlead = attached.fairlead();
            Path strangersPath = FairleadUsers.admit(fairlead, "stranger", STRANGER_TOKEN, "prod");
            Path strangersDirect = cluster.kubeconfig("stranger", STRANGER_TOKEN);

            direct = perform("direct", cluster.kubeconfig(), strangersDirect, STEPS);
            byPath = perform("path", fairlead.kubeconfigOf("prod"), strangersPath, STEPS);
            briefDirect = perform("direct-brief", cluster.kubeconfig("manager", MANAGER_TOKEN), strangersDirect, BRIEF);
            performByHost(fairlead);
            performByHeader(fairlead);
        }
    }

    private static void performByHost(FairleadProcess fairlead) throws IOException {
        try (HostsProxy proxy = HostsProxy.start()) {
            Path manager = FairleadUsers.kubeconfig(fairlead, "manager", MANAGER_TOKEN, "prod", "host");
            Path stranger = FairleadUsers.kubeconfig(fairlead, "stranger", STRANGER_TOKEN, "prod", "host");
            for (Path kubeconfig : List.of(manager, stranger)) {
                new Kubectl(FOLDER.resolve("host"), kubeconfig)
                        .succeed("config", "set", "clusters.prod.proxy-url", proxy.url());
            }
            byHost = perform("host", manager, stranger, BRIEF);
            assertThat(proxy.asked()).isNotEmpty().allMatch(target -> target.startsWith("prod.fleet.test:"));
        }
    }

    /** kubectl sends no credential over plain HTTP: the forwarders do, one for each user. */
    private static void performByHeader(FairleadProcess fairlead) throws IOException {
        try (HeaderForwarder manager = forwarder(fairlead, MANAGER_TOKEN);
                HeaderForwarder stranger = forwarder(fairlead, STRANGER_TOKEN)) {
            byHeader = perform("header", plain(manager, "manager"), plain(stranger, "stranger"), BRIEF);
        }
    }

    private static HeaderForwarder forwarder(FairleadProcess fairlead, String token) {
        return HeaderForwarder.start(
                fairlead.endpoint(), Map.of("X-Kubernetes-Cluster", "prod", "Authorization", "Bearer " + token));
    }

    private static Path plain(HeaderForwarder forwarder, String user) throws IOException {
        return Files.writeString(FOLDER.resolve(user + "-header.kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: prod, cluster: {server: "%s"}}]
            contexts: [{name: prod, context: {cluster: prod}}]
            current-context: prod
            """.formatted(forwarder.url()));
    }

    private static Map<String, Outcome> perform(String way, Path admin, Path stranger, List<Step> steps)
            throws IOException {
        return new KubectlSession(Files.createDirectories(FOLDER.resolve(way)))
                .with(ComparisonSteps.ADMIN, admin)
                .with(ComparisonSteps.STRANGER, stranger)
                .perform(steps);
    }

    @AfterAll
    static void forget() {
        direct = Map.of();
        byPath = Map.of();
        briefDirect = Map.of();
        byHost = Map.of();
        byHeader = Map.of();
    }

    @TestFactory
    Stream<DynamicTest> byPath_everyCommandSaysTheSame() {
        return same(STEPS, direct, byPath);
    }

    @TestFactory
    Stream<DynamicTest> byHost_commandsSayTheSame() {
        return same(BRIEF, briefDirect, byHost);
    }

    @TestFactory
    Stream<DynamicTest> byHeader_commandsSayTheSame() {
        return same(BRIEF, briefDirect, byHeader);
    }

    private static Stream<DynamicTest> same(
            List<Step> steps, Map<String, Outcome> expected, Map<String, Outcome> actual) {
        return steps.stream()
                .map(step -> DynamicTest.dynamicTest(
                        step.name(),
                        () -> assertSame(
                                step.name(),
                                Objects.requireNonNull(expected.get(step.name())),
                                Objects.requireNonNull(actual.get(step.name())))));
    }

    private static void assertSame(String step, Outcome expected, Outcome actual) {
        assertThat(actual.output()).as("standard output of %s", step).isEqualTo(expected.output());
        assertThat(actual.errors()).as("standard error of %s", step).isEqualTo(expected.errors());
        assertThat(actual.exitCode()).as("exit code of %s", step).isEqualTo(expected.exitCode());
    }
}
