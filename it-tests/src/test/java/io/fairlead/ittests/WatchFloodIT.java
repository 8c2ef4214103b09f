package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** An attached cluster whose definitions change without end, as fast as they are read. */
@Isolated("it measures processor time")
final class WatchFloodIT {
    private static final Path FOLDER = Checkout.scratch("WatchFloodIT");
    private static final Duration SOON = Duration.ofSeconds(60);

    /** As long as all that is read at once takes on a slow machine. */
    private static final Duration WARM_UP = Duration.ofSeconds(15);

    private static final Duration MEASURED = Duration.ofSeconds(15);

    /** Of one processor. */
    private static final double SHARE_MAX = 0.35;

    @Test
    void clusterThatChangesWithoutEnd_takesASmallPartOfAProcessor() throws Exception {
        Path folder = Files.createDirectories(FOLDER.resolve("hostile"));
        try (HostileServer server =
                        new HostileServer(HostileServer.Kind.ENDLESS_CHANGES, HostileServer.identity(folder));
                FairleadProcess fairlead = FairleadProcess.start(FOLDER)) {
            String ca = Base64.getEncoder().encodeToString(Files.readAllBytes(RecordingRelay.caFile(folder)));
            new Kubectl(FOLDER.resolve("root"), fairlead.adminKubeconfig())
                    .succeedWith("""
                        apiVersion: v1
                        kind: Secret
                        metadata: {name: flood, namespace: fairlead-system}
                        stringData: {token: flood}
                        ---
                        apiVersion: fairlead.io/v1alpha1
                        kind: Cluster
                        metadata: {name: flood}
                        spec: {attached: {endpoints: ["%s"], caBundle: %s, credentialSecretRef: {name: flood}}}
                        """.formatted(server.url(), ca), "apply", "-f", "-");
            Await.until("it is watched", SOON, () -> server.events() > 0);
            LockSupport.parkNanos(WARM_UP.toNanos());

            long events = server.events();
            Duration cpu = cpu(fairlead);
            LockSupport.parkNanos(MEASURED.toNanos());
            double share = (double) cpu(fairlead).minus(cpu).toNanos() / MEASURED.toNanos();
            long read = server.events() - events;

            Files.writeString(
                    FOLDER.resolve("report.txt"),
                    read / MEASURED.toSeconds() + " events a second took " + share + " of a processor\n");
            assertThat(read).as("it is read still").isPositive();
            assertThat(share).isLessThan(SHARE_MAX);
        }
    }

    private static Duration cpu(FairleadProcess fairlead) {
        return fairlead.handle().info().totalCpuDuration().orElseThrow();
    }
}
