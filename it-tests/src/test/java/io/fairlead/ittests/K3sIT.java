package io.fairlead.ittests;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

/** A cluster of another distribution, in a container; skipped where no container engine answers. */
final class K3sIT {
    private static final DockerImageName IMAGE = DockerImageName.parse("rancher/k3s:v1.36.3-k3s1");

    @Test
    void k3s_isAttachedAndServed() throws IOException {
        assumeTrue(
                DockerClientFactory.instance().isDockerAvailable(),
                "no container engine answers, neither at DOCKER_HOST nor at /var/run/docker.sock: k3s cannot be"
                        + " started");
        Path folder = Checkout.scratch("K3sIT");
        try (var k3s = new K3sContainer(IMAGE);
                FairleadProcess fairlead = FairleadProcess.start(folder)) {
            k3s.start();
            Path kubeconfig = Files.writeString(folder.resolve("k3s.kubeconfig"), k3s.getKubeConfigYaml());

            new FirstSteps(folder, fairlead).take("k3s", kubeconfig);
        }
    }
}
