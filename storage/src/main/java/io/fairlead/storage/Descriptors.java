package io.fairlead.storage;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;

/** The file descriptors of this process, shared by connections and the store's files. */
final class Descriptors {
    /**
     * The most files that the database may open at once in addition to its open ones: a log, tables, a manifest and
     * their directories.
     */
    private static final int SPARE = 16;

    /** The start of RocksDB's message for a failed open, before the C library's text. */
    private static final Pattern OPENING = Pattern.compile("(?i)while (re)?open");

    /** The C library's text for EMFILE, and the start of that for ENFILE, in English. */
    private static final String RAN_OUT = "Too many open files";

    private Descriptors() {}

    /** Whether a failure means that no file could be opened, which is independent of the disk and its syncs. */
    static boolean ranOut(RocksDBException failure) {
        return ranOut(String.valueOf(failure.getMessage()), Descriptors::free);
    }

    /**
     * Whether a message means that. The C library's text is in the operator's language; otherwise a failed open with
     * almost no free descriptor counts.
     */
    static boolean ranOut(String message, LongSupplier free) {
        return message.contains(RAN_OUT) || (OPENING.matcher(message).find() && free.getAsLong() < SPARE);
    }

    /** How many more this process may open; practically unlimited if the system does not report it. */
    private static long free() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
            return Long.MAX_VALUE;
        }
        try {
            return unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount();
        } catch (InternalError none) { // Counted in a folder of /proc, which takes a descriptor itself.
            return 0;
        }
    }

    /** Whether enough are free for the database to open its files; tested by opening an existing file that often. */
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
