package io.fairlead.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** The store's writes to the disk; the seam at which a test injects failures. */
interface Disk {
    /** Writes a batch and returns when it is durable. */
    void write(RocksDB database, WriteOptions options, WriteBatch batch) throws RocksDBException;

    /** Syncs the content of an existing file; its folder entries need not be durable. */
    void writeFile(Path file, byte[] content) throws IOException;

    /** Makes the entries of a folder durable. */
    void syncFolder(Path folder) throws IOException;

    /** The free space in bytes. */
    long usableBytes();

    /** The disk below a directory. */
    static Disk at(Path directory) {
        return new Disk() {
            @Override
            public void write(RocksDB database, WriteOptions options, WriteBatch batch) throws RocksDBException {
                database.write(options, batch);
            }

            @Override
            public void writeFile(Path file, byte[] content) throws IOException {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.write(ByteBuffer.wrap(content));
                    channel.force(true);
                }
            }

            @Override
            public void syncFolder(Path folder) throws IOException {
                try (FileChannel channel = FileChannel.open(folder)) {
                    channel.force(true);
                }
            }

            @Override
            public long usableBytes() {
                return directory.toFile().getUsableSpace();
            }
        };
    }
}
