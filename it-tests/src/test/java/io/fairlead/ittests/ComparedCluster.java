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
import org.junit.jupiter.api.DynamicTest;

/**
 * An attached cluster on which the same steps are performed directly and by every form of selection, by the same two users:
 * one who may do everything and one who may do nothing.
 */
final class ComparedCluster implements AutoCloseable {
    private static final String STRANGER_TOKEN = "token-of-a-stranger";
    private static final String MANAGER_TOKEN = "token-of-a-manager";

    private final Path folder;
    private final AttachedCluster attached;

    private ComparedCluster(Path folder) {
        this.folder = folder;
        this.attached = new AttachedCluster(
                        folder,
                        new KubeCluster.User(STRANGER_TOKEN, "stranger", "uid-of-a-stranger", "strangers"),
                        new KubeCluster.User(MANAGER_TOKEN, "manager", "uid-of-a-manager", "system:masters"))
                .with("--base-domain", "fleet.test");
    }

    static ComparedCluster start(Path folder) {
        var compared = new ComparedCluster(folder);
        compared.attached.start();
        compared.attached.kube().startControllerManager();
        FairleadUsers.admit(compared.fairlead(), "stranger", STRANGER_TOKEN, "prod");
        return compared;
    }

    Map<String, Outcome> directly(List<Step> steps) throws IOException {
        KubeCluster kube = attached.kube();
        return perform(
                "direct",
                kube.kubeconfig("manager", MANAGER_TOKEN),
                kube.kubeconfig("stranger", STRANGER_TOKEN),
                steps);
    }

    Map<String, Outcome> byPath(List<Step> steps) throws IOException {
        return perform("path", kubeconfig("manager", "path"), kubeconfig("stranger", "path"), steps);
    }

    Map<String, Outcome> byHost(List<Step> steps) throws IOException {
        try (HostsProxy proxy = HostsProxy.start()) {
            Path manager = kubeconfig("manager", "host");
            Path stranger = kubeconfig("stranger", "host");
            for (Path kubeconfig : List.of(manager, stranger)) {
                new Kubectl(folder.resolve("host"), kubeconfig)
                        .succeed("config", "set", "clusters.prod.proxy-url", proxy.url());
            }
            Map<String, Outcome> outcomes = perform("host", manager, stranger, steps);
            assertThat(proxy.asked()).isNotEmpty().allMatch(target -> target.startsWith("prod.fleet.test:"));
            return outcomes;
        }
    }

    /** kubectl sends no credential over plain HTTP: the forwarders do, one for each user. */
    Map<String, Outcome> byHeader(List<Step> steps) throws IOException {
        try (HeaderForwarder manager = forwarder(MANAGER_TOKEN);
                HeaderForwarder stranger = forwarder(STRANGER_TOKEN)) {
            return perform("header", plain(manager, "manager"), plain(stranger, "stranger"), steps);
        }
    }

    /** Whom the cluster takes its administrator for, known by a token there and by a certificate to Fairlead. */
    List<Output> administrator() {
        return Stream.of(attached.kube().kubeconfig(), fairlead().kubeconfigOf("prod"))
                .map(kubeconfig -> new Kubectl(folder.resolve("administrator"), kubeconfig)
                        .run("auth", "whoami", "-o", "jsonpath={.status}"))
                .toList();
    }

    @Override
    public void close() {
        attached.close();
    }

    /** One test for each step that was performed both ways. */
    static Stream<DynamicTest> same(Map<String, Outcome> expected, Map<String, Outcome> actual) {
        return actual.keySet().stream()
                .map(step -> DynamicTest.dynamicTest(
                        step,
                        () -> assertSame(
                                step,
                                Objects.requireNonNull(expected.get(step)),
                                Objects.requireNonNull(actual.get(step)))));
    }

    private static void assertSame(String step, Outcome expected, Outcome actual) {
        assertThat(actual.output()).as("standard output of %s", step).isEqualTo(expected.output());
        assertThat(actual.errors()).as("standard error of %s", step).isEqualTo(expected.errors());
        assertThat(actual.exitCode()).as("exit code of %s", step).isEqualTo(expected.exitCode());
    }

    private FairleadProcess fairlead() {
        return attached.fairlead();
    }

    private Path kubeconfig(String user, String form) {
        String token = user.equals("manager") ? MANAGER_TOKEN : STRANGER_TOKEN;
        return FairleadUsers.kubeconfig(fairlead(), user, token, "prod", form);
    }

    private HeaderForwarder forwarder(String token) {
        return HeaderForwarder.start(
                fairlead().endpoint(), Map.of("X-Kubernetes-Cluster", "prod", "Authorization", "Bearer " + token));
    }

    private Path plain(HeaderForwarder forwarder, String user) throws IOException {
        return Files.writeString(folder.resolve(user + "-header.kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: prod, cluster: {server: "%s"}}]
            contexts: [{name: prod, context: {cluster: prod}}]
            current-context: prod
            """.formatted(forwarder.url()));
    }

    private Map<String, Outcome> perform(String way, Path admin, Path stranger, List<Step> steps) throws IOException {
        return new KubectlSession(Files.createDirectories(folder.resolve(way)))
                .with(ComparisonSteps.ADMIN, admin)
                .with(ComparisonSteps.STRANGER, stranger)
                .perform(steps);
    }
}
