package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.storage.RevisionedStore.Write;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

final class EmbeddedStoreTest extends RevisionedStoreContract {
    @TempDir
    Path directory = Path.of("");

    @Override
    protected RevisionedStore newStore() {
        return EmbeddedStore.open(directory, TestOptions.defaults());
    }

    /** A store of gigabytes has hundreds of tables; RocksDB keeps all of them open unless it is told otherwise. */
    @Test
    void tables_areNotAllKeptOpen() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            Path options = files.filter(file -> file.getFileName().toString().startsWith("OPTIONS-"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(options)).contains("  max_open_files=128\n");
        }
    }

    @Test
    void compact_leavesNothingOfWhatWasDeleted() throws RocksDBException {
        Path other = directory.resolve("other");
        try (EmbeddedStore store = EmbeddedStore.open(other, TestOptions.defaults())) {
            put(store, "a");
            store.commit(new Write.Delete("a", 2));
            put(store, "b");
            store.compact(4);
        }
        try (RevisionFiles files =
                RevisionFiles.open(other.resolve("rocksdb"), TestOptions.defaults(), Disk.at(other))) {
            assertThat(files.log(1, Long.MAX_VALUE, 10))
                    .extracting(RevisionFiles.Logged::revision)
                    .containsExactly(4L);
        }
        assertThat(versions(other.resolve("rocksdb"))).containsExactly("b@4");
    }

    @Test
    void compact_letsGoOfTheChangesThatAreKeptInMemory() {
        try (EmbeddedStore store = EmbeddedStore.open(directory.resolve("other"), TestOptions.defaults())) {
            WeakReference<byte[]> value = put(store, "a");
            // The writer holds what it wrote last.
            put(store, "b");
            System.gc();
            assertThat(value.get()).isNotNull();

            store.compact(3);

            for (int looks = 0; value.get() != null && looks < 200; looks++) {
                System.gc();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            assertThat(value.get()).isNull();
        }
    }

    /** All versions of all keys that the files hold, be they read by anything or not. */
    private static List<String> versions(Path rocksdb) throws RocksDBException {
        List<String> found = new ArrayList<>();
        try (Options options = new Options();
                RocksDB files = RocksDB.openReadOnly(options, rocksdb.toString());
                RocksIterator all = files.newIterator()) {
            for (all.seekToFirst(); all.isValid(); all.next()) {
                if (FileKeys.isVersion(all.key())) {
                    found.add(FileKeys.versionKey(all.key()) + "@" + FileKeys.versionRevision(all.key()));
                }
            }
            all.status();
        }
        return found;
    }

    private static WeakReference<byte[]> put(EmbeddedStore store, String key) {
        byte[] value = key.repeat(10).getBytes(UTF_8);
        store.commit(new Write.Put(key, value, 0));
        return new WeakReference<>(value);
    }
}
