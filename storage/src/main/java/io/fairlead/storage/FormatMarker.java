package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The file {@code FORMAT} with the version of the format; checked before the other files are opened. */
final class FormatMarker {
    private static final String NAME = "FORMAT";
    private static final String CURRENT = "fairlead-store 1";

    private FormatMarker() {}

    /** Marks an empty directory; refuses one with other content or another format. */
    static void checkOrCreate(Path directory, Disk disk) throws IOException {
        Path marker = directory.resolve(NAME);
        if (Files.exists(marker)) {
            check(directory, Files.readString(marker, StandardCharsets.UTF_8).strip());
        } else if (isEmpty(directory)) {
            DurableFiles.write(directory, NAME, CURRENT, disk);
        } else {
            throw new StoreException(
                    Reason.INCOMPATIBLE,
                    directory + " is not empty and has no file " + NAME + ": it is not a store's directory",
                    null);
        }
    }

    private static void check(Path directory, String found) {
        if (!found.equals(CURRENT)) {
            throw new StoreException(
                    Reason.INCOMPATIBLE,
                    directory + " has the store format \"" + found + "\" (expected \"" + CURRENT + "\")",
                    null);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.allMatch(file -> file.getFileName().toString().startsWith(NAME));
        }
    }
}
