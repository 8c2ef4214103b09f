package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Many watches of an attached cluster beside a steady rate of requests, for a while: no event is lost, repeated or out of order, no
 * request fails, no buffer is lost (Netty's detector looks at each), and in the end nothing is held that was not before.
 */
@Isolated("it measures a heap and descriptors under many watches")
final class ManyWatchesIT {
    private static final String COLLECTION = "/clusters/prod/api/v1/namespaces/default/configmaps";
    private static final String NAME = "ticks";
    private static final int REQUESTS_PER_SECOND = 200;
    private static final Duration TICK_EVERY = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final double TOLERANCE = 0.05;

    /** What is kept of requests on purpose: series of metrics, callers, pages of the store. */
    private static final long KEPT_BYTES_MAX = 4L << 20;

    private static final Pattern REVISION = Pattern.compile("\"resourceVersion\":\\s*\"(\\d+)\"");

    @Test
    void watchesForAWhile_loseNothing_andLeaveNothing() throws Exception {
        run(200, Duration.ofSeconds(20));
    }

    @Test
    @Tag("endurance")
    void fiveThousandWatchesForTenMinutes_loseNothing_andLeaveNothing() throws Exception {
        run(5_000, Duration.ofMinutes(10));
    }

    private static void run(int watches, Duration time) throws Exception {
        Path folder = Checkout.scratch("ManyWatchesIT/" + watches);
        int metricsPort = FreePorts.take(1).getFirst();
        List<String> paranoid = List.of(
                "env",
                "FAIRLEAD_JAVA_OPTS=-Dio.netty.leakDetection.level=paranoid",
                Checkout.launcher().toString());
        KubeCluster kube = SharedKube.get();
        try (FairleadProcess fairlead = FairleadProcess.startBy(paranoid, folder, flags(folder, metricsPort));
                var metrics = new HttpProbe("http://127.0.0.1:" + metricsPort, Map.of());
                var probe = HttpProbe.withToken(fairlead.endpoint(), AttachedCluster.ROOT_TOKEN)) {
            fairlead.attach("prod", kube.kubeconfig());
            watchTicks(
                    probe, fairlead, watches / 10, Duration.ofSeconds(6)); // loads classes, meets each kind of request
            Footprint before = ManyClustersIT.settled(fairlead, metrics);
            ManyClustersIT.report(folder, "before", before);

            int ticks = watchTicks(probe, fairlead, watches, time);

            Footprint expected = before.withMoreHeap(KEPT_BYTES_MAX);
            Await.until("no more than " + expected + " is held (" + folder + ")", PATIENCE, () -> {
                LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
                Footprint now = Footprint.of(fairlead, metrics);
                ManyClustersIT.report(folder, "after " + ticks + " changes", now);
                return now.isWithin(TOLERANCE, expected);
            });
            assertThat(fairlead.log()).doesNotContain("LEAK");
        }
    }

    /** Connections to the cluster end soon after their last use, so that what is held in the end is seen in time. */
    private static String[] flags(Path folder, int metricsPort) {
        return Stream.concat(
                        Stream.of(ManyClustersIT.flags(folder, metricsPort)),
                        Stream.of("--upstream-idle-timeout", "5s"))
                .toArray(String[]::new);
    }

    /** Changes the object again and again for a while; returns how often. */
    private static int watchTicks(HttpProbe probe, FairleadProcess fairlead, int watches, Duration time)
            throws Exception {
        HttpProbe.Answer created = probe.send("POST", COLLECTION, "application/json", object(0));
        assertThat(created.status()).isEqualTo(201);
        Matcher revision = REVISION.matcher(created.body());
        assertThat(revision.find()).isTrue();
        String url = fairlead.endpoint() + COLLECTION + "?watch=1&fieldSelector=metadata.name%3D" + NAME
                + "&resourceVersion=" + revision.group(1);
        int tick = 0;
        try (TickWatches open = TickWatches.open(watches, url, AttachedCluster.ROOT_TOKEN);
                SteadyRequests requests = SteadyRequests.start(
                        fairlead.endpoint(), AttachedCluster.ROOT_TOKEN, COLLECTION, REQUESTS_PER_SECOND)) {
            long end = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < end) {
                tick++;
                assertThat(probe.send("PUT", COLLECTION + "/" + NAME, "application/json", object(tick))
                                .status())
                        .isEqualTo(200);
                LockSupport.parkNanos(TICK_EVERY.toNanos());
            }
            int last = tick;
            Await.until("each watch has heard of " + last, PATIENCE, () -> open.haveAllHeard(last));
            requests.stop();
            assertThat(open.faults()).isEmpty();
            assertThat(requests.failures()).isEmpty();
            assertThat(requests.answered()).isPositive();
        }
        assertThat(probe.delete(COLLECTION + "/" + NAME).status()).isEqualTo(200);
        return tick;
    }

    private static String object(int tick) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + NAME
                + "\"},\"data\":{\"tick\":\"" + tick + "\"}}";
    }
}
