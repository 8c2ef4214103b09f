package io.fairlead.hosted.archive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written is read again, however its bytes come; all else is refused with the reason. */
class ArchiveTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final String ODD_KEY = "core/configmaps/default/q\"u\\o,\"value\":te";
    private static final String ODD_VALUE = "{\"a\":\"\\n\\\"}{\",\"n\":1.50,\"big\":12345678901234567890,\"ü\":[]}";

    private final MemoryStore store = new MemoryStore();

    @Test
    void entries_areReadAsTheyWereWritten_andNothingOfOthers() throws Exception {
        put("/c/1/" + ODD_KEY, ODD_VALUE);
        put("/c/2/core/secrets/default/other", "{}");
        put("/c/1/core/secrets/default/s", "{\"kind\":\"Secret\"}");

        byte[] archive = archive("/c/1/");

        for (int step : new int[] {1, 7, 4096}) {
            List<Entry> read = new ArrayList<>();
            ArchiveReader reader = read(archive, step, read);
            assertThat(read)
                    .extracting(Entry::key, entry -> new String(entry.value(), UTF_8), Entry::revision)
                    .containsExactly(
                            tuple(ODD_KEY, ODD_VALUE, 2L),
                            tuple("core/secrets/default/s", "{\"kind\":\"Secret\"}", 4L));
            assertThat(reader.header()).contains(ArchiveHeader.ofCluster("dev", BuiltIns.ALL, 4, NOW));
            assertThat(reader.count()).isEqualTo(2);
        }
    }

    @Test
    void archive_isOfItsRevision_whateverIsWrittenMeanwhile() throws Exception {
        put("/c/1/core/configmaps/default/a", "{\"n\":1}");
        ArchiveWriter writer =
                new ArchiveWriter(ArchiveHeader.ofCluster("dev", BuiltIns.CORE, store.revision(), NOW), store, "/c/1/");
        byte[] header = writer.next();
        put("/c/1/core/configmaps/default/b", "{\"n\":2}");
        store.commit(new Write.Delete("/c/1/core/configmaps/default/a", 2));

        List<Entry> read = new ArrayList<>();
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        archive.writeBytes(header);
        archive.writeBytes(rest(writer));
        read(archive.toByteArray(), 100, read);

        assertThat(read).extracting(Entry::key).containsExactly("core/configmaps/default/a");
    }

    @Test
    void manyLargeEntries_comeInPieces() throws Exception {
        String value = "{\"a\":\"" + "x".repeat(100_000) + "\"}";
        for (int i = 0; i < 20; i++) {
            put("/c/1/core/configmaps/default/c" + i, value);
        }
        ArchiveWriter writer =
                new ArchiveWriter(ArchiveHeader.ofCluster("dev", BuiltIns.CORE, store.revision(), NOW), store, "/c/1/");

        int pieces = 0;
        for (byte[] piece = writer.next(); piece != null; piece = writer.next()) {
            assertThat(piece.length).isLessThan(300_000);
            pieces++;
        }

        assertThat(pieces).isGreaterThan(8);
    }

    @Test
    void compactedRevision_breaksTheArchiveOff() {
        put("/c/1/core/configmaps/default/a", "{}");
        ArchiveWriter writer = new ArchiveWriter(ArchiveHeader.ofStore(store.revision(), NOW), store, "");
        writer.next();
        put("/c/1/core/configmaps/default/b", "{}");
        store.compact(store.revision());

        assertThatThrownBy(writer::next)
                .isInstanceOf(ApiResponse.BrokenOffException.class)
                .hasMessageContaining("compacted");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damages")
    void damagedArchive_isRefusedWithTheReason(String reason, UnaryOperator<String> damage) throws Exception {
        put("/c/1/core/configmaps/default/a", "{\"n\":1}");
        put("/c/1/core/configmaps/default/b", "{\"n\":2}");
        String archive = new String(archive("/c/1/"), UTF_8);
        String damaged = damage.apply(archive);
        assertThat(damaged).isNotEqualTo(archive);

        assertThatThrownBy(() -> read(damaged.getBytes(UTF_8), 50, new ArrayList<>()))
                .isInstanceOf(ArchiveException.class)
                .hasMessageContaining(reason);
    }

    static Stream<Arguments> damages() {
        return Stream.of(
                damage("ends in line 1", _ -> ""),
                damage("ends in line 1", text -> text.substring(0, 20)),
                damage("ends in line 2", text -> text.substring(0, text.indexOf('\n') + 1)),
                damage("ends in line 4", text -> text.substring(0, text.lastIndexOf("\n", text.length() - 2) + 9)),
                damage("ends in line 4", text -> text.substring(0, text.length() - 1)),
                damage("SHA-256", text -> text.replace("\"n\":2", "\"n\":3")),
                damage("SHA-256", text -> text.replace("default/b", "default/c")),
                damage("SHA-256", text -> text.replace("\"cluster\":\"dev\"", "\"cluster\":\"dep\"")),
                damage("SHA-256", text -> text.replaceFirst("\"sha256\":\".", "\"sha256\":\"g")),
                damage("it has 1 entries (expected 2", text -> without(text, 1)),
                damage("does not follow", text -> text.replaceFirst("(?m)(^\\{\"key\".*\n)", "$1$1")),
                damage("does not follow", text -> swapped(text)),
                damage("does not follow", text -> summed(swapped(text))),
                damage(
                        "is above that of the archive",
                        text -> summed(text.replace("\"revision\":3,\"c", "\"revision\":4,\"c"))),
                damage("cluster \"a b\"", text -> text.replace("\"dev\"", "\"a b\"")),
                damage("builtIns \"Some\"", text -> text.replace("\"All\"", "\"Some\"")),
                damage("(expected at most", text -> text.replace("\"dev\"", "\"" + "d".repeat(100_000) + "\"")),
                damage("no header of an archive", text -> without(text, 0)),
                damage("version 2 (expected 1)", text -> text.replace("\"version\":1", "\"version\":2")),
                damage("content \"Pod\"", text -> text.replace("\"Cluster\"", "\"Pod\"")),
                damage("archive of a store", text -> text.replace("\"Cluster\"", "\"Store\"")),
                damage("revision \"x\"", text -> text.replaceFirst("\"revision\":\\d+", "\"revision\":\"x\"")),
                damage("time \"yesterday\"", text -> text.replace(NOW.toString(), "yesterday")),
                damage("something follows", text -> text + "\n"),
                damage("something follows", text -> text + "x"),
                damage("something follows", text -> text + text),
                damage("line 1: no header of an archive (expected", _ -> "apiVersion: v1\nkind: List\n"),
                damage("line 2: no entry", text -> text.replaceFirst(",\"value\":", ",\"other\":")),
                damage("line 2: the value: ", text -> summed(text.replace("{\"n\":1}", "[1]"))),
                damage("line 2: ", text -> summed(text.replace("{\"n\":1}", "{\"n\":}"))),
                damage("key \"\"", text -> summed(text.replace("core/configmaps/default/a", ""))),
                damage(
                        "positive revisions",
                        text -> summed(text.replaceFirst("\"createRevision\":\\d+", "\"createRevision\":9"))),
                damage("longer than", text -> text.replace("\"n\":1", "\"n\":\"" + "x".repeat(9_000_000) + "\"")));
    }

    private static Arguments damage(String reason, UnaryOperator<String> damage) {
        return Arguments.of(reason, damage);
    }

    private static String without(String text, int line) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        lines.remove(line);
        return String.join("\n", lines) + "\n";
    }

    private static String swapped(String text) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        lines.add(1, lines.remove(2));
        return String.join("\n", lines) + "\n";
    }

    /** With the sum of what there is now. */
    private static String summed(String text) {
        int last = text.lastIndexOf('\n', text.length() - 2) + 1;
        String before = text.substring(0, last);
        try {
            String sum = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(before.getBytes(UTF_8)));
            return before
                    + "{\"entries\":%d,\"sha256\":\"%s\"}\n"
                            .formatted(before.lines().count() - 1, sum.toLowerCase(Locale.ROOT));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static ArchiveReader read(byte[] archive, int step, List<Entry> entries) {
        ArchiveReader reader = new ArchiveReader(ArchiveHeader.Content.CLUSTER, (entry, _) -> entries.add(entry));
        for (int at = 0; at < archive.length; at += step) {
            reader.accept(archive, at, Math.min(step, archive.length - at));
        }
        reader.end();
        return reader;
    }

    private byte[] archive(String prefix) throws InterruptedException {
        return rest(
                new ArchiveWriter(ArchiveHeader.ofCluster("dev", BuiltIns.ALL, store.revision(), NOW), store, prefix));
    }

    private static byte[] rest(ArchiveWriter writer) throws InterruptedException {
        return new ApiResponse.Pieces(200, "", Map.of(), writer).join();
    }

    private void put(String key, String value) {
        store.commit(new Write.Put(key, value.getBytes(UTF_8), 0));
    }
}
