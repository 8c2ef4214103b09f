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

/** The file descriptors of this process, which connections use up as well as the store's files. */
final class Descriptors {
    /** What the database may open at once beside what it has open: a log, tables, a manifest and their directories. */
    private static final int SPARE = 16;

    /** How RocksDB begins to say that it could not open something, before it quotes the C library. */
    private static final Pattern OPENING = Pattern.compile("(?i)while (re)?open");

    /** What the C library says of EMFILE, and begins with for ENFILE, where it speaks English. */
    private static final String RAN_OUT = "Too many open files";

    private Descriptors() {}

    /** Whether something failed because no file could be opened, which says nothing of the disk and its syncs. */
    static boolean ranOut(RocksDBException failure) {
        return ranOut(String.valueOf(failure.getMessage()), Descriptors::free);
    }

    /**
     * Whether a failure says so. The C library says why in the operator's language; then what counts is that something was to be
     * opened, and that hardly any descriptor is free.
     */
    static boolean ranOut(String message, LongSupplier free) {
        return message.contains(RAN_OUT) || (OPENING.matcher(message).find() && free.getAsLong() < SPARE);
    }

    /** How many more this process may have; as good as all where the system does not tell. */
    private static long free() {
        if (!(ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)) {
            return Long.MAX_VALUE;
        }
        try {
            return unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount();
        } catch (InternalError none) { // They are counted in a folder of /proc, which takes one to be opened.
            return 0;
        }
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
