package io.fairlead.credentials;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/** Files that are whole or absent, also after a loss of power, and that others cannot read unless they are meant to. */
public final class PrivateFiles {
    private PrivateFiles() {}

    /** Creates a folder that only its owner can enter; an existing one only has its mode changed. */
    public static void makeFolder(Path folder) throws IOException {
        if (isPosix(folder)) {
            FileAttribute<?> mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
            Files.createDirectories(folder, mode);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        } else {
            Files.createDirectories(folder);
        }
    }

    /** Replaces a file atomically with one that only its owner can read. */
    public static void writeSecret(Path file, String text) throws IOException {
        write(file, text, "rw-------");
    }

    /** Replaces a file atomically with one that everybody can read. */
    public static void writePublic(Path file, String text) throws IOException {
        write(file, text, "rw-r--r--");
    }

    private static void write(Path file, String text, String mode) throws IOException {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a folder");
        Path beside = Files.createTempFile(folder, ".", ".new");
        try {
            try (FileChannel out = FileChannel.open(beside, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            if (isPosix(beside)) {
                Files.setPosixFilePermissions(beside, PosixFilePermissions.fromString(mode));
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            syncFolder(folder);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    /** Makes the names of a folder's files durable, as renamed last, where its mode and its file system allow that. */
    public static void syncFolder(Path folder) {
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        } catch (IOException notOffered) {
            // What was renamed is there, and its content is durable.
        }
    }

    private static boolean isPosix(Path path) {
        Set<String> views = path.getFileSystem().supportedFileAttributeViews();
        return views.contains("posix");
    }
}
