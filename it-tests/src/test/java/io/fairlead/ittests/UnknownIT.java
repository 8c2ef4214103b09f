package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.HttpProbe.Answer;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is not known is never taken for what is not there. */
final class UnknownIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    @Test
    void attachedCluster_thatNeverListsItsCrds_isServedNevertheless() throws Exception {
        Path folder = Checkout.scratch("UnknownIT");
        try (var attached = AttachedCluster.ofShared(folder).startApart()) {
            FairleadProcess fairlead = attached.fairlead();
            attached.relay().hold(CRDS);
            Output attaching = fairlead.command(
                    "cluster",
                    "attach",
                    "slow",
                    "--no-wait",
                    "--from-kubeconfig",
                    attached.relay().kubeconfig().toString());
            assertThat(attaching.exitCode()).as("%s", attaching).isZero();

            try (var probe = HttpProbe.withToken(fairlead.endpoint() + "/clusters/slow", AttachedCluster.ROOT_TOKEN)) {
                Await.until(
                        "the cluster is reached",
                        SOON,
                        () -> probe.get("/api/v1/namespaces").status() == 200);
                Answer custom = probe.get("/apis/example.com/v1/foos");

                // Only the real server may say no.
                assertThat(custom.status()).isEqualTo(404);
                assertThat(custom.body()).contains("404 page not found");
                assertThat(attached.relay().received()).contains("/apis/example.com/v1/foos");
            }
            assertThat(fairlead.command("served", "-c", "slow", "example.com/v1")
                            .exitCode())
                    .isEqualTo(3);
            var kubectl = new Kubectl(folder.resolve("kubectl"), fairlead.adminKubeconfig());
            assertThat(kubectl.succeed(
                            "get",
                            "clusters.fairlead.io",
                            "slow",
                            "-o",
                            "jsonpath={.status.conditions[?(@.type==\"TypesSynced\")].status}"))
                    .isNotEqualTo("True");

            attached.relay().release();
            kubectl.succeed("wait", "--for=condition=TypesSynced", "clusters.fairlead.io/slow", "--timeout=60s");
            assertThat(fairlead.command("served", "-c", "slow", "example.com/v1")
                            .exitCode())
                    .isEqualTo(1);
        }
    }
}
