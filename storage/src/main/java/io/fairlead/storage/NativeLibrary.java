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
 * The native part of RocksDB, unpacked once beside the files.
 *
 * <p>RocksDB by itself unpacks it into the temporary folder at every start and removes it when the process ends in good
 * order: that costs time, and killed processes would fill the disk.
 */
final class NativeLibrary {
    private static final AtomicBoolean LOADED = new AtomicBoolean();
    private static final String IN_JAR = Environment.getJniLibraryFileName("rocksdb");

    /** The name that {@code RocksDB.loadLibrary(List)} looks for in folders: not the one that is packed. */
    private static final String IN_FOLDER = Environment.getJniLibraryFileName("rocksdbjni");

    private NativeLibrary() {}

    /** Loads it, if this process has not done so yet, unpacking it below a folder if what is there is not the same. */
    static void load(Path folder) throws IOException {
        if (LOADED.get()) {
            return;
        }
        if (!unpackInto(folder) || !loaded(folder)) {
            loadFromTemporaryFolder();
        }
        LOADED.set(true);
    }

    /** Whether it is in a folder now, unpacked if what was there is not the same; false if it comes in no jar. */
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

    /** False where the folder's file system allows no programs. */
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
