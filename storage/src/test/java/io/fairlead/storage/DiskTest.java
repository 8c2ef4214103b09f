package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.fairlead.storage.RevisionedStore.Write;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Every write that is acknowledged was synced: asked for by the store, and done by the disk. */
final class DiskTest {
    @TempDir
    Path temporary = Path.of("");

    @Test
    void everyWriteOfAStore_asksForASyncOfTheLog() {
        var asked = new CopyOnWriteArrayList<Boolean>();
        Disk asking = new AskedDisk(temporary, asked);
        try (EmbeddedStore store = EmbeddedStore.open(temporary.resolve("store"), TestOptions.defaults(), asking)) {
            store.commit(new Write.Put("a", "1".getBytes(UTF_8), 0));
            store.commit(new Write.Put("a", "2".getBytes(UTF_8), 2));
            store.commit(new Write.Delete("a", 3));
            store.compact(4);
        }

        // Three commits, the mark of the compaction and its sweep.
        assertThat(asked).hasSize(5).containsOnly(true);
    }

    @Test
    void disk_syncsTheLogWithEachWriteThatAsksForIt() throws Exception {
        NativeLibrary.load(temporary.resolve("native"));
        Disk disk = Disk.at(temporary);
        try (var counts = new Statistics();
                var options = new Options().setCreateIfMissing(true).setStatistics(counts);
                var durable = new WriteOptions().setSync(true);
                var hasty = new WriteOptions();
                var database =
                        RocksDB.open(options, temporary.resolve("rocksdb").toString())) {
            write(disk, database, hasty);
            assertThat(counts.getTickerCount(TickerType.WAL_FILE_SYNCED)).isZero();

            write(disk, database, durable);
            write(disk, database, durable);
            assertThat(counts.getTickerCount(TickerType.WAL_FILE_SYNCED)).isEqualTo(2);
        }
    }

    /** Nothing in these places can be synced, so a disk that tries is told. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void disk_syncsFilesAndFolders() {
        Disk disk = Disk.at(temporary);

        assertThatIOException().isThrownBy(() -> disk.writeFile(Path.of("/dev/null"), new byte[1]));
        assertThatIOException().isThrownBy(() -> disk.syncFolder(Path.of("/proc/self")));
    }

    private static void write(Disk disk, RocksDB database, WriteOptions options) throws RocksDBException {
        try (var batch = new WriteBatch()) {
            batch.put("key".getBytes(UTF_8), "value".getBytes(UTF_8));
            disk.write(database, options, batch);
        }
    }

    /** Keeps of each write whether it was to be durable. */
    private record AskedDisk(Path directory, List<Boolean> asked) implements Disk {
        @Override
        public void write(RocksDB database, WriteOptions options, WriteBatch batch) throws RocksDBException {
            asked.add(options.sync() && !options.disableWAL());
            database.write(options, batch);
        }

        @Override
        public void writeFile(Path file, byte[] content) throws IOException {
            Files.write(file, content);
        }

        @Override
        public void syncFolder(Path folder) throws IOException {
            assertThat(Files.isDirectory(folder)).isTrue();
        }

        @Override
        public long usableBytes() {
            return Long.MAX_VALUE;
        }
    }
}
