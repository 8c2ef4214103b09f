package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Twenty informers of client-go, of the official Java client and of fabric8 follow a cluster through Fairlead while the store
 * below its kube-apiserver is restored from a copy: each is told, and holds what there is.
 */
final class RewoundInformersIT {
    private static final int OF_EACH_KIND = 4;
    private static final Duration SOON = Duration.ofMinutes(2);
    private static final String VERSIONS =
            "jsonpath={range .items[*]}{.metadata.name} {.metadata.uid} {.metadata.resourceVersion}{\"\\n\"}{end}";

    @Test
    void informers_areToldOfARestoredStore_andHoldWhatThereIs() throws Exception {
        Path folder = Files.createDirectories(Checkout.scratch("RewoundInformersIT"));
        Path program = new GoModule("clients", List.of(new GoModule.Program("clients", ".", "-s -w")))
                .built()
                .resolve("clients");
        List<Follower> followers = new ArrayList<>();
        try (var attached = new AttachedCluster(folder).start()) {
            KubeCluster kube = attached.kube();
            Kubectl kubectl = new Kubectl(folder.resolve("kubectl"), kube.kubeconfig());
            Path prod = attached.fairlead().kubeconfigOf("prod");
            kubectl.succeedWith(maps("kept", 20), "apply", "-f", "-");
            kube.stop();
            kube.copyStore("before");
            kube.startAgain();
            Await.until(
                    "objects can be made",
                    SOON,
                    () -> kubectl.apply(maps("lost", 100), "apply", "-f", "-").exitCode() == 0);
            follow(followers, program, folder, prod);
            awaitAll(followers, kubectl);
            kube.stop();
            kube.restoreStore("before");
            kube.startAgain();
            Await.until(
                    "objects can be made again",
                    SOON,
                    () -> kubectl.apply(maps("new", 10), "apply", "-f", "-").exitCode() == 0);

            awaitAll(followers, kubectl);
            assertThat(followers.getFirst().sightings().held().keySet())
                    .contains("kept-0", "new-9")
                    .doesNotContain("lost-0");
            expectsOneEpochMore(folder, attached);
            worksAsBefore(followers, kubectl, new Kubectl(folder.resolve("watching"), prod), attached);
        } finally {
            followers.forEach(Follower::close);
        }
    }

    private static void follow(List<Follower> followers, Path program, Path folder, Path kubeconfig) throws Exception {
        for (int i = 0; i < OF_EACH_KIND; i++) {
            Path own = Files.createDirectories(folder.resolve("followers-" + i));
            followers.add(GoFollower.start(program, own, kubeconfig, true));
            followers.add(GoFollower.start(program, own, kubeconfig, false));
            followers.add(JavaClientFollower.start(kubeconfig));
            followers.add(Fabric8Follower.start(kubeconfig, false));
            followers.add(Fabric8Follower.start(kubeconfig, true));
        }
    }

    private static void awaitAll(List<Follower> followers, Kubectl kubectl) {
        Map<String, Sightings.Version> expected = list(kubectl);
        for (Follower follower : followers) {
            Await.until(
                    follower.name() + " holds what is there, " + expected.size() + " objects, and has "
                            + follower.sightings().held().size(),
                    SOON,
                    () -> follower.sightings().held().equals(expected));
        }
    }

    private static void expectsOneEpochMore(Path folder, AttachedCluster attached) {
        Kubectl root = new Kubectl(folder.resolve("root"), attached.fairlead().adminKubeconfig());
        Await.until(
                "its history is consistent again",
                SOON,
                () -> root.succeed("get", "cluster", "prod", "-o", "yaml").contains("reason: Consistent"));
        String described = root.succeed("describe", "cluster", "prod");
        assertThat(described).contains("HistoryRewound", "Rewinds:").containsPattern("Epoch: +2");
    }

    /** After the time in which versions of both histories are told apart by none, nothing is 410 any more. */
    private static void worksAsBefore(
            List<Follower> followers, Kubectl kubectl, Kubectl through, AttachedCluster attached) throws Exception {
        try (var probe = HttpProbe.withToken(attached.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
            Await.until("a watch from a list is answered", SOON, () -> {
                String list = probe.get("/clusters/prod/api/v1/namespaces/default/configmaps?limit=1")
                        .body();
                String version = list.replaceAll("(?s).*?\"resourceVersion\":\"([0-9]+)\".*", "$1");
                return probe.get("/clusters/prod/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1"
                                        + "&resourceVersion=" + version)
                                .status()
                        == 200;
            });
            double expired = expired(probe);
            try (OwnedProcess watching = through.start("watching", "get", "configmaps", "-n", "default", "--watch")) {
                Await.until("kubectl watches", SOON, () -> watching.output().contains("kept-0"));
                kubectl.succeedWith(maps("later", 10), "apply", "-f", "-");
                Await.until("kubectl sees it", SOON, () -> watching.output().contains("later-9"));
            }
            awaitAll(followers, kubectl);
            assertThat(expired(probe)).as("requests that were 410").isEqualTo(expired);
        }
    }

    private static double expired(HttpProbe probe) throws Exception {
        return new Exposition(probe.get("/metrics").body()).sum("apiserver_request_total", "cluster=prod", "code=410");
    }

    private static Map<String, Sightings.Version> list(Kubectl kubectl) {
        Map<String, Sightings.Version> found = new TreeMap<>();
        kubectl.succeed("get", "configmaps", "-n", "default", "-o", VERSIONS)
                .lines()
                .map(line -> line.split(" ", -1))
                .forEach(words -> found.put(words[0], new Sightings.Version(words[1], words[2])));
        return found;
    }

    private static String maps(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + prefix + "-" + i
                        + ", namespace: default}}")
                .collect(Collectors.joining("\n---\n"));
    }
}
