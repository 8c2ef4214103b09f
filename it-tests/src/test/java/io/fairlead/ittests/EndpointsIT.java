package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two API servers behind one cluster. One that is killed costs the requests on their way to it and no other; one that is stopped
 * costs none. Watches go on where they were, and a server that is back is used again.
 */
final class EndpointsIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    /** By then every request is answered that was on its way when a server was killed. */
    private static final Duration SETTLED = Duration.ofSeconds(2);

    /** As many as {@link SteadyRequests} has on their way. */
    private static final int ON_THEIR_WAY_MAX = 32;

    @Test
    void serversThatComeAndGo_costWhatIsOnItsWayToOneThatIsKilled() throws Exception {
        run("small", 100, 30, 1, 0.3);
    }

    @Test
    @Tag("endurance")
    void tenRollingRestarts_costNoRequest_andAKillWhatIsOnItsWay() throws Exception {
        run("full", 200, 100, 10, 0.9);
    }

    /** @param share of the requests that were to be made: a machine that does other things too makes fewer */
    private static void run(String name, int perSecond, int watches, int restarts, double share) throws Exception {
        Path folder = Files.createDirectories(Checkout.scratch("EndpointsIT/" + name));
        List<String> report = new ArrayList<>();
        try (TwinServers twins = TwinServers.start(folder, "--upstream-probe-interval", "500ms");
                var first = HttpProbe.withToken(twins.kube().url(), KubeCluster.ADMIN_TOKEN);
                var second = HttpProbe.withToken(twins.kube().secondUrl(), KubeCluster.ADMIN_TOKEN)) {
            Await.until("both are ready", SOON, () -> areReady(twins));
            assertThat(twins.described()).contains(twins.kube().secondUrl(), "Last Transition Time", "Reason:");
            List<CollectionFollower> followers = follow(twins, watches);
            try {
                double rateMin = perSecond * share;
                report.add(kill(twins, second, followers, perSecond, rateMin));
                for (int round = 0; round < restarts; round++) {
                    boolean isLast = round == restarts - 1;
                    report.add(restart(twins, round, isLast, first, second, followers, perSecond, rateMin));
                }
            } finally {
                followers.forEach(CollectionFollower::close);
            }
            assertThat(followers).allSatisfy(follower -> {
                assertThat(follower.faults()).isEmpty();
                // Each server was away once while the other one served.
                assertThat(follower.resumed()).isPositive();
                assertThat(follower.events()).isEqualTo(followers.getFirst().events());
            });
        }
        Files.write(folder.resolve("report.txt"), report);
    }

    private static List<CollectionFollower> follow(TwinServers twins, int count) throws Exception {
        List<CollectionFollower> followers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            followers.add(CollectionFollower.start(
                    StoredKind.CONFIG_MAP,
                    twins.fairlead().endpoint(),
                    StoredKind.CONFIG_MAP.collection("prod"),
                    AttachedCluster.ROOT_TOKEN));
        }
        return followers;
    }

    /** Kills the first server and has it come back; returns what became of the requests meanwhile. */
    private static String kill(
            TwinServers twins, HttpProbe second, List<CollectionFollower> followers, int perSecond, double rateMin)
            throws Exception {
        KubeCluster kube = twins.kube();
        try (SteadyRequests requests = requests(twins, perSecond)) {
            Await.until("requests go on", SOON, () -> requests.answered() > perSecond);
            kube.killApiserver();
            LockSupport.parkNanos(SETTLED.toNanos());
            List<String> lost = requests.failures();
            change(second, "after-the-kill", followers);
            Await.until("it is not ready", SOON, () -> twins.ready(kube.url()).equals("False"));
            assertThat(twins.ready(kube.secondUrl())).isEqualTo("True");
            kube.startApiserver();
            Await.until("it is ready again", SOON, () -> areReady(twins));
            requests.stop();
            assertThat(lost).hasSizeLessThanOrEqualTo(ON_THEIR_WAY_MAX).allMatch(EndpointsIT::wasOnItsWay);
            assertThat(requests.failures()).isEqualTo(lost);
            assertThat(requests.rate()).isGreaterThan(rateMin);
            return "%d requests while one was killed, %.0f a second, %d were lost"
                    .formatted(requests.answered(), requests.rate(), lost.size());
        }
    }

    /** Whether the server that was killed had the request, or had begun to answer it: the JDK's client says how much came. */
    private static boolean wasOnItsWay(String failure) {
        return failure.contains("UpstreamReset") || failure.contains("bytes received");
    }

    /** Stops both servers, one after the other, so that each serves alone for a while; the last stop is the end. */
    private static String restart(
            TwinServers twins,
            int round,
            boolean isLast,
            HttpProbe first,
            HttpProbe second,
            List<CollectionFollower> followers,
            int perSecond,
            double rateMin)
            throws Exception {
        KubeCluster kube = twins.kube();
        try (SteadyRequests requests = requests(twins, perSecond)) {
            change(second, "before-the-second-" + round, followers);
            kube.stopSecondApiserver();
            change(first, "second-away-" + round, followers);
            kube.startSecondApiserver();
            Await.until("the second is ready again", SOON, () -> areReady(twins));
            change(first, "before-the-first-" + round, followers);
            kube.stopApiserver();
            change(second, "first-away-" + round, followers);
            if (!isLast) {
                kube.startApiserver();
                Await.until("the first is ready again", SOON, () -> areReady(twins));
            }
            requests.stop();
            assertThat(requests.failures()).isEmpty();
            assertThat(requests.rate()).isGreaterThan(rateMin);
            return "%d requests while both were stopped in turn, %.0f a second, the slowest took %s"
                    .formatted(requests.answered(), requests.rate(), requests.slowest());
        }
    }

    private static SteadyRequests requests(TwinServers twins, int perSecond) {
        return SteadyRequests.start(
                twins.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN, "/clusters/prod" + CONFIG_MAPS, perSecond);
    }

    private static boolean areReady(TwinServers twins) {
        return twins.ready(twins.kube().url()).equals("True")
                && twins.ready(twins.kube().secondUrl()).equals("True");
    }

    /**
     * Something happens at one server, of which all that follow must hear. From then on each can go on at the other server too: one
     * that was started later than their last event answers 410, since it knows nothing of before.
     */
    private static void change(HttpProbe server, String name, List<CollectionFollower> followers) throws Exception {
        String object = StoredKind.CONFIG_MAP.object(name, Map.of("stamp", name), 0);
        assertThat(server.send("POST", CONFIG_MAPS, "application/json", object).status())
                .isEqualTo(201);
        Await.untilNothing(
                "those that have not heard of " + name,
                SOON,
                () -> followers.stream()
                        .filter(follower -> !follower.held().containsKey(name))
                        .map(follower -> "resumed " + follower.resumed() + " times, with " + follower.faults())
                        .collect(Collectors.joining("; ")));
    }
}
