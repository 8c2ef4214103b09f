package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** The file {@code FORMAT} that says how the files beside it are to be read; checked before anything touches them. */
final class FormatMarker {
    private static final String NAME = "FORMAT";
    private static final String CURRENT = "fairlead-store 1";

    private FormatMarker() {}

    /** Marks an empty directory; refuses one that holds something else or another format. */
    static void checkOrCreate(Path directory) throws IOException {
        Path marker = directory.resolve(NAME);
        if (Files.exists(marker)) {
            check(directory, Files.readString(marker, StandardCharsets.UTF_8).strip());
        } else if (isEmpty(directory)) {
            create(directory, marker);
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

    /** Written aside, synced and renamed: a crash leaves a whole marker or none. */
    private static void create(Path directory, Path marker) throws IOException {
        Path aside = Files.createTempFile(directory, NAME, ".new");
        try (FileChannel file = FileChannel.open(aside, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap((CURRENT + "\n").getBytes(StandardCharsets.UTF_8)));
            file.force(true);
        }
        Files.move(aside, marker, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder = FileChannel.open(directory)) {
            folder.force(true);
        }
    }
}
