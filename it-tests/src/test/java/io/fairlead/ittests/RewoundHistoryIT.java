package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The store beneath an attached kube-apiserver is restored from a copy, and Fairlead is started anew after that. */
@Isolated("it stops the servers that it shares a machine with others for")
final class RewoundHistoryIT {
    private static final BoundedType KEEL = new BoundedType("keels", "Keel", "rewound.example.com", "depth");
    private static final String MAPS = "/clusters/prod/api/v1/namespaces/default/configmaps";
    private static final String KEELS = "/clusters/prod/apis/rewound.example.com/v1/namespaces/default/keels";
    private static final int OBJECTS = 400;
    private static final Duration SOON = Duration.ofMinutes(2);

    @Test
    void restoredStore_isOneEpoch_andExpiresWhatClientsHaveFromBefore_alsoAfterARestart() throws Exception {
        Path folder = Checkout.scratch("RewoundHistoryIT");
        try (var attached = new AttachedCluster(folder).start()) {
            KubeCluster kube = attached.kube();
            var kubectl = new Kubectl(folder.resolve("kubectl"), kube.kubeconfig());
            var root = new Kubectl(folder.resolve("root"), attached.fairlead().adminKubeconfig());
            kube.stop();
            kube.copyStore("before");
            kube.startAgain();
            Await.until(
                    "objects can be made",
                    SOON,
                    () -> kubectl.apply(lost(), "apply", "-f", "-").exitCode() == 0);
            kubectl.succeedWith(KEEL.definition(10), "apply", "-f", "-");
            Await.until("the type is known", SOON, () -> isKnown(attached));
            String before;
            try (var probe = HttpProbe.withToken(attached.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
                HttpProbe.Answer list = probe.get(MAPS + "?limit=1");
                before = list.body().replaceAll("(?s).*?\"resourceVersion\":\"([0-9]+)\".*", "$1");
                assertThat(list.headers().get("fairlead-history-epoch")).isEqualTo(List.of("1"));
                assertThat(status(root, "epoch")).isEqualTo("1");
            }

            kube.stop();
            kube.restoreStore("before");
            kube.startAgain();

            Await.until(
                    "the rewind is noticed", SOON, () -> status(root, "epoch").equals("2"));
            Await.until(
                    "its history is consistent again",
                    SOON,
                    () -> condition(root).equals("True Consistent"));
            assertExpired(attached, before);
            assertThat(root.succeed("get", "events", "-n", "default", "-o", "jsonpath={.items[*].reason}"))
                    .contains("HistoryRewound");

            attached.fairlead().kill();
            attached.fairlead().start();

            Await.until("its history is consistent", SOON, () -> condition(root).equals("True Consistent"));
            assertThat(status(root, "epoch")).isEqualTo("2");
            assertThat(status(root, "history.rewinds[*].upTo").split(" ")).hasSize(1);
            assertExpired(attached, before);
        }
    }

    /** So many that the restored history does not come as far during the test. */
    private static String lost() {
        return IntStream.range(0, OBJECTS)
                .mapToObj(
                        i -> "{apiVersion: v1, kind: ConfigMap, metadata: {name: lost-" + i + ", namespace: default}}")
                .collect(Collectors.joining("\n---\n"));
    }

    private static boolean isKnown(AttachedCluster attached) throws Exception {
        try (var probe = HttpProbe.withToken(attached.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
            return probe.get(KEELS).headers().containsKey("fairlead-type-digest");
        }
    }

    private static void assertExpired(AttachedCluster attached, String before) throws Exception {
        try (var probe = HttpProbe.withToken(attached.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
            for (String query : List.of("?watch=1&resourceVersion=", "?resourceVersion=")) {
                HttpProbe.Answer refused = probe.get(MAPS + query + before);
                assertThat(refused.status()).isEqualTo(410);
                assertThat(refused.body()).contains("HistoryRewound", "\"reason\":\"Expired\"");
            }
            HttpProbe.Answer list = probe.get(MAPS);
            assertThat(list.status()).isEqualTo(200);
            assertThat(list.body()).doesNotContain("\"name\":\"lost-0\"");
            assertThat(list.headers().get("fairlead-history-epoch")).isEqualTo(List.of("2"));
        }
    }

    private static String condition(Kubectl root) {
        String of = "conditions[?(@.type==\"HistoryConsistent\")]";
        return status(root, of + ".status") + " " + status(root, of + ".reason");
    }

    private static String status(Kubectl root, String path) {
        return root.succeed("get", "cluster", "prod", "-o", "jsonpath={.status." + path + "}")
                .strip();
    }
}
