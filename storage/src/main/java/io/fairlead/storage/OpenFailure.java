package io.fairlead.storage;

import io.fairlead.storage.RevisionedStore.StoreException;
import io.fairlead.storage.RevisionedStore.StoreException.Reason;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;

/** Why RocksDB does not open a directory, told by its words for it: of most causes it has no code. */
final class OpenFailure {
    /** For a lock of another process, and for one of this process ({@code env/fs_posix.cc}); a damaged "block" is none. */
    private static final Pattern LOCKED = Pattern.compile("While lock file|lock hold by current process");

    private static final Pattern MISSING_LOG = Pattern.compile("Missing WAL with log number: (\\d+)");

    private OpenFailure() {}

    /** @param directory whose path may have any words */
    static StoreException of(Path directory, RocksDBException e) {
        String message = String.valueOf(e.getMessage());
        if (LOCKED.matcher(message.replace(directory.toString(), "")).find()) {
            return new StoreException(Reason.IN_USE, directory + " is in use: another process holds its lock", e);
        }
        if (Descriptors.ranOut(e)) {
            return RevisionFiles.noDescriptors(e);
        }
        Matcher missing = MISSING_LOG.matcher(message);
        if (missing.find()) {
            return LogNote.missing(directory, Long.parseLong(missing.group(1)), e);
        }
        return new StoreException(Reason.DAMAGED, directory + " cannot be opened: " + message, e);
    }
}
