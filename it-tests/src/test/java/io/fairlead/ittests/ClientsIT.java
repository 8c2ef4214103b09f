package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs built on Kubernetes' client libraries. Those on client-go see the same through Fairlead as directly, and in a
 * hosted cluster. Informers of client-go, of the official Java client and of fabric8 stay right while Fairlead and the API
 * server behind it are restarted under a steady stream of writes.
 *
 * <p>An informer is right if its cache is what a list says in the end and it was told of each change once: its handlers of
 * each version of an object, and its watches, where they can be seen, of each event. What informers tell again after a new
 * list by their own design does not count.
 */
final class ClientsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final long SEED = 20261121;
    private static final Path FOLDER = Checkout.scratch("ClientsIT");

    /** On a port of its own, where informers find Fairlead again. */
    private static final AttachedCluster ATTACHED = new AttachedCluster(FOLDER)
            .with("--secure-port", FreePorts.take(1).getFirst().toString());

    private static Path program = Path.of("");
    private static Path prod = Path.of("");
    private static Path hosted = Path.of("");

    @BeforeAll
    static void start() throws Exception {
        program = new GoModule("clients", List.of(new GoModule.Program("clients", ".", "-s -w")))
                .built()
                .resolve("clients");
        Files.createDirectories(FOLDER);
        ATTACHED.start();
        FairleadProcess fairlead = ATTACHED.fairlead();
        assertThat(fairlead.command("cluster", "create", "hosted").exitCode()).isZero();
        prod = fairlead.kubeconfigOf("prod");
        hosted = fairlead.kubeconfigOf("hosted");
    }

    @AfterAll
    static void stop() {
        ATTACHED.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"typed", "informer", "openapi"})
    void program_seesTheSameAsDirectly(String kind) {
        Output direct = run(kind, ATTACHED.kube().kubeconfig());
        Output through = run(kind, prod);
        Output inHosted = run(kind, hosted);

        assertThat(direct.exitCode()).as("%s", direct).isZero();
        assertThat(direct.output()).isNotEmpty();
        assertThat(through).isEqualTo(direct);
        assertThat(inHosted).as("in a hosted cluster").isEqualTo(direct);
    }

    @Test
    void informers_seeEachChangeOnce_throughRestarts() throws Exception {
        followThroughRestarts("short", 1, 1);
    }

    @Test
    @Tag("endurance")
    void informers_seeEachChangeOnce_throughTenRestarts() throws Exception {
        followThroughRestarts("long", 10, 4);
    }

    private static void followThroughRestarts(String name, int restarts, int apiserverRestarts) throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve(name));
        var direct = new ConfigMapWriter(ATTACHED.kube().url(), KubeCluster.ADMIN_TOKEN, SEED);
        var through = new ConfigMapWriter(
                ATTACHED.fairlead().endpoint() + "/clusters/hosted", AttachedCluster.ROOT_TOKEN, SEED + 1);
        try (var followedProd = new FollowedCluster("prod", program, folder, prod, direct);
                var followedHosted = new FollowedCluster("hosted", program, folder, hosted, through)) {
            followedProd.awaitFollowed();
            followedHosted.awaitFollowed();
            for (int i = 0; i < restarts; i++) {
                if (i < apiserverRestarts) {
                    restartApiserver(ATTACHED.kube(), i % 2 == 0);
                }
                restart(ATTACHED.fairlead(), i % 2 == 0);
                followedProd.awaitFollowed();
                followedHosted.awaitFollowed();
            }
            followedProd.finish(new Kubectl(
                    folder.resolve("kubectl-direct"), ATTACHED.kube().kubeconfig()));
            followedHosted.finish(new Kubectl(folder.resolve("kubectl-hosted"), hosted));
        }
    }

    private static void restart(FairleadProcess fairlead, boolean killed) {
        if (killed) {
            fairlead.kill();
        } else {
            assertThat(fairlead.stop()).as("the exit code").isZero();
        }
        fairlead.start();
    }

    private static void restartApiserver(KubeCluster kube, boolean killed) {
        if (killed) {
            kube.killApiserver();
        } else {
            kube.stopApiserver();
        }
        kube.startApiserver();
    }

    private static Output run(String kind, Path kubeconfig) {
        return Output.of(
                FOLDER, Map.of(), "", TIMEOUT, List.of(program.toString(), kind, kubeconfig.toString(), "default"));
    }
}
