package io.fairlead.cli.server;

import io.fairlead.credentials.PrivateFiles;
import io.fairlead.gateway.ArchiveCheck;
import io.fairlead.model.FileFault;
import io.fairlead.model.Visible;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import picocli.CommandLine.Option;

/** The file into which a command writes the archive of a cluster or of a store; a {@link picocli.CommandLine.Mixin}. */
public final class ArchiveOutput {
    private static final int BUFFER_BYTES = 64 * 1024;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "the file to write, - for standard output")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private Path file;

    /**
     * Writes the archive that a server has at a path. A file is there once the archive is complete and as its sum says, and never
     * a part of one; only its owner may read it.
     *
     * @param check finds whether the archive is whole
     * @return the number of its entries
     */
    public long save(FairleadClient client, String path, ArchiveCheck check) throws CommandFailure, StatusFailure {
        try (InputStream archive = client.download(path)) {
            if (file.toString().equals("-")) {
                // System.out tells of no failure.
                return copy(archive, check, new FileOutputStream(FileDescriptor.out));
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                try (OutputStream out = Files.newOutputStream(file)) {
                    return copy(archive, check, out);
                }
            }
            return replace(archive, check);
        } catch (IOException unwritable) {
            throw CommandFailure.of(Visible.printable(
                    (file.toString().equals("-") ? "standard output" : file) + ": " + FileFault.ofWriting(unwritable)));
        }
    }

    private long replace(InputStream archive, ArchiveCheck check) throws CommandFailure, IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath(); // behind a link
        Path folder = Objects.requireNonNull(target.getParent(), "a file is in a folder");
        Path part = Files.createTempFile(folder, target.getFileName() + ".", ".part");
        part.toFile().deleteOnExit(); // as after an interrupt from the keyboard, which runs no finally
        try {
            long entries;
            try (FileChannel out = FileChannel.open(part, StandardOpenOption.WRITE)) {
                entries = copy(archive, check, Channels.newOutputStream(out));
                out.force(true);
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            PrivateFiles.syncFolder(folder);
            return entries;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static long copy(InputStream archive, ArchiveCheck check, OutputStream out)
            throws CommandFailure, IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int read = read(archive, buffer); read >= 0; read = read(archive, buffer)) {
                check.accept(buffer, 0, read);
                out.write(buffer, 0, read);
            }
            out.flush();
            return check.end();
        } catch (ArchiveCheck.DamagedException damaged) {
            throw CommandFailure.of(
                    Visible.printable("the server's answer is no whole archive: " + damaged.getMessage()));
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
}
