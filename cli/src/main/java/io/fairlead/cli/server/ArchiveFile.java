package io.fairlead.cli.server;

import io.fairlead.hosted.archive.ArchiveException;
import io.fairlead.hosted.archive.ArchiveHeader;
import io.fairlead.hosted.archive.ArchiveReader;
import io.fairlead.model.FileFault;
import io.fairlead.model.Visible;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file with the archive of a cluster or of a store.
 *
 * @param path {@code -} is the standard input or output; a file of this name is {@code ./-}
 */
public record ArchiveFile(Path path) {
    private static final int BUFFER_BYTES = 64 * 1024;

    /** What was read of an archive, and where to. */
    private interface Sink {
        void write(byte[] buffer, int length) throws IOException;
    }

    /** Its bytes; to be closed. */
    public InputStream open() throws CommandFailure {
        try {
            return isStandard() ? System.in : Files.newInputStream(path);
        } catch (IOException unreadable) {
            throw failure(FileFault.of(unreadable));
        }
    }

    /**
     * Writes an archive that comes from a server. A file is there once the archive is complete and as its sum says, and never a
     * part of one; only its owner may read it.
     *
     * @return the number of its entries
     */
    public long write(InputStream archive, ArchiveHeader.Content content) throws CommandFailure {
        if (isStandard()) {
            return copy(archive, content, (buffer, length) -> {
                System.out.write(buffer, 0, length);
                System.out.flush();
            });
        }
        Path part = path.resolveSibling(path.getFileName() + ".part");
        try {
            Files.deleteIfExists(part);
            Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            long entries;
            try (OutputStream out = Files.newOutputStream(part, StandardOpenOption.WRITE)) {
                entries = copy(archive, content, (buffer, length) -> out.write(buffer, 0, length));
            }
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return entries;
        } catch (IOException unwritable) {
            throw failure(FileFault.of(unwritable));
        } finally {
            remove(part);
        }
    }

    /** A failure that names the file. */
    public CommandFailure failure(String problem) {
        return CommandFailure.of(Visible.printable((isStandard() ? "standard input or output" : path) + ": " + problem));
    }

    private static long copy(InputStream archive, ArchiveHeader.Content content, Sink sink)
            throws CommandFailure {
        ArchiveReader reader = new ArchiveReader(content, _ -> {});
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int read = read(archive, buffer); read >= 0; read = read(archive, buffer)) {
                reader.accept(buffer, 0, read);
                write(sink, buffer, read);
            }
            reader.end();
            return reader.count();
        } catch (ArchiveException damaged) {
            throw CommandFailure.of(Visible.printable("the server's answer is no whole archive: " + damaged.getMessage()));
        }
    }

    private static int read(InputStream archive, byte[] buffer) throws CommandFailure {
        try {
            return archive.read(buffer);
        } catch (IOException brokenOff) {
            throw CommandFailure.of(
                    "the server broke the archive off (" + brokenOff.getMessage() + ")",
                    "its log says why; history that the archive needs is kept for some minutes only");
        }
    }

    private static void write(Sink sink, byte[] buffer, int length) throws CommandFailure {
        try {
            sink.write(buffer, length);
        } catch (IOException unwritable) {
            throw CommandFailure.of("the archive cannot be written (" + FileFault.of(unwritable) + ")");
        }
    }

    private static void remove(Path part) throws CommandFailure {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            throw CommandFailure.of(part + " cannot be removed (" + FileFault.of(e) + ")");
        }
    }

    private boolean isStandard() {
        return path.toString().equals("-");
    }
}
