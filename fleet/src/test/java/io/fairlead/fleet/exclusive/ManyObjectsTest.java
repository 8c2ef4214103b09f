package io.fairlead.fleet.exclusive;

import static io.fairlead.fleet.root.RootCluster.ADMIN;
import static io.fairlead.fleet.root.RootCluster.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.conflicts.ConflictTransitions;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.RootCluster;
import io.fairlead.model.ClusterName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rule about 10,000 objects in 20 hosted clusters. */
final class ManyObjectsTest {
    private static final int CLUSTERS = 20;
    private static final int OBJECTS_EACH = 500;
    private static final int CONFLICTS = 100;
    private static final String RULE = "/apis/fairlead.io/v1alpha1/exclusivekeys";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final RootCluster root = new RootCluster(_ -> Optional.empty());
    private final List<ClusterName> names =
            IntStream.range(0, CLUSTERS).mapToObj(i -> new ClusterName("c" + i)).toList();
    private final Map<ClusterName, ClusterEntry> clusters = names.stream()
            .collect(Collectors.toMap(Function.identity(), name -> new ClusterEntry.Hosted(root.hosted.open(name))));

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        root.close();
    }

    @Test
    void aNewConflictIsReportedWithinASecond_andAllWithinTenAfterARestart() throws IOException {
        for (ClusterName name : names) {
            for (int i = 0; i < OBJECTS_EACH; i++) {
                create(name, "m" + i, name + "-" + i);
            }
        }
        root.create(RULE, """
            {apiVersion: fairlead.io/v1alpha1, kind: ExclusiveKey, metadata: {name: hosts}, spec: {clusters: {all: true},
            resource: {version: v1, resource: configmaps}, scope: Fleet, key: 'has(object.data) && has(object.data.host) ?
            object.data.host : null'}}\
            """);
        List<Long> millis = new ArrayList<>();
        try (Informers informers = informers();
                ExclusiveKeys keys = process(informers)) {
            eventually("all are compared", () -> objects() >= CLUSTERS * OBJECTS_EACH);
            Random random = new Random(7);
            for (int i = 0; i < CONFLICTS; i++) {
                int conflicts = i + 1;
                ClusterName holder = names.get(random.nextInt(CLUSTERS));
                long began = System.nanoTime();
                create(names.get(random.nextInt(CLUSTERS)), "rival" + i, holder + "-" + i);
                eventually("it is reported", () -> conflicts() == conflicts);
                millis.add((System.nanoTime() - began) / 1_000_000);
            }
            assertThat(keys.conflictsTotal()).isEqualTo(CONFLICTS);
        }
        Collections.sort(millis);
        assertThat(millis.get(CONFLICTS * 99 / 100 - 1)).as("p99 of %s", millis).isLessThan(1_000);

        root.send(ADMIN, "PATCH", RULE + "/hosts/status", "{status: null}");
        long began = System.nanoTime();
        try (Informers informers = informers();
                ExclusiveKeys _ = process(informers)) {
            eventually("all are found again", () -> conflicts() == CONFLICTS);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }

    private Informers informers() {
        return new Informers(this::entry, _ -> 1, Instant::now);
    }

    private ClusterEntry entry(ClusterName name) {
        return clusters.getOrDefault(name, new ClusterEntry.NotRegistered(name));
    }

    private ExclusiveKeys process(Informers informers) throws IOException {
        ExclusiveKeys keys = new ExclusiveKeys(
                root.root,
                () -> clusters.keySet().stream().collect(Collectors.toMap(Function.identity(), _ -> Map.of())),
                this::entry,
                (_, _) -> true,
                informers,
                KeySecret.open(folder.resolve("secret")),
                root.keyAdmission,
                ExclusiveKeys.CLAIMS_BYTES_MAX,
                ConflictTransitions.NONE,
                Instant::now,
                new Random(1));
        keys.start();
        return keys;
    }

    private void create(ClusterName cluster, String name, String host) {
        RootCluster.Answer answer = RootCluster.send(
                root.hosted.open(cluster),
                "POST",
                MAPS,
                "{metadata: {name: " + name + "}, data: {host: " + host + "}}");
        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
    }

    private int objects() {
        return root.send(ADMIN, "GET", RULE + "/hosts", "")
                .body()
                .at("/status/objects")
                .asInt(0);
    }

    private int conflicts() {
        return root.send(ADMIN, "GET", RULE + "/hosts", "")
                .body()
                .at("/status/conflictsTotal")
                .asInt(0);
    }
}
