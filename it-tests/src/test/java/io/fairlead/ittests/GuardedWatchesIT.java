package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Watches of an attached cluster, each of which is told of one change a second, with the guard in force and without. */
@Isolated("it measures how soon many watches are told")
final class GuardedWatchesIT {
    private static final String COLLECTION = "/clusters/prod/api/v1/namespaces/default/configmaps";
    private static final Duration TICK_EVERY = Duration.ofSeconds(1);
    private static final Duration LOOK_EVERY = Duration.ofMillis(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration ADDED_MAX = Duration.ofMillis(1);
    private static final Pattern REVISION = Pattern.compile("\"resourceVersion\":\\s*\"(\\d+)\"");

    @Test
    void guardedWatches_areToldOfEachChange() throws Exception {
        measure(5, 2, 1, 3);
    }

    @Test
    @Tag("endurance")
    void fiveThousandGuardedWatches_areToldAtMostAMillisecondLater() throws Exception {
        List<Duration> added = measure(50, 100, 5, 30);
        Collections.sort(added);
        assertThat(added.get(added.size() / 2)).isLessThanOrEqualTo(ADDED_MAX);
    }

    /** What the guard adds to the 99th percentile, for each round of a while without it and a while with it. */
    private static List<Duration> measure(int objects, int watchesOfEach, int rounds, int ticks) throws Exception {
        Path folder = Files.createDirectories(Checkout.scratch("GuardedWatchesIT/" + watchesOfEach));
        List<Duration> added = new ArrayList<>();
        try (var attached = AttachedCluster.ofShared(folder).start();
                var probe = HttpProbe.withToken(attached.fairlead().endpoint(), AttachedCluster.ROOT_TOKEN)) {
            Kubectl root =
                    new Kubectl(folder.resolve("root"), attached.fairlead().adminKubeconfig());
            for (int round = 0; round < rounds; round++) {
                Duration without = percentile99(root, "Off", probe, attached, objects, watchesOfEach, ticks);
                Duration with = percentile99(root, "Enforce", probe, attached, objects, watchesOfEach, ticks);
                added.add(with.minus(without));
                report(folder, "p99 without the guard " + without + ", with it " + with);
            }
        }
        return added;
    }

    private static Duration percentile99(
            Kubectl root,
            String mode,
            HttpProbe probe,
            AttachedCluster attached,
            int objects,
            int watchesOfEach,
            int ticks)
            throws Exception {
        root.succeed("patch", "cluster", "prod", "--type=merge", "-p", "{\"spec\":{\"historyMode\":\"" + mode + "\"}}");
        List<TickWatches> all = new ArrayList<>();
        try {
            for (int object = 0; object < objects; object++) {
                all.add(watchesOf(object, probe, attached.fairlead().endpoint(), watchesOfEach));
            }
            List<Long> nanos = new ArrayList<>();
            for (int tick = 1; tick <= ticks; tick++) {
                for (int object = 0; object < objects; object++) {
                    long began = System.nanoTime();
                    nanos.addAll(tell(object, tick, probe, all.get(object)));
                    LockSupport.parkNanos(TICK_EVERY.dividedBy(objects).toNanos() - (System.nanoTime() - began));
                }
            }
            assertThat(all).allSatisfy(watches -> assertThat(watches.faults()).isEmpty());
            assertThat(nanos).hasSize(objects * watchesOfEach * ticks);
            Collections.sort(nanos);
            return Duration.ofNanos(nanos.get(nanos.size() * 99 / 100));
        } finally {
            all.forEach(TickWatches::close);
            for (int object = 0; object < objects; object++) {
                probe.delete(COLLECTION + "/" + name(object));
            }
        }
    }

    private static TickWatches watchesOf(int object, HttpProbe probe, String endpoint, int count) throws Exception {
        HttpProbe.Answer created = probe.send("POST", COLLECTION, "application/json", map(object, 0));
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        Matcher revision = REVISION.matcher(created.body());
        assertThat(revision.find()).isTrue();
        String url = endpoint + COLLECTION + "?watch=1&fieldSelector=metadata.name%3D" + name(object)
                + "&resourceVersion=" + revision.group(1);
        return TickWatches.open(count, url, AttachedCluster.ROOT_TOKEN);
    }

    /** Changes an object; returns how long after the request each of its watches heard of it, in nanoseconds. */
    private static List<Long> tell(int object, int tick, HttpProbe probe, TickWatches watches) throws Exception {
        long began = System.nanoTime();
        assertThat(probe.send("PUT", COLLECTION + "/" + name(object), "application/json", map(object, tick))
                        .status())
                .isEqualTo(200);
        while (!watches.haveAllHeard(tick)) {
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(PATIENCE);
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
        return watches.lastHeardNanos().stream().map(heard -> heard - began).toList();
    }

    private static void report(Path folder, String line) throws IOException {
        Files.writeString(
                folder.resolve("report.txt"), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String name(int object) {
        return "guarded-" + object;
    }

    private static String map(int object, int tick) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name(object)
                + "\"},\"data\":{\"tick\":\"" + tick + "\"}}";
    }
}
