package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.model.ClusterName;
import io.fairlead.storage.EmbeddedStore;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.Change;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hosted clusters over a store whose log ends at any byte, as a torn write leaves it: they hold each write up to some revision, with it
 * each that was acknowledged before that byte, and nothing else.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TornLogTest {
    private static final long SEED = Long.getLong("fuzz.seed", 20261127L);
    private static final int CUTS = 8;
    private static final int WRITERS = 4;
    private static final int WRITES = 40;
    private static final String WRITTEN = "of-writer-";
    private static final List<ClusterName> CLUSTERS = List.of(Fixture.DEV, new ClusterName("test"));
    private static final List<String> COLLECTIONS = List.of(
            "/api/v1/namespaces/default/configmaps", "/api/v1/namespaces/default/secrets", CustomResourcesFixture.FOOS);

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();

    @TempDir
    Path temporary = Path.of("");

    /** A write that had been acknowledged when the log was so long. */
    private record Acknowledged(long revision, long logBytes) {}

    @Test
    void clusters_holdEachWriteUpToARevision_andNothingElse() throws Exception {
        Path whole = temporary.resolve("whole");
        Path copy = temporary.resolve("copy");
        List<Change> changes;
        try (var fixture = new Fixture(Engine.EMBEDDED, whole)) {
            for (ClusterName cluster : CLUSTERS) {
                define(fixture.api(cluster));
            }
            write(fixture, log(whole));
            changes = allChanges(fixture.store);
            copy(whole, copy);
        }

        long bytes = Files.size(log(copy));
        for (int i = 0; i < CUTS; i++) {
            long cut = i == 0 ? bytes : random.nextLong(bytes);
            Path torn = temporary.resolve("torn-" + i);
            copy(copy, torn);
            try (FileChannel log = FileChannel.open(log(torn), StandardOpenOption.WRITE)) {
                log.truncate(cut);
            }
            Files.deleteIfExists(torn.resolve("NEWEST-REVISION")); // by which the store may refuse to open
            check(torn, cut, changes, "seed %d, log of %d bytes, cut at %d".formatted(SEED, bytes, cut));
        }
    }

    private static void define(Api api) {
        api.create(CustomResourcesFixture.CRDS, CustomResourcesFixture.crd("foos", "Foo"))
                .expect(201);
        Fixture.eventually(
                "foos are served", () -> api.get(CustomResourcesFixture.FOOS).code() == 200);
    }

    /** Writers of objects of their own, in turns over clusters and kinds. */
    private void write(Fixture fixture, Path log) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String name = WRITTEN + i;
                SplittableRandom own = random.split();
                writers.add(threads.submit(() -> writeAll(fixture, name, own, log)));
            }
            for (Future<?> writer : writers) {
                writer.get();
            }
        }
    }

    private void writeAll(Fixture fixture, String name, SplittableRandom own, Path log) {
        for (int n = 0; n < WRITES; n++) {
            Api api = fixture.api(CLUSTERS.get(own.nextInt(CLUSTERS.size())));
            writeOne(api, COLLECTIONS.get(own.nextInt(COLLECTIONS.size())), name, n, own);
            acknowledged.add(new Acknowledged(fixture.store.revision(), size(log)));
        }
    }

    private static void writeOne(Api api, String collection, String name, int n, SplittableRandom random) {
        boolean isNew = api.get(collection + "/" + name).code() == 404;
        String spec = collection.equals(CustomResourcesFixture.FOOS)
                ? ",\"apiVersion\":\"example.com/v1\",\"kind\":\"Foo\",\"spec\":{\"size\":1}"
                : "";
        String filler = ("n" + n).repeat(random.nextInt(800));
        String object =
                "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"n\":\"%d\"},\"annotations\":{\"filler\":\"%s\"}}%s}"
                        .formatted(name, n, filler, spec);
        if (isNew) {
            api.createJson(collection, object).expect(201);
        } else if (random.nextInt(4) == 0) {
            api.delete(collection + "/" + name).expect(200);
        } else {
            api.merge(collection + "/" + name, object).expect(200);
        }
    }

    private void check(Path directory, long cut, List<Change> changes, String when) {
        try (EmbeddedStore store = EmbeddedStore.open(directory, Engine.OPTIONS)) {
            long newest = store.revision();
            assertThat(acknowledged)
                    .as(when)
                    .filteredOn(each -> each.logBytes() <= cut)
                    .allSatisfy(each -> assertThat(each.revision()).isLessThanOrEqualTo(newest));
            List<Change> kept = changes.stream()
                    .filter(change -> change.revision() <= newest)
                    .toList();
            assertThat(texts(allChanges(store))).as(when).isEqualTo(texts(kept));
            checkClusters(store, kept, when);
        }
    }

    /** Lists show the state, a watch from the past what led to it, and what is written has a revision of its own. */
    private static void checkClusters(EmbeddedStore store, List<Change> kept, String when) {
        long newest = store.revision();
        var fixture = new Fixture(store, Fixture.settings(1024, 1024), List.of());
        try {
            for (ClusterName cluster : CLUSTERS) {
                Api api = fixture.api(cluster);
                for (String collection : COLLECTIONS.subList(0, 2)) {
                    assertThat(listed(api, collection))
                            .as("%s: %s of %s", when, collection, cluster)
                            .isEqualTo(replayed(api, collection, newest));
                }
                String revision = api.create(COLLECTIONS.getFirst(), "metadata: {generateName: next-}")
                        .expect(201)
                        .resourceVersion();
                assertThat(Long.parseLong(revision)).as(when).isGreaterThan(newest);
            }
            assertThat(kept.size()).as(when).isEqualTo((int) newest - 1);
        } finally {
            fixture.stop();
        }
    }

    private static Map<String, String> listed(Api api, String collection) {
        Map<String, String> listed = new TreeMap<>();
        api.get(collection)
                .expect(200)
                .body()
                .path("items")
                .forEach(item -> listed.put(
                        item.at("/metadata/name").asString(""),
                        item.at("/metadata/resourceVersion").asString("")));
        listed.keySet().removeIf(name -> !name.startsWith(WRITTEN));
        return listed;
    }

    /** The state that the events of a watch lead to that begins when there was only the namespace. */
    private static Map<String, String> replayed(Api api, String collection, long newest) {
        Map<String, String> state = new TreeMap<>();
        String from = "?allowWatchBookmarks=true&resourceVersion="
                + api.get("/api/v1/namespaces/default").expect(200).resourceVersion();
        try (Events events = api.watch(collection + from)) {
            for (Events.Event event = events.next();
                    !event.type().equals("BOOKMARK") || event.revision() < newest;
                    event = events.next()) {
                switch (event.type()) {
                    case "ADDED", "MODIFIED" -> state.put(event.name(), "" + event.revision());
                    case "DELETED" -> state.remove(event.name());
                    default -> assertThat(event.type()).isEqualTo("BOOKMARK");
                }
            }
        }
        state.keySet().removeIf(name -> !name.startsWith(WRITTEN));
        return state;
    }

    private static List<String> texts(List<Change> changes) {
        return changes.stream().map(TornLogTest::text).toList();
    }

    private static String text(Change change) {
        byte[] value = change.value();
        return change.revision() + " " + change.key() + " " + (value == null ? "deleted" : new String(value, UTF_8));
    }

    private static List<Change> allChanges(RevisionedStore store) {
        List<Change> all = new ArrayList<>();
        for (List<Change> some = store.changes(1, 1000); !some.isEmpty(); ) {
            all.addAll(some);
            some = store.changes(all.getLast().revision(), 1000);
        }
        return all;
    }

    private static Path log(Path directory) {
        try (Stream<Path> files = Files.list(directory.resolve("rocksdb"))) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .max(Path::compareTo)
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path path :
                    tree.filter(each -> !each.toString().contains("native")).toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }
}
