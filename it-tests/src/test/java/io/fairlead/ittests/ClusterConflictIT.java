package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A real cluster that is registered twice, and a Fairlead that is registered behind itself. */
final class ClusterConflictIT {
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String CONFLICT = "True ClusterIdentityConflict";

    @Test
    void secondRegistration_isRefused_whileTheFirstServesOn_andTakesItsPlace() throws Exception {
        Path folder = Checkout.scratch("ClusterConflictIT");
        try (var attached = AttachedCluster.ofShared(folder).start()) {
            FairleadProcess fairlead = attached.fairlead();
            var root = new Kubectl(folder.resolve("root"), fairlead.adminKubeconfig());
            var load = new Load(fairlead);
            Thread requests = Thread.ofVirtual().start(load);

            attach(fairlead, "prod-2", attached.relay().kubeconfig());

            Await.until(
                    "it is in conflict",
                    SOON,
                    () -> condition(root, "prod-2", "Conflict").equals(CONFLICT));
            Await.until(
                    "the first names it",
                    SOON,
                    () -> root.succeed("describe", "cluster", "prod").contains("prod-2"));
            assertThat(condition(root, "prod-2", "Ready")).isEqualTo("False ClusterIdentityConflict");
            assertThat(condition(root, "prod", "Ready")).isEqualTo("True Ready");
            assertThat(root.succeed("describe", "cluster", "prod"))
                    .as("the keys that tell it from a copy of its store are read")
                    .doesNotContain("are not known");
            assertThat(root.succeed("describe", "cluster", "prod-2"))
                    .contains(
                            "ClaimConflict",
                            "spec.aliasOf: prod",
                            "cluster-identity/",
                            "Incumbent",
                            "Since:",
                            "delete \"prod-2\"");
            assertThat(get(fairlead, "/clusters/prod-2" + NAMESPACES).status()).isEqualTo(503);
            assertThat(get(fairlead, "/clusters/prod-2" + NAMESPACES).body()).contains("ClusterIdentityConflict");
            Output conflicts = fairlead.command("conflicts");
            assertThat(conflicts.exitCode()).isEqualTo(2);
            assertThat(conflicts.output()).contains("cluster-identity/", "prod", "prod-2");
            String key = fairlead.command("conflicts", "-o", "name").output().strip();
            assertThat(fairlead.command("conflicts", "--explain", key).output())
                    .contains("stays:  prod ", "not served: prod-2 ", "spec.aliasOf: prod");
            load.end();
            requests.join();
            assertThat(load.failures()).isEmpty();
            assertThat(load.answered()).isGreaterThan(Load.PER_SECOND);
            assertThat(load.perSecond()).isGreaterThan(0.95 * Load.PER_SECOND);

            root.succeed("delete", "cluster", "prod");

            Await.until(
                    "it takes its place",
                    SOON,
                    () -> condition(root, "prod-2", "Ready").equals("True Ready"));
            assertThat(get(fairlead, "/clusters/prod-2" + NAMESPACES).status()).isEqualTo(200);
            assertThat(fairlead.command("conflicts").exitCode()).isZero();
            assertNoLoop(folder, fairlead, root);
        }
    }

    /** Directly, behind a relay, since Fairlead's own address is no endpoint, and through a second Fairlead. */
    private static void assertNoLoop(Path folder, FairleadProcess fairlead, Kubectl root) throws Exception {
        Path own = fairlead.kubeconfigOf("prod-2");
        try (RecordingRelay mirror = RecordingRelay.start(
                        Files.createDirectories(folder.resolve("mirror")),
                        URI.create(fairlead.endpoint()).getPort());
                var second = FairleadProcess.start(Files.createDirectories(folder.resolve("second")))) {
            attach(fairlead, "self", mirrored(mirror, folder));
            second.attach("back", own);
            attach(fairlead, "round", second.kubeconfigOf("back"));

            for (String id : new String[] {"self", "round"}) {
                Await.until(
                        id + " is refused",
                        SOON,
                        () -> condition(root, id, "IdentityVerified").equals("False Self"));
                assertThat(get(fairlead, "/clusters/" + id + NAMESPACES).status())
                        .isEqualTo(503);
            }
            mirror.forget();
            for (int i = 0; i < 20; i++) {
                assertThat(get(fairlead, "/clusters/self" + NAMESPACES).body()).contains("ClusterIdentitySelf");
            }
            assertThat(mirror.received()).doesNotContain(NAMESPACES + " HTTP");
        }
    }

    private static Path mirrored(RecordingRelay mirror, Path folder) throws IOException {
        return Files.writeString(folder.resolve("mirror.kubeconfig"), """
            apiVersion: v1
            kind: Config
            clusters: [{name: self, cluster: {server: "%s/clusters/self", certificate-authority: "%s"}}]
            users: [{name: admin, user: {token: "%s"}}]
            contexts: [{name: self, context: {cluster: self, user: admin}}]
            current-context: self
            """.formatted(
                        mirror.url(), mirror.caFile(), AttachedCluster.ROOT_TOKEN));
    }

    private static void attach(FairleadProcess fairlead, String id, Path kubeconfig) {
        Output attached =
                fairlead.command("cluster", "attach", id, "--no-wait", "--from-kubeconfig", kubeconfig.toString());
        assertThat(attached.exitCode()).as(attached.toString()).isZero();
    }

    private static String condition(Kubectl root, String cluster, String type) {
        String of = "{.status.conditions[?(@.type==\"" + type + "\")]";
        return root.succeed("get", "cluster", cluster, "-o", "jsonpath=" + of + ".status} " + of + ".reason}")
                .strip();
    }

    private static HttpProbe.Answer get(FairleadProcess fairlead, String path) throws Exception {
        try (var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN)) {
            return probe.get(path);
        }
    }

    /** 200 requests a second to the first registration, whether or not those before are answered. */
    private static final class Load implements Runnable {
        private static final int PER_SECOND = 200;

        /** Fewer than a connection has streams; those that wait are sent as soon as others are answered. */
        private static final int TOGETHER_MAX = 50;

        private final FairleadProcess fairlead;
        private final AtomicInteger answered = new AtomicInteger();
        private final Semaphore together = new Semaphore(TOGETHER_MAX);
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean isOver = new AtomicBoolean();
        private volatile double seconds;

        Load(FairleadProcess fairlead) {
            this.fairlead = fairlead;
        }

        @Override
        public void run() {
            try (var probe = HttpProbe.overHttp2(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN);
                    ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
                // One connection for all, which is there before they come: handshakes would be most of the work.
                ask(probe);
                long beganNanos = System.nanoTime();
                for (long sent = 0; !isOver.get(); sent++) {
                    LockSupport.parkNanos(
                            beganNanos + sent * TimeUnit.SECONDS.toNanos(1) / PER_SECOND - System.nanoTime());
                    requests.execute(() -> ask(probe));
                }
                seconds = (System.nanoTime() - beganNanos) / 1e9;
            }
        }

        private void ask(HttpProbe probe) {
            together.acquireUninterruptibly();
            try {
                HttpProbe.Answer answer = probe.get("/clusters/prod" + NAMESPACES);
                if (answer.status() == 200) {
                    answered.incrementAndGet();
                } else {
                    failures.add(answer.status() + " " + answer.body());
                }
            } catch (Exception broken) {
                failures.add(broken.toString());
            } finally {
                together.release();
            }
        }

        void end() {
            isOver.set(true);
        }

        int answered() {
            return answered.get();
        }

        double perSecond() {
            return answered.get() / seconds;
        }

        Queue<String> failures() {
            return failures;
        }
    }
}
