package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/*
 * RocksDB tracks its closed logs, and refuses to open without one of them. It does not track the current log: without
 * that one it opens, and writes acknowledged since the last flush are silently lost. There is always a current log, and
 * a newer one has a higher number. So one of at least the noted number must exist, however old the note is.
 */
/** The file {@code NEWEST-LOG} that names the database's newest log, by which its loss is detected. */
final class LogNote {
    private static final String NAME = "NEWEST-LOG";
    private static final Pattern LOG = Pattern.compile("(\\d+)\\.log");

    private final Path database;
    private final Path store;
    private final Disk disk;

    /** The note is next to the database's folder. */
    LogNote(Path database, Disk disk) {
        this.database = database;
        this.store = Objects.requireNonNull(database.toAbsolutePath().getParent(), "the store's directory is no root");
        this.disk = disk;
    }

    /** Throws if neither the noted log nor a newer one exists. */
    void check() {
        Path note = store.resolve(NAME);
        try {
            long noted = number(Files.readString(note, StandardCharsets.UTF_8).strip());
            if (newest().orElse(-1) < noted) {
                throw missing(database, noted, null);
            }
        } catch (NoSuchFileException none) {
            // A new store, or one of a version without notes.
        } catch (IOException e) {
            throw new StoreException(Reason.DAMAGED, note + " cannot be read", e);
        }
    }

    /** Notes the newest log. */
    void take() throws IOException {
        OptionalLong newest = newest();
        if (newest.isPresent()) {
            DurableFiles.write(store, NAME, name(newest.getAsLong()), disk);
        }
    }

    /** The error for a database without one of its logs. */
    static StoreException missing(Path database, long log, @Nullable Throwable cause) {
        return new StoreException(
                Reason.DAMAGED,
                database + " cannot be opened: its log " + name(log)
                        + " is missing, and with it what was stored last (put it"
                        + " back, or restore the whole directory)",
                cause);
    }

    private static String name(long log) {
        return "%06d.log".formatted(log);
    }

    private OptionalLong newest() throws IOException {
        try (Stream<Path> files = Files.list(database)) {
            return files.mapToLong(file -> number(file.getFileName().toString()))
                    .max();
        }
    }

    /** A log's number, or -1 for any other name. */
    private static long number(String name) {
        Matcher log = LOG.matcher(name);
        return log.matches() ? Long.parseLong(log.group(1)) : -1;
    }
}
