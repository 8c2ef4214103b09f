package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.storage.RevisionedStore.CommitResult.Committed;
import io.fairlead.storage.RevisionedStore.Write;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A process that writes until it is killed, and says on its standard output what was acknowledged: one line
 * {@code key revision} for each write, handed to the pipe in one piece.
 */
final class AcknowledgingWriter {
    private static final int THREADS = 8;

    private AcknowledgingWriter() {}

    /** Arguments: the store's directory, a prefix for the keys, {@code logged} or {@code unlogged}. */
    public static void main(String[] arguments) {
        var output = new FileOutputStream(FileDescriptor.out);
        Path directory = Path.of(arguments[0]);
        Disk disk = arguments[2].equals("logged") ? Disk.at(directory) : new UnloggedDisk();
        try (EmbeddedStore store = EmbeddedStore.open(directory, TestOptions.defaults(), disk);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int thread = 0; thread < THREADS; thread++) {
                String prefix = arguments[1] + "/" + thread + "/";
                threads.execute(() -> writeForever(store, prefix, output));
            }
        }
    }

    private static void writeForever(EmbeddedStore store, String prefix, FileOutputStream output) {
        for (int i = 0; ; i++) {
            String key = prefix + i;
            if (store.commit(new Write.Put(key, key.getBytes(UTF_8), 0)) instanceof Committed committed) {
                acknowledge(key + " " + committed.revision() + "\n", output);
            }
        }
    }

    private static void acknowledge(String line, FileOutputStream output) {
        try {
            output.write(line.getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A disk that acknowledges what lies in this process's memory alone. */
    private static final class UnloggedDisk implements Disk {
        @Override
        public void write(RocksDB database, WriteOptions options, WriteBatch batch) throws RocksDBException {
            try (WriteOptions unlogged = new WriteOptions().setDisableWAL(true)) {
                database.write(unlogged, batch);
            }
        }

        @Override
        public void writeFile(Path file, byte[] content) throws IOException {
            Files.write(file, content);
        }

        @Override
        public void syncFolder(Path folder) {}

        @Override
        public long usableBytes() {
            return Long.MAX_VALUE;
        }
    }
}
