package io.fairlead.cli.server;

import io.fairlead.model.FileFault;
import io.fairlead.model.Visible;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The file from which a command reads the archive of a cluster or of a store; a {@link picocli.CommandLine.Mixin}. */
public final class ArchiveInput {
    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "the file to read, - for standard input")
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private Path file;

    /** Its bytes; to be closed. */
    public InputStream open() throws CommandFailure {
        try {
            return isStandardInput() ? System.in : Files.newInputStream(file);
        } catch (IOException unreadable) {
            throw failure(unreadable);
        }
    }

    /** A failure that names the file. */
    public CommandFailure failure(String problem) {
        return CommandFailure.of(Visible.printable((isStandardInput() ? "standard input" : file) + ": " + problem));
    }

    /** It could not be read. */
    public CommandFailure failure(IOException unreadable) {
        return failure(FileFault.of(unreadable));
    }

    private boolean isStandardInput() {
        return file.toString().equals("-");
    }
}
