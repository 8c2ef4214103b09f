package io.fairlead.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.config.Configuration;
import io.fairlead.config.ConfigurationReader;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.archive.ArchiveHeader;
import io.fairlead.hosted.archive.ArchiveWriter;
import io.fairlead.storage.EmbeddedStore;
import io.fairlead.storage.MemoryStore;
import io.fairlead.storage.RevisionedStore.Write;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data directory gets the whole store of an archive, or none. */
class StoreRestorationTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    private Path folder;

    @Test
    void store_hasWhatTheArchiveHas_atRevisionsFarAhead() throws Exception {
        StoreRestoration.Result result = restore(archive());

        assertThat(result.entries()).isEqualTo(2);
        assertThat(result.time()).isEqualTo(NOW);
        try (EmbeddedStore store = EmbeddedStore.open(data().resolve("store"), Limited.storeByDefault())) {
            assertThat(store.revision()).isEqualTo(1_000_000_003 + 3_600_000_000L);
            assertThat(store.compactedRevision()).isEqualTo(store.revision());
            assertThat(Objects.requireNonNull(store.get("/clusters/a")).revision())
                    .isEqualTo(2);
            assertThat(store.count("/", null, store.revision())).isEqualTo(2);
        }
    }

    @Test
    void directoryThatHasAStore_isLeftAsItIs() throws Exception {
        restore(archive());

        assertThatThrownBy(() -> restore(archive()))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("has a store (expected none)");
    }

    @Test
    void directoryInUse_isLeftAsItIs() throws Exception {
        try (DataDirectory server = DataDirectory.open(data(), Limited.storeByDefault())) {
            assertThat(server.isNew()).isTrue();
            assertThatThrownBy(() -> restore(archive()))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageContaining("in use");
        }
        assertThat(data().resolve("store")).doesNotExist();
    }

    @Test
    void damagedOrInterruptedArchive_leavesNothing_andAnotherIsRestoredThen() throws Exception {
        byte[] archive = archive();
        byte[] cut = Arrays.copyOf(archive, archive.length - 10);

        assertThatThrownBy(() -> restore(cut)).isInstanceOf(ArchiveCheck.DamagedException.class);
        InputStream closed = Files.newInputStream(Files.createFile(folder.resolve("archive")));
        closed.close();
        assertThatThrownBy(() -> StoreRestoration.into(configuration(), closed, () -> NOW))
                .isInstanceOf(IOException.class);

        assertThat(data().resolve("store")).doesNotExist();
        assertThat(data().resolve("store.unfinished")).doesNotExist();
        // What a process left that ended meanwhile.
        Files.createDirectories(data().resolve("store.unfinished/rocksdb"));
        Files.writeString(data().resolve("store.unfinished/rocksdb/x"), "x");
        try (DataDirectory server = DataDirectory.open(data(), Limited.storeByDefault())) {
            assertThatThrownBy(server::requireNoUnfinishedStore)
                    .isInstanceOf(StartFailure.class)
                    .hasMessageContaining("unfinished store");
        }
        assertThat(restore(archive).entries()).isEqualTo(2);
    }

    private StoreRestoration.Result restore(byte[] archive) throws Exception {
        return StoreRestoration.into(configuration(), new ByteArrayInputStream(archive), () -> NOW.plusSeconds(3600));
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Configuration configuration() throws Exception {
        return ConfigurationReader.read(
                null, Map.of(), Map.of("dataDir", data().toString()), new ConfiguredFiles(InstantSource.system()));
    }

    private static byte[] archive() throws InterruptedException {
        try (MemoryStore store = new MemoryStore()) {
            store.commit(new Write.Put("/clusters/a", "{\"name\":\"a\"}".getBytes(UTF_8), 0));
            store.commit(new Write.Put("/clusters/b", "{\"name\":\"b\"}".getBytes(UTF_8), 0));
            return new ApiResponse.Pieces(
                            200,
                            "",
                            Map.of(),
                            new ArchiveWriter(ArchiveHeader.ofStore(store.revision(), NOW), store, ""))
                    .join();
        }
    }
}
