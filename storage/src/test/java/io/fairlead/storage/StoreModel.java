package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.storage.RevisionedStore.Entry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The whole content at every revision: slow, and too simple to be wrong. */
final class StoreModel {
    private final TreeMap<Long, TreeMap<String, Entry>> states = new TreeMap<>(Map.of(1L, new TreeMap<>()));

    long newest() {
        return states.lastKey();
    }

    Map<String, Entry> at(long revision) {
        return states.getOrDefault(revision, new TreeMap<>());
    }

    long put(String key, String value) {
        TreeMap<String, Entry> next = new TreeMap<>(at(newest()));
        long revision = newest() + 1;
        Entry previous = next.get(key);
        next.put(
                key,
                new Entry(
                        key, value.getBytes(UTF_8), revision, previous == null ? revision : previous.createRevision()));
        states.put(revision, next);
        return revision;
    }

    long delete(String key) {
        TreeMap<String, Entry> next = new TreeMap<>(at(newest()));
        next.remove(key);
        states.put(newest() + 1, next);
        return newest();
    }

    void assertSame(RevisionedStore store, String when) {
        for (long revision = store.compactedRevision(); revision <= newest(); revision++) {
            for (String prefix : List.of("", "/a/", "/b/1")) {
                assertThat(lines(store.list(prefix, null, 0, revision)))
                        .as("%s at %d, %s", prefix, revision, when)
                        .isEqualTo(lines(at(revision).values().stream()
                                .filter(entry -> entry.key().startsWith(prefix))
                                .toList()));
            }
            assertThat(store.count("", null, revision)).isEqualTo(at(revision).size());
        }
        assertThat(store.changes(store.compactedRevision(), Integer.MAX_VALUE))
                .as("changes, %s", when)
                .hasSize((int) (newest() - store.compactedRevision()))
                .allSatisfy(change -> assertThat(lines(change.previous()))
                        .isEqualTo(lines(at(change.revision() - 1).get(change.key()))));
    }

    private static List<String> lines(List<Entry> entries) {
        return entries.stream().map(StoreModel::lines).toList();
    }

    private static String lines(@Nullable Entry entry) {
        return entry == null
                ? "nothing"
                : entry.key() + "=" + new String(entry.value(), UTF_8) + "@" + entry.revision() + " since "
                        + entry.createRevision();
    }
}
