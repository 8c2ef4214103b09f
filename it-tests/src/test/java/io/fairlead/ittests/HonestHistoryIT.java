package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real API servers whose history is right: under writes, compactions and restarts, through two of them behind one cluster, no
 * event is taken for one that goes back in time, and informers of every kind stay right.
 */
final class HonestHistoryIT {
    private static final long SEED = 20261124;
    private static final String COLLECTION = "/clusters/prod/api/v1/namespaces/default/configmaps";

    /** The forms in which clients take events. */
    private static final List<String> FORMS = List.of(
            "application/json",
            "application/vnd.kubernetes.protobuf",
            "application/json;as=Table;v=v1;g=meta.k8s.io",
            "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
            "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io");

    @Test
    void ordinaryChanges_raiseNoAlarm() throws Exception {
        churn("short", Duration.ofSeconds(60), 2);
    }

    @Test
    @Tag("endurance")
    void tenMinutesOfOrdinaryChanges_raiseNoAlarm() throws Exception {
        churn("long", Duration.ofMinutes(10), 10);
    }

    private static void churn(String name, Duration time, int restarts) throws Exception {
        Path folder = Files.createDirectories(Checkout.scratch("HonestHistoryIT/" + name));
        Path program = new GoModule("clients", List.of(new GoModule.Program("clients", ".", "-s -w")))
                .built()
                .resolve("clients");
        Path tokens = FairleadUsers.tokenFile(
                folder,
                List.of(new KubeCluster.User(AttachedCluster.ROOT_TOKEN, "root", "uid-of-root", "system:masters")));
        try (KubeCluster kube = KubeCluster.start(
                        Files.createDirectories(folder.resolve("kube")), List.of("--etcd-compaction-interval=10s"));
                FairleadProcess fairlead = FairleadProcess.start(folder, "--token-auth-file", tokens.toString());
                var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN)) {
            kube.startSecondApiserver();
            fairlead.attach("prod", kube.kubeconfig());
            TwinServers.nameBoth(new Kubectl(folder.resolve("kubectl-root"), fairlead.adminKubeconfig()), kube);
            var writer = new ConfigMapWriter(fairlead.endpoint() + "/clusters/prod", AttachedCluster.ROOT_TOKEN, SEED);
            try (var followed = new FollowedCluster("prod", program, folder, fairlead.kubeconfigOf("prod"), writer);
                    var watches = RepeatedWatches.open(fairlead.endpoint(), COLLECTION, FORMS)) {
                followed.awaitFollowed();
                for (int i = 0; i < restarts; i++) {
                    LockSupport.parkNanos(time.dividedBy(restarts).toNanos());
                    restartOne(kube, i);
                    followed.awaitFollowed();
                }
                assertThat(watches.finish())
                        .allSatisfy(
                                (form, events) -> assertThat(events).as(form).isGreaterThan(20));
                Exposition metrics = new Exposition(probe.get("/metrics").body());
                assertThat(metrics.names()).contains("fairlead_time_travel_total", "fairlead_unguarded_events_total");
                assertThat(metrics.sum("fairlead_time_travel_total")).isZero();
                assertThat(metrics.sum("fairlead_unguarded_events_total")).isZero();
                assertThat(metrics.sum("apiserver_watch_events_total", "cluster=prod", "resource=configmaps"))
                        .isGreaterThan(1_000);
                followed.finish(new Kubectl(folder.resolve("kubectl"), kube.kubeconfig()));
            }
        }
    }

    private static void restartOne(KubeCluster kube, int round) {
        if (round % 2 == 0) {
            kube.killApiserver();
            kube.startApiserver();
        } else {
            kube.killSecondApiserver();
            kube.startSecondApiserver();
        }
    }
}
