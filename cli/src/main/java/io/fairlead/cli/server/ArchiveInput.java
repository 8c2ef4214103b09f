package io.fairlead.cli.server;

import io.fairlead.gateway.ArchiveCheck;
import io.fairlead.model.FileFault;
import io.fairlead.model.Visible;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The file from which a command reads the archive of a cluster or of a store; a {@link picocli.CommandLine.Mixin}. */
public final class ArchiveInput {
    /** Of the first line, which has the name of a cluster and a few words. */
    private static final int LINE_BYTES_MAX = 4_096;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "the file to read, - for standard input")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private Path file;

    /**
     * Its bytes; to be closed.
     *
     * @param writer the command that writes such files
     * @throws CommandFailure if it cannot be read, or is no archive by its first line
     */
    public InputStream open(String writer) throws CommandFailure {
        try {
            InputStream in =
                    new BufferedInputStream(isStandardInput() ? System.in : Files.newInputStream(file), LINE_BYTES_MAX);
            in.mark(LINE_BYTES_MAX);
            if (!ArchiveCheck.isBegunBy(in.readNBytes(LINE_BYTES_MAX))) {
                in.close();
                throw CommandFailure.of(
                        Visible.printable(name() + " is no archive (expected what '" + writer + "' wrote)"));
            }
            in.reset();
            return in;
        } catch (IOException unreadable) {
            throw failure(unreadable);
        }
    }

    private String name() {
        return isStandardInput() ? "standard input" : file.toString();
    }

    /** A failure that names the file. */
    public CommandFailure failure(String problem) {
        return CommandFailure.of(Visible.printable(name() + ": " + problem));
    }

    /** It could not be read. */
    public CommandFailure failure(IOException unreadable) {
        return failure(FileFault.of(unreadable));
    }

    private boolean isStandardInput() {
        return file.toString().equals("-");
    }
}
