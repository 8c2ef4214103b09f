package io.fairlead.storage;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
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
        Path jar = jar();
        if (jar == null) {
            return false;
        }
        try (JarFile packed = new JarFile(jar.toFile())) {
            JarEntry library = packed.getJarEntry(IN_JAR);
            if (library == null) {
                return false;
            }
            Files.createDirectories(folder);
            Path unpacked = folder.resolve(IN_FOLDER);
            if (!isSame(unpacked, library)) {
                unpack(packed, library, unpacked);
            }
            return true;
        }
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

    /** That of RocksDB alone: a search by the class loader would open all jars before it. */
    private static @Nullable Path jar() {
        CodeSource source = RocksDB.class.getProtectionDomain().getCodeSource();
        // Null for a class from the JVM's cache, if the jar is gone of which that was made, as in a folder that was
        // moved.
        URL location = source == null ? null : source.getLocation();
        if (location == null) {
            return onClassPath();
        }
        if (!location.getProtocol().equals("file")) {
            return null;
        }
        Path place = Path.of(URI.create(location.toString()));
        return Files.isRegularFile(place) ? place : null;
    }

    private static @Nullable Path onClassPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(place -> String.valueOf(place.getFileName()).startsWith("rocksdbjni-"))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElse(null);
    }

    private static boolean isSame(Path unpacked, JarEntry packed) throws IOException {
        if (!Files.exists(unpacked) || Files.size(unpacked) != packed.getSize()) {
            return false;
        }
        var checksum = new CRC32();
        try (FileChannel file = FileChannel.open(unpacked)) {
            checksum.update(file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()));
        }
        return checksum.getValue() == packed.getCrc();
    }

    private static void unpack(JarFile jar, JarEntry packed, Path unpacked) throws IOException {
        Path aside = Files.createTempFile(unpacked.getParent(), IN_FOLDER, ".new");
        try (InputStream in = jar.getInputStream(packed)) {
            Files.copy(in, aside, StandardCopyOption.REPLACE_EXISTING);
            Files.move(aside, unpacked, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(aside);
        }
    }
}
