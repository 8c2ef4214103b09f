package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.storage.RevisionedStore.CommitResult.Committed;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a store finds after a loss of power, on a disk that keeps what was synced and nothing else. */
@EnabledOnOs({OS.LINUX, OS.MAC})
final class PowerLossTest {
    @TempDir
    Path temporary = Path.of("");

    private Path before = Path.of("");
    private Path after = Path.of("");

    @BeforeEach
    void makeDisk() throws IOException {
        before = Files.createDirectory(temporary.resolve("before"));
        after = temporary.resolve("after");
    }

    @Test
    void everyAcknowledgedWrite_isThere() throws IOException {
        writeAndLosePower(new LossyDisk(before, true));

        try (EmbeddedStore store = open(after, Disk.at(after))) {
            assertThat(store.revision()).isEqualTo(5);
            assertThat(store.list("", null, 0, 5)).extracting(Entry::key).containsExactly("b", "c");
            assertThat(store.compactedRevision()).isEqualTo(4);
            assertThat(put(store, "a")).isEqualTo(new Committed(6));
        }
    }

    /** So the disk does lose what is not synced. */
    @Test
    void writesThatWereNotSynced_areGone() throws IOException {
        writeAndLosePower(new LossyDisk(before, false));
        Path store = Files.createDirectories(after.resolve("data").resolve("store"));
        assertThat(Files.readString(store.resolve("FORMAT"))).isEmpty();
        Files.writeString(store.resolve("FORMAT"), "fairlead-store 1\n");
        Files.delete(store.resolve("NEWEST-LOG"));

        try (EmbeddedStore found = open(after, Disk.at(after))) {
            assertThat(found.revision()).isEqualTo(1);
            assertThat(found.get("b")).isNull();
        }
    }

    private void writeAndLosePower(LossyDisk disk) throws IOException {
        try (EmbeddedStore store = open(before, disk)) {
            put(store, "a");
            put(store, "b");
            store.commit(new Write.Delete("a", 2));
            store.compact(4);
            put(store, "c");
            disk.copyTo(after);
        }
    }

    private static EmbeddedStore open(Path root, Disk disk) {
        return EmbeddedStore.open(root.resolve("data").resolve("store"), TestOptions.defaults(), disk);
    }

    private static RevisionedStore.CommitResult put(EmbeddedStore store, String key) {
        return store.commit(new Write.Put(key, key.getBytes(UTF_8), 0));
    }
}
