package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The servers that the other tests rely on: that they are what they are taken for. */
final class KubeClusterIT {
    @Test
    void api_keepsItsObjectsThroughAKill() {
        Path folder = Checkout.scratch("KubeClusterIT");
        try (KubeCluster cluster = KubeCluster.start(folder)) {
            var kubectl = new Kubectl(folder.resolve("kubectl"), cluster.kubeconfig());
            kubectl.succeed("create", "configmap", "kept", "-n", "default", "--from-literal=a=1");

            cluster.killApiserver();
            cluster.startApiserver();

            assertThat(kubectl.succeed("get", "configmap", "kept", "-n", "default", "-o", "jsonpath={.data.a}"))
                    .isEqualTo("1");
            assertThat(kubectl.succeed("version")).contains("v1.36");
        }
    }

    @Test
    void api_isAttachedAndServed() {
        Path folder = Checkout.scratch("KubeClusterIT-attached");
        try (FairleadProcess fairlead = FairleadProcess.start(folder)) {
            new FirstSteps(folder, fairlead).take("kube", SharedKube.get().kubeconfig());
        }
    }
}
