package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Events.Event;
import io.fairlead.schema.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of watches: order, resumption, bookmarks, initial events, ends. */
@ParameterizedClass
@EnumSource(Engine.class)
class WatchTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int HISTORY = 8;
    private static final int BUFFER = 16;

    private final Fixture fixture;
    private final Api api;

    WatchTest(Engine engine, @TempDir Path directory) {
        fixture = new Fixture(engine.open(directory), Fixture.settings(HISTORY, BUFFER), List.of());
        api = fixture.dev();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private long create(String name) {
        return revision(api.create(MAPS, "metadata: {name: " + name + "}").expect(201));
    }

    private static long revision(Api.Answer answer) {
        return Long.parseLong(answer.resourceVersion());
    }

    private long label(String name, String value) {
        return revision(api.merge(MAPS + "/" + name, "{\"metadata\":{\"labels\":{\"on\":\"" + value + "\"}}}")
                .expect(200));
    }

    @Test
    void watch_fromAListsRevision_seesWhatComesAfter() {
        create("before");
        String revision = api.get(MAPS).resourceVersion();
        try (Events events = api.watch(MAPS + "?resourceVersion=" + revision)) {
            long added = create("a");
            long changed = label("a", "x");
            api.delete(MAPS + "/a").expect(200);

            assertThat(events.texts(3))
                    .containsExactly("ADDED a@" + added, "MODIFIED a@" + changed, "DELETED a@" + (changed + 1));
        }
    }

    @Test
    void watch_withoutARevision_beginsWithTheState() {
        long a = create("a");
        for (String revision : List.of("", "&resourceVersion=0")) {
            try (Events events = api.watch(MAPS + "?timeoutSeconds=60" + revision)) {
                assertThat(events.next().text()).isEqualTo("ADDED a@" + a);
            }
        }
    }

    @Test
    void watch_ofOneObject_byNameOrSelector() {
        create("a");
        for (String path :
                List.of("/api/v1/watch/namespaces/default/configmaps/a", MAPS + "?fieldSelector=metadata.name=a")) {
            try (Events events = api.watch(path)) {
                create("z" + path.length());
                long changed = label("a", "l" + path.length());
                assertThat(events.next().type()).isEqualTo("ADDED");
                assertThat(events.next().text()).isEqualTo("MODIFIED a@" + changed);
            }
        }
    }

    @Test
    void watch_ofASelector_addsWhatEntersAndDeletesWhatLeaves() {
        create("a");
        String revision = api.get(MAPS).resourceVersion();
        try (Events events = api.watch(MAPS + "?labelSelector=on=yes&resourceVersion=" + revision)) {
            long entered = label("a", "yes");
            long left = label("a", "no");
            label("a", "other");
            long again = label("a", "yes");
            api.delete(MAPS + "/a").expect(200);

            assertThat(events.next().text()).isEqualTo("ADDED a@" + entered);
            Event deleted = events.next();
            assertThat(deleted.text()).isEqualTo("DELETED a@" + left);
            assertThat(deleted.object().at("/metadata/labels/on").stringValue()).isEqualTo("yes");
            assertThat(events.texts(2)).containsExactly("ADDED a@" + again, "DELETED a@" + (again + 1));
        }
    }

    @Test
    void watch_seesTheFinalizersOfADeletedObject() {
        api.create(MAPS, "metadata: {name: a, finalizers: [example.com/f]}").expect(201);
        String revision = api.get(MAPS).resourceVersion();
        try (Events events = api.watch(MAPS + "?resourceVersion=" + revision)) {
            api.delete(MAPS + "/a").expect(200);
            api.merge(MAPS + "/a", "{\"metadata\":{\"finalizers\":[]}}").expect(200);

            assertThat(events.next().type()).isEqualTo("MODIFIED");
            Event deleted = events.next();
            assertThat(deleted.type()).isEqualTo("DELETED");
            assertThat(deleted.object().at("/metadata/finalizers/0").stringValue())
                    .isEqualTo("example.com/f");
        }
    }

    @Test
    void watch_fromACompactedRevision_isOneErrorEvent() {
        long first = create("a");
        create("b");
        fixture.compact();
        try (Events events = api.watch(MAPS + "?resourceVersion=" + (first - 1))) {
            Event error = events.next();

            assertThat(error.type()).isEqualTo("ERROR");
            assertThat(error.object().path("code").asInt()).isEqualTo(410);
            assertThat(error.object().path("reason").stringValue()).isEqualTo("Expired");
            assertThat(error.object().path("message").stringValue())
                    .isEqualTo("too old resource version: " + (first - 1) + " (" + fixture.store.compactedRevision()
                            + ")");
            assertThat(events.nextOrNull()).isNull();
        }
        try (Events events = api.watch(MAPS + "?resourceVersion=" + fixture.store.compactedRevision())) {
            long c = create("c");
            assertThat(events.next().text()).isEqualTo("ADDED c@" + c);
        }
    }

    @Test
    void watch_whoseStateIsCompactedAwayWhileItIsRead_endsAfterOneErrorEvent() {
        String large = "x".repeat(100_000);
        for (String name : List.of("a", "b", "c", "d", "e", "f")) {
            api.create(MAPS, "{metadata: {name: " + name + "}, data: {v: " + large + "}}")
                    .expect(201);
        }
        try (Events events = api.watch(MAPS)) {
            assertThat(events.next().type()).isEqualTo("ADDED");
            create("later");
            fixture.compact();
            Event event = events.next();
            while (event.type().equals("ADDED")) {
                event = events.next();
            }

            assertThat(event.type()).isEqualTo("ERROR");
            assertThat(event.object().path("code").asInt()).isEqualTo(410);
            assertThat(events.nextOrNull()).isNull();
        }
    }

    @Test
    void watch_fromTheFuture_waitsForIt() {
        long now = create("a");
        try (Events events = api.watch(MAPS + "?resourceVersion=" + (now + 1))) {
            create("b");
            long c = create("c");

            assertThat(events.next().text()).isEqualTo("ADDED c@" + c);
        }
    }

    @Test
    void sendInitialEvents_endsTheStateWithABookmark() {
        long a = create("a");
        label("a", "yes");
        create("b");
        String watchList = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
        try (Events events = api.watch(MAPS + "?labelSelector=on=yes&" + watchList)) {
            assertThat(events.next().text()).isEqualTo("ADDED a@" + (a + 1));
            Event bookmark = events.next();

            assertThat(bookmark.type()).isEqualTo("BOOKMARK");
            assertThat(bookmark.revision()).isGreaterThanOrEqualTo(a + 2);
            assertThat(Json.text(bookmark.object()))
                    .isEqualTo("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\""
                            + bookmark.revision()
                            + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}");
        }
        api.get(MAPS + "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true")
                .expect(422);
        api.get(MAPS + "?watch=1&resourceVersionMatch=NotOlderThan").expect(422);
        api.get(MAPS + "?watch=1&continue=abc").expect(422);
        api.get(MAPS + "?watch=1&timeoutSeconds=zz").expect(400);
        assertThat(api.get(MAPS + "?watch=1&limit=abc").expect(400).message())
                .isEqualTo("strconv.ParseInt: parsing \"abc\": invalid syntax");
    }

    /** Without bookmarks the state ends unmarked; a parameter without a value is true. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
                "sendInitialEvents=&resourceVersionMatch=NotOlderThan",
                "allowWatchBookmarks=false",
                "resourceVersion=0&allowWatchBookmarks=0",
                "sendInitialEvents=1&resourceVersionMatch=NotOlderThan&resourceVersion=1"
            })
    void initialEvents_withoutBookmarks_areFollowedByChanges(String parameters) {
        long a = create("a");
        try (Events events = api.watch(MAPS + "?" + parameters)) {
            assertThat(events.next().text()).isEqualTo("ADDED a@" + a);
            long b = create("b");

            assertThat(events.next().text()).isEqualTo("ADDED b@" + b);
        }
    }

    /** A client that asks for bookmarks alone is told too where the state ends (apimachinery {@code SetListOptionsDefaults}). */
    @ParameterizedTest
    @ValueSource(
            strings = {"allowWatchBookmarks=true", "allowWatchBookmarks=", "allowWatchBookmarks=1&resourceVersion=0"})
    void bookmarks_markTheEndOfTheState(String parameters) {
        long a = create("a");
        try (Events events = api.watch(MAPS + "?" + parameters)) {
            assertThat(events.next().text()).isEqualTo("ADDED a@" + a);
            Event bookmark = events.next();

            assertThat(bookmark.type()).isEqualTo("BOOKMARK");
            assertThat(bookmark.object()
                            .at("/metadata/annotations/k8s.io~1initial-events-end")
                            .asString())
                    .isEqualTo("true");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&resourceVersion=0"})
    void initialEvents_thatAreDeclined_doNotCome(String parameters) {
        create("a");
        try (Events events = api.watch(MAPS
                + "?sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true" + parameters)) {
            long b = create("b");

            assertThat(events.next().text()).isEqualTo("ADDED b@" + b);
        }
    }

    @Test
    void bookmarks_advanceThoughTheResourceIsQuiet() {
        String revision = api.get(MAPS).resourceVersion();
        try (Events events = api.watch(MAPS + "?allowWatchBookmarks=true&resourceVersion=" + revision)) {
            long elsewhere = revision(api.create("/api/v1/namespaces/default/secrets", "metadata: {name: s}")
                    .expect(201));
            Event bookmark = events.next();
            while (bookmark.revision() < elsewhere) {
                assertThat(bookmark.type()).isEqualTo("BOOKMARK");
                bookmark = events.next();
            }
            assertThat(Json.text(bookmark.object()))
                    .isEqualTo("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\""
                            + bookmark.revision() + "\"}}");
        }
    }

    @Test
    void timeoutSeconds_endsTheWatchCleanly() {
        try (Events events = api.watch(MAPS + "?timeoutSeconds=1")) {
            assertThat(events.nextOrNull()).isNull();
        }
    }

    @Test
    void timeoutSecondsBelowZero_endsTheWatchAtOnce() {
        try (Events events = api.watch(MAPS + "?timeoutSeconds=-5")) {
            assertThat(events.nextOrNull()).isNull();
        }
    }

    @Test
    void slowWatcher_isEndedAfterWhatItHolds_andResumesWithoutLoss() {
        String start = api.get(MAPS).resourceVersion();
        List<String> expected = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        try (Events events = api.watch(MAPS + "?resourceVersion=" + start);
                Events quick = api.watch(MAPS + "?resourceVersion=" + start)) {
            for (int i = 0; i < 3 * BUFFER; i++) {
                expected.add("ADDED m" + i + "@" + create("m" + i));
                // What one watch is told of came by the other as well: nothing is read from that before it has
                // overflowed.
                assertThat(quick.next().name()).isEqualTo("m" + i);
            }
            for (Event event = events.nextOrNull(); event != null; event = events.nextOrNull()) {
                seen.add(event.text());
            }
        }
        assertThat(seen).hasSize(BUFFER);
        String last = seen.getLast().substring(seen.getLast().indexOf('@') + 1);
        try (Events events = api.watch(MAPS + "?resourceVersion=" + last)) {
            seen.addAll(events.texts(expected.size() - seen.size()));
        }
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void close_endsABlockedRead() throws Exception {
        Events events = api.watch(MAPS + "?resourceVersion=" + fixture.store.revision());
        Thread reader =
                Thread.ofVirtual().start(() -> assertThat(events.nextOrNull()).isNull());

        events.close();
        reader.join();
    }

    @Test
    void closeOfTheCluster_endsItsWatches() {
        Events events = api.watch(MAPS + "?resourceVersion=" + fixture.store.revision());

        fixture.clusters.close(Fixture.DEV);

        assertThat(events.nextOrNull()).isNull();
    }

    @Test
    void allWatchers_seeTheSameOrder_fromWhereverTheyResume() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String start = api.get(MAPS).resourceVersion();
        int writes = 120;
        Thread writer = Thread.ofVirtual().start(() -> randomWrites(new Random(seed), writes));
        List<List<String>> logs = new ArrayList<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            List<String> log = new ArrayList<>();
            logs.add(log);
            long choices = random.nextLong();
            readers.add(Thread.ofVirtual().start(() -> follow(start, new Random(choices), writes, log)));
        }
        writer.join();
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(logs.getFirst()).as("seed %s", seed).hasSize(writes);
        assertThat(logs).as("seed %s", seed).allMatch(logs.getFirst()::equals);
    }

    /** Creates, changes and deletes at random; each write makes one event. */
    private void randomWrites(Random random, int count) {
        List<String> living = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int choice = living.isEmpty() ? 0 : random.nextInt(3);
            String name = choice == 0 ? "m" + i : living.get(random.nextInt(living.size()));
            switch (choice) {
                case 0 -> {
                    create(name);
                    living.add(name);
                }
                case 1 -> label(name, "v" + i);
                default -> {
                    api.delete(MAPS + "/" + name).expect(200);
                    living.remove(name);
                }
            }
        }
    }

    /** Reads so many changes, hanging up now and then and going on from the last event or bookmark. */
    private void follow(String start, Random random, int count, List<String> log) {
        String from = start;
        while (log.size() < count) {
            int patience = 1 + random.nextInt(12);
            try (Events events = api.watch(MAPS + "?allowWatchBookmarks=true&resourceVersion=" + from)) {
                Event event = events.nextOrNull();
                while (event != null && log.size() < count && patience-- > 0) {
                    if (!event.type().equals("BOOKMARK")) {
                        log.add(event.text());
                    }
                    from = Long.toString(event.revision());
                    event = patience > 0 && log.size() < count ? events.nextOrNull() : null;
                }
            }
        }
    }
}
