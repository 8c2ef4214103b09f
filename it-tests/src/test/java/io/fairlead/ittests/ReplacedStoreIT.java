package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The store beneath an attached kube-apiserver is exchanged for an older copy and for another cluster's, while a pin is in force. */
@Isolated("it measures time")
final class ReplacedStoreIT {
    private static final BoundedType KEEL = new BoundedType("keels", "Keel", "stores.example.com", "depth");
    private static final String KEELS = "/clusters/prod/apis/stores.example.com/v1/namespaces/default/keels";
    private static final String PATCH = "{\"metadata\":{\"labels\":{\"written\":\"yes\"}}}";
    private static final int INCOMPLETE = 3;
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final Duration PROMISED = Duration.ofSeconds(5);

    /** A copy of what etcd stores, and the digest of the type in it. */
    private record Copy(String name, String digest) {}

    @Test
    void exchangedStore_letsNoWrongWriteThrough() throws Exception {
        exchange(1, SOON);
    }

    @Test
    @Tag("endurance")
    void storeThatIsExchangedTwentyTimes_letsNoWrongWriteThrough_andIsKnownWithinFiveSeconds() throws Exception {
        exchange(10, PROMISED);
    }

    private static void exchange(int rounds, Duration known) throws Exception {
        Path folder = Checkout.scratch("ReplacedStoreIT/rounds-" + rounds);
        try (var attached = new AttachedCluster(folder).start();
                var probe = HttpProbe.withToken(attached.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
            KubeCluster kube = attached.kube();
            var kubectl = new Kubectl(folder.resolve("kubectl"), kube.kubeconfig());
            Copy older = copyWith(kubectl, kube, probe, "older", 10);
            Copy newer = copyWith(kubectl, kube, probe, "newer", 11);
            kube.stop();
            kube.emptyStore();
            kube.startAgain();
            Copy other = copyWith(kubectl, kube, probe, "other", 12);
            var root = new Kubectl(folder.resolve("root"), attached.fairlead().adminKubeconfig());
            root.succeedWith(pin(newer.digest()), "apply", "-f", "-");

            var took = new ArrayList<Duration>();
            for (int round = 0; round < rounds; round++) {
                for (Copy copy : List.of(newer, older, newer, other)) {
                    boolean right = copy.equals(newer);
                    try (var writer = new Writer(attached.fairlead().endpoint())) {
                        kube.stop();
                        kube.restoreStore(copy.name());
                        writer.clear();
                        kube.startAgain();
                        long back = System.nanoTime();
                        Await.until(
                                "the type is known as in " + copy,
                                SOON,
                                () -> copy.digest().equals(digest(probe)));
                        took.add(Duration.ofNanos(System.nanoTime() - back));
                        if (right) {
                            Await.until("a write passes", SOON, () -> writer.passed() > 0);
                        } else {
                            assertThat(writer.passed())
                                    .as("writes to the type of %s", copy)
                                    .isZero();
                        }
                    }
                    assertThat(verifiedIndex(attached.fairlead())).isZero();
                }
            }
            Files.writeString(folder.resolve("took.txt"), "known after the API server's return: " + took);
            assertThat(took).allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(known));
            assertThat(attached.fairlead().log()).contains("The cluster's history was replaced");
            Await.until(
                    "the condition says so",
                    SOON,
                    () -> root.succeed("get", "cluster", "prod", "-o", "yaml").contains("history was replaced"));
        }
    }

    /** The exit code of {@code index verify} once the index is complete again: the other lists may end after that of the CRDs. */
    private static int verifiedIndex(FairleadProcess fairlead) throws Exception {
        var code = new AtomicInteger();
        Await.until("the index is complete", SOON, () -> {
            code.set(fairlead.command("index", "verify", "-c", "prod").exitCode());
            return code.get() != INCOMPLETE;
        });
        return code.get();
    }

    /** Has the type with a bound and an object of it, and copies the store. */
    private static Copy copyWith(Kubectl kubectl, KubeCluster kube, HttpProbe probe, String name, int maximum)
            throws Exception {
        String before = digest(probe);
        kubectl.succeedWith(KEEL.definition(maximum), "apply", "-f", "-");
        kubectl.succeed("wait", "--for=condition=Established", "crd/keels.stores.example.com", "--timeout=60s");
        Await.until(
                "an object can be made",
                SOON,
                () -> kubectl.apply(keel(), "apply", "-f", "-").exitCode() == 0);
        Await.until(
                "the type is known",
                SOON,
                () -> !digest(probe).isEmpty() && !digest(probe).equals(before));
        String digest = digest(probe);
        kube.stop();
        kube.copyStore(name);
        kube.startAgain();
        return new Copy(name, digest);
    }

    /** What Fairlead takes for the type; empty if it does not know. */
    private static String digest(HttpProbe probe) throws Exception {
        return probe.get(KEELS)
                .headers()
                .getOrDefault("fairlead-type-digest", List.of(""))
                .getFirst();
    }

    private static String pin(String digest) {
        return """
            apiVersion: fairlead.io/v1alpha1
            kind: TypePin
            metadata: {name: keels}
            spec:
              clusters: {matchNames: [prod]}
              group: stores.example.com
              kind: Keel
              allow: ["%s"]
            """.formatted(digest);
    }

    private static String keel() {
        return "{apiVersion: stores.example.com/v1, kind: Keel, metadata: {name: k, namespace: default}, spec: {depth:"
                + " 3}}";
    }

    /** Writes one object again and again, until it is closed. */
    private static final class Writer implements AutoCloseable {
        private final AtomicInteger passed = new AtomicInteger();
        private final Thread thread;

        Writer(String endpoint) {
            thread = Thread.ofVirtual().start(() -> write(endpoint));
        }

        void clear() {
            passed.set(0);
        }

        int passed() {
            return passed.get();
        }

        private void write(String endpoint) {
            try (var probe = HttpProbe.withToken(endpoint, AttachedCluster.ROOT_TOKEN)) {
                while (!Thread.currentThread().isInterrupted()) {
                    if (probe.send("PATCH", KEELS + "/k", "application/merge-patch+json", PATCH)
                                    .status()
                            < 300) {
                        passed.incrementAndGet();
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
