package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.fairlead.storage.RevisionedStore.Change;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.CommitResult.Committed;
import io.fairlead.storage.RevisionedStore.CommitResult.Mismatch;
import io.fairlead.storage.RevisionedStore.CompactedException;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every engine behind {@link RevisionedStore} must do; each engine's test inherits it. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class RevisionedStoreContract {
    private static final Duration SOON = Duration.ofSeconds(20);

    private RevisionedStore store = new MemoryStore();

    /** A new, empty store; closed by the contract. */
    protected abstract RevisionedStore newStore();

    @BeforeEach
    final void openStore() {
        store = newStore();
    }

    @AfterEach
    final void closeStore() {
        store.close();
    }

    @Test
    void revision_ofANewStore_isOne() {
        assertThat(store.revision()).isEqualTo(1);
        assertThat(store.compactedRevision()).isEqualTo(1);
        assertThat(store.changes(1, 10)).isEmpty();
        assertThat(store.list("", null, 0, 1)).isEmpty();
    }

    @Test
    void commit_ofEachKind_takesTheNextRevision() {
        assertThat(put("a", "1", 0)).isEqualTo(new Committed(2));
        assertThat(put("b", "1", 0)).isEqualTo(new Committed(3));
        assertThat(put("a", "2", 2)).isEqualTo(new Committed(4));
        assertThat(delete("b", 3)).isEqualTo(new Committed(5));
        assertThat(store.revision()).isEqualTo(5);
    }

    @Test
    void commit_ofAKeyThatExists_changesNothingAndTellsWhatStandsThere() {
        put("a", "1", 0);

        assertMismatch(put("a", "2", 0), "1", 2);

        assertThat(store.revision()).isEqualTo(2);
        assertThat(text(store.get("a"))).isEqualTo("1");
    }

    @Test
    void commit_atAStaleRevision_changesNothing() {
        put("a", "1", 0);
        put("a", "2", 2);

        assertMismatch(put("a", "3", 2), "2", 3);
        assertMismatch(delete("a", 2), "2", 3);

        assertThat(store.revision()).isEqualTo(3);
    }

    @Test
    void commit_toAKeyThatIsGone_saysSo() {
        put("a", "1", 0);
        delete("a", 2);

        assertThat(put("a", "2", 2)).isEqualTo(new Mismatch(null));
        assertThat(delete("a", 2)).isEqualTo(new Mismatch(null));
        assertThat(delete("never", 7)).isEqualTo(new Mismatch(null));
    }

    @Test
    void createRevision_staysThroughUpdatesAndBeginsAnewAfterADeletion() {
        put("a", "1", 0);
        put("a", "2", 2);
        assertThat(required(store.get("a")).createRevision()).isEqualTo(2);
        delete("a", 3);
        put("a", "3", 0);

        assertThat(required(store.get("a")).createRevision()).isEqualTo(5);
        assertThat(required(store.get("a")).revision()).isEqualTo(5);
    }

    @Test
    void get_atARevision_isWhatStoodThereThen() {
        put("a", "1", 0);
        put("a", "2", 2);
        delete("a", 3);
        put("a", "3", 0);

        assertThat(store.get("a", 1)).isNull();
        assertThat(text(store.get("a", 2))).isEqualTo("1");
        assertThat(text(store.get("a", 3))).isEqualTo("2");
        assertThat(store.get("a", 4)).isNull();
        assertThat(text(store.get("a", 5))).isEqualTo("3");
    }

    @Test
    void get_ofAKeyThatIsAPrefixOfAnother_isNotTheOther() {
        put("ab", "longer", 0);

        assertThat(store.get("a")).isNull();
        assertThat(store.get("abc")).isNull();
    }

    @Test
    void get_ofTheFuture_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.get("a", 2)).withMessageContaining("revision 2");
    }

    @Test
    void emptyValue_isAValue() {
        put("a", "", 0);

        assertThat(text(store.get("a"))).isEmpty();
        assertThat(store.changes(1, 1).getFirst().value()).isEmpty();
    }

    @Test
    void list_isInByteOrderAndWithinThePrefix() {
        for (String key : List.of("/b/1", "/a/2", "/a/10", "/a/1", "/a", "/a!", "/a/1/x", "~", " ")) {
            put(key, key, 0);
        }

        assertThat(keys("/a/", null, 0)).containsExactly("/a/1", "/a/1/x", "/a/10", "/a/2");
        assertThat(keys("", null, 0)).containsExactly(" ", "/a", "/a!", "/a/1", "/a/1/x", "/a/10", "/a/2", "/b/1", "~");
        assertThat(keys("/c", null, 0)).isEmpty();
    }

    @Test
    void list_afterAKey_goesOnBehindItWhetherItExistsOrNot() {
        for (String key : List.of("/a/1", "/a/2", "/a/3", "/b/1")) {
            put(key, key, 0);
        }

        assertThat(keys("/a/", "/a/1", 0)).containsExactly("/a/2", "/a/3");
        assertThat(keys("/a/", "/a/1x", 0)).containsExactly("/a/2", "/a/3");
        assertThat(keys("/a/", "/a/1", 1)).containsExactly("/a/2");
        assertThat(keys("/a/", "/a/3", 0)).isEmpty();
        assertThat(keys("/a/", "/0", 0)).containsExactly("/a/1", "/a/2", "/a/3");
        assertThat(keys("/a/", "/b/1", 0)).isEmpty();
        assertThat(store.count("/a/", "/a/1", store.revision())).isEqualTo(2);
    }

    @Test
    void list_inPagesAtOneRevision_isNotDisturbedByLaterWrites() {
        for (int i = 0; i < 9; i++) {
            put("/p/" + i, "old", 0);
        }
        long snapshot = store.revision();
        List<Entry> first = store.list("/p/", null, 4, snapshot);
        delete("/p/5", 7);
        put("/p/6", "new", 8);
        put("/p/5a", "new", 0);

        List<Entry> second = store.list("/p/", first.getLast().key(), 4, snapshot);
        List<Entry> third = store.list("/p/", second.getLast().key(), 4, snapshot);

        assertThat(first).extracting(Entry::key).containsExactly("/p/0", "/p/1", "/p/2", "/p/3");
        assertThat(second).extracting(Entry::key).containsExactly("/p/4", "/p/5", "/p/6", "/p/7");
        assertThat(second).extracting(entry -> text(entry)).containsOnly("old");
        assertThat(third).extracting(Entry::key).containsExactly("/p/8");
        assertThat(store.count("/p/", null, snapshot)).isEqualTo(9);
    }

    @Test
    void page_endsWithTheEntryThatReachesItsBytes() {
        for (String key : List.of("p/a", "p/b", "p/c", "p/d", "q")) {
            put(key, "12345", 0);
        }
        long revision = store.revision();

        assertThat(pages("p/", 1, revision)).containsExactly("p/a", "p/b", "p/c", "p/d");
        assertThat(pages("p/", 8, revision)).containsExactly("p/a", "p/b", "p/c", "p/d");
        assertThat(pages("p/", 9, revision)).containsExactly("p/a p/b", "p/c p/d");
        assertThat(pages("p/", 17, revision)).containsExactly("p/a p/b p/c", "p/d");
        assertThat(pages("p/", 1000, revision)).containsExactly("p/a p/b p/c p/d");
        assertThat(pages("none/", 1000, revision)).containsExactly("");
    }

    @Test
    void page_ofTheCompactedPast_isRefused() {
        put("a", "1", 0);
        put("a", "2", 2);
        store.compact(3);

        assertThatExceptionOfType(CompactedException.class).isThrownBy(() -> store.page("", null, 1000, 2));
    }

    @Test
    void page_goesOnAtTheCompactedRevisionAndEndsBelowIt() {
        for (String key : List.of("p/a", "p/b", "p/c", "p/d")) {
            put(key, "old", 0);
        }
        long snapshot = store.revision();
        put("p/c", "new", 4);
        delete("p/d", 5);

        store.compact(snapshot);
        RevisionedStore.Page rest = store.page("p/", "p/a", 12, snapshot);
        assertThat(rest.entries())
                .extracting(Entry::key, entry -> text(entry))
                .containsExactly(tuple("p/b", "old"), tuple("p/c", "old"));
        assertThat(rest.more()).isTrue();

        store.compact(snapshot + 1);
        assertThatExceptionOfType(CompactedException.class)
                .isThrownBy(() -> store.page("p/", "p/c", 12, snapshot))
                .satisfies(e -> assertThat(e.compactedRevision()).isEqualTo(snapshot + 1));
        assertThat(store.page("p/", "p/b", 12, snapshot + 1).entries())
                .extracting(Entry::key, entry -> text(entry))
                .containsExactly(tuple("p/c", "new"), tuple("p/d", "old"));
    }

    @Test
    void changes_endWithTheOneThatReachesTheirBytes() {
        put("a", "12345", 0);
        put("a", "12345", 2);
        put("b", "12345", 0);

        assertThat(store.changes(1, 10, 1)).extracting(Change::revision).containsExactly(2L);
        assertThat(store.changes(1, 10, 7)).extracting(Change::revision).containsExactly(2L, 3L);
        assertThat(store.changes(1, 10, 18)).extracting(Change::revision).containsExactly(2L, 3L, 4L);
        assertThat(store.changes(1, 1, 18)).extracting(Change::revision).containsExactly(2L);
    }

    @Test
    void forEach_visitsAllOfOneRevisionHoweverLargeTheyAre() {
        String large = "x".repeat(600_000);
        for (String key : List.of("p/a", "p/b", "p/c", "q")) {
            put(key, large, 0);
        }
        long revision = store.revision();
        List<String> visited = new ArrayList<>();

        store.forEach("p/", revision, entry -> {
            visited.add(entry.key() + " " + entry.value().length);
            store.commit(new Write.Delete("p/c", 4));
        });

        assertThat(visited).containsExactly("p/a 600000", "p/b 600000", "p/c 600000");
    }

    /** The keys of each page, one after the other until no more follow. */
    private List<String> pages(String prefix, long bytesMax, long revision) {
        List<String> pages = new ArrayList<>();
        String after = null;
        RevisionedStore.Page page;
        do {
            page = store.page(prefix, after, bytesMax, revision);
            pages.add(page.entries().stream().map(Entry::key).collect(Collectors.joining(" ")));
            after = page.entries().isEmpty() ? after : page.entries().getLast().key();
        } while (page.more());
        return pages;
    }

    @Test
    void list_ofAKeyWithManyVersions_hasItOnce() {
        put("/k/a", "0", 0);
        for (int i = 1; i < 40; i++) {
            put("/k/a", "" + i, i + 1);
        }
        put("/k/b", "b", 0);

        assertThat(store.list("/k/", null, 0, store.revision()))
                .extracting(entry -> text(entry))
                .containsExactly("39", "b");
        assertThat(store.list("/k/", null, 0, 3))
                .extracting(entry -> text(entry))
                .containsExactly("1");
    }

    @Test
    void changes_areInOrderWithWhatStoodThereBefore() {
        put("a", "1", 0);
        put("a", "2", 2);
        delete("a", 3);

        List<Change> changes = store.changes(1, 10);

        assertThat(changes).extracting(Change::revision).containsExactly(2L, 3L, 4L);
        assertThat(changes.get(0).previous()).isNull();
        assertThat(text(changes.get(1).previous())).isEqualTo("1");
        assertThat(required(changes.get(2).previous()).revision()).isEqualTo(3);
        assertThat(changes.get(2).value()).isNull();
        assertThat(store.changes(2, 1)).extracting(Change::revision).containsExactly(3L);
        assertThat(store.changes(4, 1)).isEmpty();
        assertThat(store.changes(99, 1)).isEmpty();
    }

    @Test
    void awaitRevisionAbove_returnsOnceAWriteIsVisible() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> waiting = threads.submit(() -> store.awaitRevisionAbove(1, SOON));
            put("a", "1", 0);

            assertThat(waiting.get()).isEqualTo(2);
        }
        assertThat(store.awaitRevisionAbove(1, Duration.ZERO)).isEqualTo(2);
        assertThat(store.awaitRevisionAbove(2, Duration.ofMillis(1))).isEqualTo(2);
    }

    @Test
    void close_endsWaits() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> waiting = threads.submit(() -> store.awaitRevisionAbove(1, SOON));
            store.close();

            assertThat(waiting.get()).isEqualTo(1);
        }
    }

    @Test
    void close_isFinal() {
        assertThat(store.isSound()).isTrue();
        put("a", "1", 0);
        store.close();
        store.close();
        assertThat(store.isSound()).isFalse();

        for (Callable<?> use : List.<Callable<?>>of(
                () -> store.get("a"),
                () -> store.list("", null, 0, 2),
                () -> store.changes(1, 1),
                () -> put("b", "1", 0))) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(use::call)
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.CLOSED));
        }
    }

    @Test
    void compact_keepsWhatIsCurrentAndRefusesThePast() {
        put("kept", "1", 0);
        put("changed", "1", 0);
        put("changed", "2", 3);
        put("gone", "1", 0);
        delete("gone", 5);
        put("later", "1", 0);

        store.compact(6);

        assertThat(store.compactedRevision()).isEqualTo(6);
        assertThat(keys("", null, 0)).containsExactly("changed", "kept", "later");
        assertThat(text(store.get("changed", 6))).isEqualTo("2");
        assertThat(store.get("gone", 6)).isNull();
        assertThat(store.changes(6, 10)).extracting(Change::key).containsExactly("later");
        for (Callable<?> past : List.<Callable<?>>of(
                () -> store.get("kept", 5),
                () -> store.list("", null, 0, 5),
                () -> store.count("", null, 5),
                () -> store.changes(5, 1))) {
            assertThatExceptionOfType(CompactedException.class)
                    .isThrownBy(past::call)
                    .satisfies(e -> assertThat(e.compactedRevision()).isEqualTo(6));
        }
    }

    @Test
    void list_inPages_goesOnAtTheCompactedRevisionAndEndsBelowIt() {
        for (int i = 0; i < 6; i++) {
            put("/p/" + i, "old", 0);
        }
        long snapshot = store.revision();
        List<Entry> first = store.list("/p/", null, 2, snapshot);
        put("/p/3", "new", 5);
        delete("/p/4", 6);
        String last = first.getLast().key();

        store.compact(snapshot);
        assertThat(store.list("/p/", last, 0, snapshot))
                .extracting(Entry::key, entry -> text(entry))
                .containsExactly(
                        tuple("/p/2", "old"), tuple("/p/3", "old"), tuple("/p/4", "old"), tuple("/p/5", "old"));

        store.compact(snapshot + 1);
        assertThatExceptionOfType(CompactedException.class)
                .isThrownBy(() -> store.list("/p/", last, 2, snapshot))
                .satisfies(e -> assertThat(e.compactedRevision()).isEqualTo(snapshot + 1));
        assertThat(store.list("/p/", last, 0, snapshot + 1))
                .extracting(Entry::key, entry -> text(entry))
                .containsExactly(
                        tuple("/p/2", "old"), tuple("/p/3", "new"), tuple("/p/4", "old"), tuple("/p/5", "old"));
    }

    /** Each read of the past is whole or refused as compacted, whatever a compaction takes from under it. */
    @Test
    void readsOfThePast_underACompaction_areWholeOrRefused() throws Exception {
        int keys = 400;
        for (int i = 0; i < keys; i++) {
            put("/r/%03d".formatted(i), "v", 0);
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 10; round++) {
                long past = store.revision();
                rewriteAll("/r/", threads);
                var started = new CountDownLatch(4);
                List<Future<?>> readers = List.of(
                        threads.submit(() -> readUntilCompacted(
                                started,
                                () -> assertThat(store.list("/r/", null, 0, past))
                                        .hasSize(keys))),
                        threads.submit(() -> readUntilCompacted(
                                started,
                                () -> assertThat(store.page("/r/", null, Long.MAX_VALUE, past)
                                                .entries())
                                        .hasSize(keys))),
                        threads.submit(() -> readUntilCompacted(
                                started,
                                () -> assertThat(store.get("/r/399", past)).isNotNull())),
                        threads.submit(() -> readUntilCompacted(
                                started,
                                () -> assertThat(store.changes(past, keys)).hasSize(keys))));
                started.await();

                store.compact(store.revision());

                for (Future<?> reader : readers) {
                    reader.get();
                }
            }
        }
    }

    private void rewriteAll(String prefix, ExecutorService threads) throws Exception {
        var writes = new ArrayList<Future<CommitResult>>();
        for (Entry entry : store.list(prefix, null, 0, store.revision())) {
            writes.add(threads.submit(() -> put(entry.key(), "v", entry.revision())));
        }
        for (Future<CommitResult> write : writes) {
            assertThat(write.get()).isInstanceOf(Committed.class);
        }
    }

    private static void readUntilCompacted(CountDownLatch started, Runnable read) {
        try {
            while (true) {
                read.run();
                started.countDown();
            }
        } catch (CompactedException expected) {
            // What was read until then was whole.
        }
    }

    @Test
    void compact_leavesAChangeItsPreviousValue() {
        put("a", "1", 0);
        put("a", "2", 2);
        delete("a", 3);

        store.compact(3);

        assertThat(text(store.changes(3, 1).getFirst().previous())).isEqualTo("2");
    }

    @Test
    void compact_ofTheSameOrAnOlderRevision_isNoError() {
        put("a", "1", 0);
        put("a", "2", 2);
        store.compact(3);
        store.compact(3);
        store.compact(1);

        assertThat(store.compactedRevision()).isEqualTo(3);
    }

    @Test
    void compact_ofTheFuture_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.compact(2));
    }

    @Test
    void limits_areNamedWithTheKey() {
        assertThatIllegalArgumentException().isThrownBy(() -> put("", "1", 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put("a".repeat(2049), "1", 0))
                .withMessageContaining("2049");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put("a\nb", "1", 0))
                .withMessageContaining("U+000A");
        assertThatIllegalArgumentException().isThrownBy(() -> put("ä", "1", 0)).withMessageContaining("U+00E4");
        assertThatIllegalArgumentException().isThrownBy(() -> delete("a", 0)).withMessageContaining("\"a\"");
        assertThatIllegalArgumentException().isThrownBy(() -> put("a", "1", -1)).withMessageContaining("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.changes(0, 0))
                .withMessageContaining("countMax: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.commit(new Write.Put("a", new byte[RevisionedStore.VALUE_BYTES_MAX + 1], 0)))
                .withMessageContaining("8388609");
        assertThat(put("a".repeat(2048), "1", 0)).isEqualTo(new Committed(2));
        assertThat(store.commit(new Write.Put("b", new byte[RevisionedStore.VALUE_BYTES_MAX], 0)))
                .isEqualTo(new Committed(3));
        assertThat(required(store.get("b")).value()).hasSize(RevisionedStore.VALUE_BYTES_MAX);
    }

    @Test
    void concurrentWriters_eachWinTheirTurnOnce() throws Exception {
        int writers = 16;
        int turns = 25;
        put("counter", "0", 0);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (int w = 0; w < writers; w++) {
                running.add(threads.submit(() -> {
                    for (int turn = 0; turn < turns; turn++) {
                        increment("counter");
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }

        assertThat(text(store.get("counter"))).isEqualTo("" + writers * turns);
        assertThat(store.revision()).isEqualTo(2 + writers * turns);
        assertThat(store.changes(1, Integer.MAX_VALUE))
                .extracting(change -> Integer.parseInt(new String(change.value(), UTF_8)))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void followers_seeEveryChangeOnceAndInOrder() throws Exception {
        int writes = 500;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var followers = new ArrayList<Future<List<Long>>>();
            for (int f = 0; f < 3; f++) {
                followers.add(threads.submit(() -> follow(1 + writes)));
            }
            for (int i = 0; i < writes; i++) {
                String key = "k" + i;
                threads.execute(() -> put(key, "v", 0));
            }
            for (Future<List<Long>> follower : followers) {
                assertThat(follower.get()).hasSize(writes).isSorted().doesNotHaveDuplicates();
            }
        }
    }

    @Test
    void randomHistory_readsAtEveryRevisionAsAModelSays() {
        long seed = Long.getLong("fuzz.seed", 7);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        var model = new StoreModel();
        for (int step = 0; step < 600; step++) {
            step(random, model);
        }
        model.assertSame(store, "seed " + seed);
        long compacted = model.newest() / 2;
        store.compact(compacted);
        model.assertSame(store, "compacted at " + compacted + ", seed " + seed);
        store.compact(model.newest());
        model.assertSame(store, "compacted at the newest, seed " + seed);
    }

    private void step(RandomGenerator random, StoreModel model) {
        String key = "/" + "ab".charAt(random.nextInt(2)) + "/" + random.nextInt(12);
        Entry current = model.at(model.newest()).get(key);
        long expected = current == null ? 0 : current.revision();
        if (current != null && random.nextInt(3) == 0) {
            assertThat(delete(key, expected)).isEqualTo(new Committed(model.delete(key)));
        } else {
            String value = "v" + random.nextInt();
            assertThat(put(key, value, expected)).isEqualTo(new Committed(model.put(key, value)));
        }
    }

    private List<Long> follow(long last) throws InterruptedException {
        var seen = new ArrayList<Long>();
        long position = 1;
        while (position < last) {
            store.awaitRevisionAbove(position, SOON);
            for (Change change : store.changes(position, 7)) {
                position = change.revision();
                seen.add(position);
            }
        }
        return seen;
    }

    private void increment(String key) {
        CommitResult result;
        do {
            Entry current = required(store.get(key));
            result = put(key, "" + (Integer.parseInt(text(current)) + 1), current.revision());
        } while (result instanceof Mismatch);
    }

    private CommitResult put(String key, String value, long expectedRevision) {
        return store.commit(new Write.Put(key, value.getBytes(UTF_8), expectedRevision));
    }

    private CommitResult delete(String key, long expectedRevision) {
        return store.commit(new Write.Delete(key, expectedRevision));
    }

    private List<String> keys(String prefix, @Nullable String after, int countMax) {
        return store.list(prefix, after, countMax, store.revision()).stream()
                .map(Entry::key)
                .toList();
    }

    private static void assertMismatch(CommitResult result, String value, long revision) {
        assertThat(result).isInstanceOfSatisfying(Mismatch.class, mismatch -> {
            assertThat(text(mismatch.current())).isEqualTo(value);
            assertThat(required(mismatch.current()).revision()).isEqualTo(revision);
        });
    }

    private static String text(@Nullable Entry entry) {
        return new String(required(entry).value(), UTF_8);
    }

    private static Entry required(@Nullable Entry entry) {
        assertThat(entry).isNotNull();
        return Objects.requireNonNull(entry);
    }
}
