package io.fairlead.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.RocksDBException;

/** The file descriptors of this process, which connections use up as well as the store's files. */
final class Descriptors {
    /** What the database may open at once beside what it has open: a log, tables, a manifest and their directories. */
    private static final int SPARE = 16;

    /** What the C library says of EMFILE, and begins with for ENFILE. */
    private static final String RAN_OUT = "Too many open files";

    private Descriptors() {}

    /** Whether something failed because no file could be opened, which says nothing of the disk and its syncs. */
    static boolean ranOut(RocksDBException failure) {
        return String.valueOf(failure.getMessage()).contains(RAN_OUT);
    }

    /** Whether so many are free that the database can open its files; found out by opening an existing file as often. */
    static boolean areSpare(Path file) {
        Deque<FileChannel> opened = new ArrayDeque<>();
        try {
            while (opened.size() < SPARE) {
                opened.push(FileChannel.open(file));
            }
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            opened.forEach(Descriptors::close);
        }
    }

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new IllegalStateException("a file that was only read can be closed", e);
        }
    }
}
