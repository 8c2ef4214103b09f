package io.fairlead.storage;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/*
 * The end of a log or of a manifest that was cut off looks to RocksDB as if its last record had been torn by a crash: it opens
 * what is left, which may be nothing at all, and deletes the tables that it then knows nothing of. A torn record is one that was
 * never acknowledged; so a database whose newest revision is older than one that was acknowledged is damaged. A manifest only grows
 * while it is the current one; so one that has become shorter is damaged, which shows before the tables are deleted.
 *
 * The note is not synced: it is written when what it names is durable already, and after a loss of power an older note, or none,
 * only detects less.
 */
/**
 * The file {@code NEWEST-REVISION}, by which a loss of what was stored is detected: a revision that was acknowledged, the name of the
 * database's manifest and its size.
 */
final class RevisionNote {
    private static final String NAME = "NEWEST-REVISION";
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18}) (MANIFEST-\\d+) (\\d{1,18})\n");

    /** A loss of fewer writes than these since the store was opened is not detected, unless it was closed since. */
    private static final long STEP = 100;

    private final Path store;
    private final Path database;

    private long noted;

    /** The note is next to the database's folder. */
    RevisionNote(Path store, Path database) {
        this.store = store;
        this.database = database;
    }

    /** Throws if the manifest is shorter than it was; to be called before the database is opened. */
    void checkManifest() {
        Matcher note = read();
        if (note.matches()) {
            Path manifest = database.resolve(note.group(2));
            if (Files.exists(manifest) && manifest.toFile().length() < Long.parseLong(note.group(3))) {
                throw damaged(manifest + " has " + manifest.toFile().length() + " bytes and had " + note.group(3)
                        + " before: it was cut off");
            }
        }
    }

    /**
     * Throws if the database, which was opened just now, is older than the note.
     *
     * @param newest its newest revision
     */
    void check(long newest) {
        Matcher note = read();
        if (note.matches() && newest < Long.parseLong(note.group(1))) {
            throw damaged(database + " has what was stored up to revision " + newest + ", and revision " + note.group(1)
                    + " was acknowledged: a file of it is cut off, or older than the others");
        }
    }

    /** Notes a revision that was acknowledged, or is durable, if it is far enough from the last one noted. */
    void advance(long revision) {
        if (revision >= noted + STEP) {
            take(revision);
        }
    }

    /** Notes a revision. Without room on the disk the note stays as it was. */
    void take(long revision) {
        Path aside = store.resolve(NAME + ".new");
        try {
            String manifest =
                    Files.readString(database.resolve("CURRENT"), US_ASCII).strip();
            long bytes = Files.size(database.resolve(manifest));
            Files.writeString(aside, revision + " " + manifest + " " + bytes + "\n", US_ASCII);
            Files.move(aside, store.resolve(NAME), ATOMIC_MOVE, REPLACE_EXISTING);
            noted = revision;
        } catch (IOException e) {
            noted = revision - STEP / 2; // tried again after some writes
        }
    }

    private StoreException damaged(String what) {
        return new StoreException(
                Reason.DAMAGED,
                what + " (restore the whole directory " + store + "; or delete " + store.resolve(NAME)
                        + " to go on without what is missing)",
                null);
    }

    /** Matches nothing if there is no note, or none that can be read. */
    private Matcher read() {
        try {
            return TEXT.matcher(Files.readString(store.resolve(NAME), US_ASCII));
        } catch (IOException e) {
            return TEXT.matcher("");
        }
    }
}
