package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.CollectionFollower.Listed;
import io.fairlead.ittests.HttpProbe.Answer;
import io.fairlead.ittests.MixedWriter.Target;
import io.fairlead.ittests.SeenObject.Event;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A server whose hosted clusters are written to and watched by several clients, and which ends amid that again and again. After each
 * end lists are compared with what was sent and acknowledged, and the events of watches with both.
 */
final class CrashRounds implements AutoCloseable {
    private static final List<String> CLUSTERS = List.of("one", "two", "three");
    private static final int WRITERS = 8;
    private static final int OBJECTS_PER_COLLECTION = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int PAUSE_MICROS_MAX = 20_000;

    private final FairleadProcess fairlead;
    private final SplittableRandom random;
    private final List<MixedWriter> writers = new ArrayList<>();

    /** Of each collection, by its path. */
    private final Map<String, CollectionFollower> followers = new TreeMap<>();

    private final Map<String, Followed> followed = new HashMap<>();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private long newest;

    /** Where a collection was when it was looked at last: its revision, and how many events it has had. */
    private record Followed(StoredKind kind, long revision, int events) {}

    CrashRounds(Path folder, long seed) throws Exception {
        random = new SplittableRandom(seed);
        fairlead = FairleadProcess.start(
                folder,
                "--token-auth-file",
                HostedTenants.tokenFile(folder),
                "--secure-port",
                "" + FreePorts.take(1).getFirst(),
                "--hosted-bookmark-interval",
                "100ms");
        try (var probe = HostedTenants.probe(fairlead)) {
            HostedTenants.create(probe, CLUSTERS);
            HostedTenants.define(probe, CLUSTERS);
            for (int i = 0; i < WRITERS; i++) {
                writers.add(new MixedWriter(i, targets(i), random.split()));
            }
            for (String cluster : CLUSTERS) {
                for (StoredKind kind : StoredKind.values()) {
                    follow(kind, kind.collection(cluster));
                }
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** How many writes were acknowledged. */
    int acknowledged() {
        return acknowledged.get();
    }

    /** How often watches went on where they were. */
    int resumed() {
        return followers.values().stream().mapToInt(CollectionFollower::resumed).sum();
    }

    /** Has the clients write until so many writes are acknowledged, ends the server in some way, starts it anew and compares. */
    void round(CrashEnding ending, int writes, String when) throws Exception {
        int enough = acknowledged.get() + writes;
        try (var probe = HostedTenants.probe(fairlead);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (MixedWriter writer : writers) {
                running.add(threads.submit(() -> writer.write(probe, ending.refuses(), acknowledged)));
            }
            Await.until(
                    writes + " writes are acknowledged",
                    PATIENCE,
                    () -> acknowledged.get() >= enough || running.stream().allMatch(Future::isDone));
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(PAUSE_MICROS_MAX)));
            ending.end(fairlead, random, () -> awaitEnd(running));
            awaitEnd(running);
        }
        fairlead.start();
        check(when);
    }

    @Override
    public void close() {
        followers.values().forEach(CollectionFollower::close);
        fairlead.close();
    }

    private static void awaitEnd(List<Future<?>> running) {
        Await.until("the writers end", PATIENCE, () -> running.stream().allMatch(Future::isDone));
    }

    private static List<Target> targets(int writer) {
        List<Target> targets = new ArrayList<>();
        for (String cluster : CLUSTERS) {
            for (StoredKind kind : StoredKind.values()) {
                for (int i = 0; i < OBJECTS_PER_COLLECTION; i++) {
                    String name = "of-writer-" + writer + "-" + i;
                    targets.add(new Target(cluster, kind, name, new WriteHistory(cluster + "/" + kind + "/" + name)));
                }
            }
        }
        return targets;
    }

    private void follow(StoredKind kind, String path) throws Exception {
        CollectionFollower follower =
                CollectionFollower.start(kind, fairlead.endpoint(), path, AttachedCluster.ROOT_TOKEN);
        followers.put(path, follower);
        followed.put(path, new Followed(kind, 0, 0));
    }

    private void check(String when) throws Exception {
        try (var probe = HostedTenants.probe(fairlead)) {
            for (MixedWriter writer : writers) {
                assertThat(writer.faults()).as(when).isEmpty();
            }
            Map<Long, Event> revisions = new HashMap<>();
            for (Map.Entry<String, CollectionFollower> each : followers.entrySet()) {
                checkCollection(probe, each.getKey(), each.getValue(), revisions, when);
            }
            assertThat(revisions.keySet())
                    .as("%s: revisions of this round", when)
                    .allSatisfy(revision -> assertThat(revision).isGreaterThan(newest));
            newest =
                    revisions.keySet().stream().mapToLong(Long::longValue).max().orElse(newest);
        }
    }

    private void checkCollection(
            HttpProbe probe, String path, CollectionFollower follower, Map<Long, Event> revisions, String when)
            throws Exception {
        Followed before = followed.getOrDefault(path, new Followed(StoredKind.CONFIG_MAP, 0, 0));
        Answer answer = probe.get(path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        Listed list = CollectionFollower.listOf(before.kind(), answer.body());
        assertStored(path, list, when);
        Await.until(
                "%s: the copy of %s is as listed; %s".formatted(when, path, follower.faults()),
                PATIENCE,
                () -> follower.held().equals(list.objects()));
        assertThat(follower.faults()).as("%s: a watch of %s", when, path).isEmpty();
        List<Event> all = follower.events();
        assertTold(path, all, when);
        List<Event> ofRound = all.subList(before.events(), all.size());
        for (Event event : ofRound) {
            assertThat(revisions.put(event.object().revision(), event))
                    .as("%s: another change at the revision of %s", when, event)
                    .isNull();
        }
        if (before.revision() > 0) {
            assertReadAgain(path, before, ofRound, when);
        }
        followed.put(path, new Followed(before.kind(), list.revision(), all.size()));
    }

    /** The list shows what was sent and nothing else. */
    private void assertStored(String path, Listed list, String when) {
        Map<String, SeenObject> others = new TreeMap<>(list.objects());
        for (Target target : targetsIn(path)) {
            target.history().settle(others.remove(target.name()), when);
        }
        assertThat(others.keySet())
                .as("%s: objects in %s that were never sent", when, path)
                .noneMatch(name -> name.startsWith("of-writer-"));
    }

    private void assertTold(String path, List<Event> all, String when) {
        Map<String, List<Event>> byName = new HashMap<>();
        all.forEach(event -> byName.computeIfAbsent(event.object().name(), _ -> new ArrayList<>())
                .add(event));
        for (Target target : targetsIn(path)) {
            target.history().assertTold(byName.getOrDefault(target.name(), List.of()), when);
        }
    }

    /** A watch that begins before the end of the server reads the same once more, from what is stored. */
    private void assertReadAgain(String path, Followed from, List<Event> expected, String when) throws Exception {
        List<Event> again = WatchedPast.read(
                from.kind(), fairlead.endpoint() + path, AttachedCluster.ROOT_TOKEN, from.revision(), expected.size());
        assertThat(again)
                .as("%s: a watch of %s from %d on", when, path, from.revision())
                .isEqualTo(expected);
    }

    private List<Target> targetsIn(String path) {
        return writers.stream()
                .flatMap(writer -> writer.targets().stream())
                .filter(target -> target.collection().equals(path))
                .toList();
    }
}
