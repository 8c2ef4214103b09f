package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.storage.RevisionedStore.Change;
import io.fairlead.storage.RevisionedStore.CommitResult.Committed;
import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import io.fairlead.storage.RevisionedStore.Write;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a killed process leaves behind. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EmbeddedStoreCrashTest {
    private static final int KILLS = 5;
    private static final long SEED = Long.getLong("fuzz.seed", 20261121L);

    @TempDir
    Path directory = Path.of("");

    @Test
    void everyAcknowledgedWrite_survivesKillsOnce() throws Exception {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        Map<String, Long> acknowledged = new HashMap<>();
        long newest = 1;
        for (int kill = 0; kill < KILLS; kill++) {
            acknowledged.putAll(writeAndKill("round" + kill, "logged", 200 + random.nextInt(3000)));
            newest = checkAndWriteOne(acknowledged, newest, "after-round" + kill);
        }
    }

    @Test
    void writesAcknowledgedTooEarly_areCaught() throws Exception {
        Map<String, Long> acknowledged = writeAndKill("early", "unlogged", 500);

        assertThatExceptionOfType(StoreException.class)
                .as("by the store itself")
                .isThrownBy(() -> EmbeddedStore.open(directory, TestOptions.defaults()))
                .withMessageContaining("was acknowledged");
        Files.delete(directory.resolve("NEWEST-REVISION"));
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> checkAndWriteOne(acknowledged, 1, "after"));
    }

    @Test
    void directory_heldByAnotherProcess_isNamed() throws Exception {
        Process writer = start("holder", "logged");
        try (BufferedReader lines = writer.inputReader(UTF_8)) {
            assertThat(lines.readLine()).startsWith("holder/");

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> EmbeddedStore.open(directory, TestOptions.defaults()))
                    .withMessageContaining(directory.toString())
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.IN_USE));
        } finally {
            writer.destroyForcibly().waitFor();
        }
    }

    /** Kills the writer once so many writes were acknowledged; more may have been by the time it is gone. */
    private Map<String, Long> writeAndKill(String prefix, String mode, int acknowledgements) throws Exception {
        var acknowledged = new HashMap<String, Long>();
        Process writer = start(prefix, mode);
        try (BufferedReader lines = writer.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                List<String> words = List.of(line.split(" ", 2));
                assertThat(acknowledged.put(words.getFirst(), Long.valueOf(words.getLast())))
                        .isNull();
                if (acknowledged.size() == acknowledgements) {
                    // By its handle: the process itself would close the pipe with what is still in it.
                    writer.toHandle().destroyForcibly();
                }
            }
        } finally {
            writer.destroyForcibly().waitFor();
        }
        assertThat(acknowledged).as("seed %d", SEED).hasSizeGreaterThanOrEqualTo(acknowledgements);
        return acknowledged;
    }

    private long checkAndWriteOne(Map<String, Long> acknowledged, long newestBefore, String key) {
        try (EmbeddedStore store = EmbeddedStore.open(directory, TestOptions.defaults())) {
            List<Change> changes = store.changes(1, Integer.MAX_VALUE);

            assertThat(changes).extracting(Change::key).doesNotHaveDuplicates();
            assertThat(changes)
                    .extracting(Change::revision)
                    .startsWith(2L)
                    .isSorted()
                    .doesNotHaveDuplicates();
            assertThat(changes.getLast().revision()).isEqualTo(store.revision()).isEqualTo(1L + changes.size());
            assertThat(store.revision()).isGreaterThan(newestBefore);
            acknowledged.forEach((name, revision) -> assertStored(store, name, revision));

            assertThat(store.commit(new Write.Put(key, key.getBytes(UTF_8), 0)))
                    .isEqualTo(new Committed(2L + changes.size()));
            acknowledged.put(key, 2L + changes.size());
            return store.revision();
        }
    }

    private static void assertStored(EmbeddedStore store, String key, long revision) {
        assertThat(store.get(key)).as("%s, seed %d", key, SEED).isNotNull().satisfies(entry -> {
            assertThat(entry.revision()).isEqualTo(revision);
            assertThat(entry.value()).asString(UTF_8).isEqualTo(key);
        });
    }

    private Process start(String prefix, String mode) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AcknowledgingWriter.class.getName(),
                        directory.toString(),
                        prefix,
                        mode)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
