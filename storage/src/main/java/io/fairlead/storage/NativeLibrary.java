package io.fairlead.storage;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * The native part of RocksDB, unpacked once next to the files.
 *
 * <p>By default RocksDB unpacks it into the temporary folder at every start and removes it at a regular exit: that
 * costs time, and killed processes would fill the disk.
 */
final class NativeLibrary {
    private static final AtomicBoolean LOADED = new AtomicBoolean();
    private static final String IN_JAR = Environment.getJniLibraryFileName("rocksdb");

    /** The name that {@code RocksDB.loadLibrary(List)} looks for in folders: it differs from the packed one. */
    private static final String IN_FOLDER = Environment.getJniLibraryFileName("rocksdbjni");

    private NativeLibrary() {}

    /** Loads it, if this process has not done so yet; unpacks it into a folder if the present file differs. */
    static void load(Path folder) throws IOException {
        if (LOADED.get()) {
            return;
        }
        if (!unpackInto(folder) || !loaded(folder)) {
            loadFromTemporaryFolder();
        }
        LOADED.set(true);
    }

    /** Whether it is in a folder now, unpacked if the present file differed; false if no jar contains it. */
    static boolean unpackInto(Path folder) throws IOException {
        JarEntry packed = packed();
        if (packed == null) {
            return false;
        }
        Files.createDirectories(folder);
        Path unpacked = folder.resolve(IN_FOLDER);
        if (!isSame(unpacked, packed)) {
            unpack(folder, unpacked);
        }
        return true;
    }

    /** False if the folder's file system is mounted noexec. */
    private static boolean loaded(Path folder) {
        try {
            RocksDB.loadLibrary(List.of(folder.toAbsolutePath().toString()));
            return true;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    private static void loadFromTemporaryFolder() throws IOException {
        try {
            RocksDB.loadLibrary();
        } catch (UnsatisfiedLinkError | RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException("the library " + IN_JAR + " cannot be loaded: " + cause, e);
        }
    }

    private static @Nullable JarEntry packed() throws IOException {
        URL resource = RocksDB.class.getClassLoader().getResource(IN_JAR);
        return resource != null && resource.openConnection() instanceof JarURLConnection jar ? jar.getJarEntry() : null;
    }

    private static boolean isSame(Path unpacked, JarEntry packed) throws IOException {
        if (!Files.exists(unpacked) || Files.size(unpacked) != packed.getSize()) {
            return false;
        }
        var checksum = new CRC32();
        checksum.update(Files.readAllBytes(unpacked));
        return checksum.getValue() == packed.getCrc();
    }

    private static void unpack(Path folder, Path unpacked) throws IOException {
        Path aside = Files.createTempFile(folder, IN_FOLDER, ".new");
        try (InputStream in = RocksDB.class.getClassLoader().getResourceAsStream(IN_JAR)) {
            if (in == null) {
                throw new IOException("no " + IN_JAR + " on the class path");
            }
            Files.copy(in, aside, StandardCopyOption.REPLACE_EXISTING);
            Files.move(aside, unpacked, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }
}
