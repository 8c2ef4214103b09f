package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.CompactedException;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.Write;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that was filled with another one's entries goes on as that one would, at revisions that no client has seen. */
class RestoredStoreTest {
    private static final long NEWEST = 1000;

    @TempDir
    Path directory = Path.of("");

    @Test
    void entries_areReadAsTheyWere_andThePastBeforeTheNewestRevisionIsCompacted() {
        restore(entry("a", "1", 7, 3), entry("b", "2", 5, 5));

        try (EmbeddedStore store = open()) {
            assertThat(store.revision()).isEqualTo(NEWEST);
            assertThat(store.compactedRevision()).isEqualTo(NEWEST);
            assertThat(store.list("", null, 0, NEWEST))
                    .extracting(Entry::key, Entry::revision, Entry::createRevision, entry -> text(entry.value()))
                    .containsExactly(tuple("a", 7L, 3L, "1"), tuple("b", 5L, 5L, "2"));
            assertThatThrownBy(() -> store.changes(NEWEST - 1, 1)).isInstanceOf(CompactedException.class);
            assertThatThrownBy(() -> store.get("a", 7)).isInstanceOf(CompactedException.class);
        }
    }

    @Test
    void writes_goOnBehindTheNewestRevision_conditionalOnTheOldOnes_andAreCompactedAsAnyOthers() {
        restore(entry("a", "1", 7, 3), entry("b", "2", 5, 5));

        try (EmbeddedStore store = open()) {
            assertThat(store.commit(new Write.Put("a", bytes("x"), 6))).isInstanceOf(CommitResult.Mismatch.class);
            assertThat(store.commit(new Write.Put("a", bytes("x"), 7)))
                    .isEqualTo(new CommitResult.Committed(NEWEST + 1));
            assertThat(store.commit(new Write.Delete("b", 5))).isEqualTo(new CommitResult.Committed(NEWEST + 2));
            store.compact(NEWEST + 2);
        }
        try (EmbeddedStore store = open()) {
            assertThat(store.list("", null, 0, NEWEST + 2))
                    .extracting(Entry::key, Entry::createRevision)
                    .containsExactly(tuple("a", 3L));
        }
    }

    @Test
    void manyEntries_areAllThere() {
        try (RestoredStore restored = RestoredStore.begin(directory, TestOptions.defaults())) {
            for (int i = 1; i <= 300; i++) {
                restored.add(new Entry("key-%03d".formatted(i), new byte[10_000], i, i));
            }
            restored.finish(300);
        }

        try (EmbeddedStore store = open()) {
            assertThat(store.count("key-", null, 300)).isEqualTo(300);
        }
    }

    @Test
    void directoryWithContent_isRefused() {
        restore(entry("a", "1", 7, 3));

        assertThatThrownBy(() -> RestoredStore.begin(directory.resolve("rocksdb"), TestOptions.defaults()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is not empty");
    }

    @Test
    void revisionsThatCannotBe_areRefused() {
        try (RestoredStore restored = RestoredStore.begin(directory, TestOptions.defaults())) {
            assertThatThrownBy(() -> restored.add(entry("a", "1", 3, 7))).isInstanceOf(IllegalArgumentException.class);
            restored.add(entry("a", "1", 7, 3));
            assertThatThrownBy(() -> restored.finish(6))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at least 7");
            restored.add(entry("b", "1", 7, 7));
            assertThatThrownBy(() -> restored.finish(NEWEST))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("two entries have revision 7");
        }
    }

    private void restore(Entry... entries) {
        try (RestoredStore restored = RestoredStore.begin(directory, TestOptions.defaults())) {
            for (Entry entry : entries) {
                restored.add(entry);
            }
            restored.finish(NEWEST);
        }
    }

    private EmbeddedStore open() {
        return EmbeddedStore.open(directory, TestOptions.defaults());
    }

    private static Entry entry(String key, String value, long revision, long createRevision) {
        return new Entry(key, bytes(value), revision, createRevision);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, UTF_8);
    }
}
