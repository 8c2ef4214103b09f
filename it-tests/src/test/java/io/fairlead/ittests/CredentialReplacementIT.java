package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code cluster attach --replace} of a cluster that is being used. */
final class CredentialReplacementIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Path FOLDER = Checkout.scratch("CredentialReplacementIT");
    private static final AttachedCluster ATTACHED = AttachedCluster.ofShared(FOLDER);

    @BeforeAll
    static void start() {
        ATTACHED.start();
    }

    @AfterAll
    static void stop() {
        ATTACHED.close();
    }

    @Test
    void credentialAndServerThatAreReplacedUnderLoad_failNoRequestAndEndNoWatch() throws Exception {
        replaceUnderLoad("small", 50, 1);
    }

    @Test
    @Tag("endurance")
    void credentialAndServerThatAreReplacedUnderFullLoad_failNoRequestAndEndNoWatch() throws Exception {
        replaceUnderLoad("full", 50, 5);
    }

    @Test
    void credentialThatDoesNotWork_isNotPutInPlace() throws Exception {
        Path bad = ATTACHED.kube().kubeconfig("nobody", "not-a-token");

        Output refused = replace(bad, "--timeout", "5");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.output()).isEmpty();
        assertThat(refused.errors())
                .contains("the new credential was not put in place: with it the cluster ")
                .contains("cluster \"prod\" has the one that it had")
                .doesNotContain("not-a-token");
        try (var probe = HttpProbe.withToken(ATTACHED.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
            assertThat(probe.get("/clusters/prod" + CONFIG_MAPS).status()).isEqualTo(200);
            String clusters =
                    probe.get("/apis/fairlead.io/v1alpha1/clusters?limit=100").body();
            assertThat(clusters).contains("\"name\":\"prod\"").doesNotContain("fairlead.io/trial-of");
            assertThat(probe.get("/api/v1/namespaces/fairlead-system/secrets").body())
                    .contains("\"name\":\"cluster-prod")
                    .doesNotContain("\"name\":\"cluster-prod-");
        }
    }

    /** By turns another user's token at the same server, and another server of the same cluster with another CA. */
    private static void replaceUnderLoad(String name, int watches, int rounds) throws Exception {
        String server = ATTACHED.fairlead().endpoint();
        Path second = ATTACHED.kube().kubeconfig("second", SharedKube.SECOND.token());
        Path relayed = ATTACHED.relay().kubeconfig();
        Path first = ATTACHED.kube().kubeconfig();
        try (var open = OpenWatches.open(
                        watches, server + "/clusters/prod" + CONFIG_MAPS + "?watch=1", AttachedCluster.ROOT_TOKEN);
                var requests =
                        SteadyRequests.start(server, AttachedCluster.ROOT_TOKEN, "/clusters/prod" + CONFIG_MAPS, 100)) {
            for (int round = 0; round < rounds; round++) {
                for (Path kubeconfig : new Path[] {second, relayed, first}) {
                    int before = requests.answered();
                    Output replaced = replace(kubeconfig);
                    assertThat(replaced.exitCode()).as("%s", replaced).isZero();
                    assertThat(replaced.output()).startsWith("cluster.fairlead.io/prod has another credential");
                    assertThat(replaced.errors()).isEmpty();
                    Await.until("requests go on", SOON, () -> requests.answered() > before + 100);
                }
            }
            requests.stop();
            assertThat(requests.failures()).isEmpty();
            String created = "after-replacing-" + name;
            try (var direct = HttpProbe.withToken(ATTACHED.kube().url(), KubeCluster.ADMIN_TOKEN)) {
                String body = "{\"metadata\":{\"name\":\"" + created + "\"}}";
                assertThat(direct.send("POST", CONFIG_MAPS, "application/json", body)
                                .status())
                        .isEqualTo(201);
            }
            Await.until("all watches hear it", SOON, () -> open.thatHeardOf(created) == watches);
            assertThat(open.ended()).isZero();
            Files.writeString(
                    FOLDER.resolve("replaced-" + name + ".txt"),
                    requests.answered() + " requests, the slowest took " + requests.slowest() + "\n");
        }
    }

    private static Output replace(Path kubeconfig, String... more) {
        var arguments = new ArrayList<>(
                List.of("cluster", "attach", "prod", "--replace", "--from-kubeconfig", kubeconfig.toString()));
        arguments.addAll(List.of(more));
        return ATTACHED.fairlead().command(arguments.toArray(String[]::new));
    }
}
