package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The directory of the store's files as it was when they were opened. Open files outlive their directory: later writes
 * to them are lost after a restart, so they must not be acknowledged.
 */
final class StoreDirectory {
    private final Path directory;
    private final @Nullable Object identity;

    private StoreDirectory(Path directory, @Nullable Object identity) {
        this.directory = directory;
        this.identity = identity;
    }

    /** The directory as it is now. */
    static StoreDirectory in(Path directory) throws IOException {
        return new StoreDirectory(directory, identity(directory));
    }

    /** Throws if the directory is gone, or another one is in its place. */
    void require() {
        Optional<String> loss = loss();
        if (loss.isPresent()) {
            throw new StoreException(StoreException.Reason.DIRECTORY_GONE, loss.get(), null);
        }
    }

    /** What is wrong with the directory. */
    Optional<String> defect() {
        return loss().or(() -> Files.isWritable(directory)
                ? Optional.empty()
                : Optional.of("the store's directory " + directory + " is not writable any more"));
    }

    private Optional<String> loss() {
        try {
            return Objects.equals(identity(directory), identity) ? Optional.empty() : Optional.of(lost("replaced"));
        } catch (NoSuchFileException deleted) {
            return Optional.of(lost("deleted"));
        } catch (IOException unreadable) {
            return Optional.of(lost("made unreadable"));
        }
    }

    private String lost(String what) {
        return "the store's directory " + directory + " was " + what
                + " while the server runs: nothing that is written would be kept (put it back, or restart the server)";
    }

    /** Null where the file system reports none. */
    private static @Nullable Object identity(Path directory) throws IOException {
        return Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    }
}
