package io.fairlead.hosted.cluster;

import io.fairlead.hosted.archive.ArchiveException;
import io.fairlead.hosted.archive.ArchiveHeader;
import io.fairlead.hosted.archive.ArchiveReader;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.model.ClusterName;
import io.fairlead.storage.RevisionedStore;
import io.fairlead.storage.RevisionedStore.CommitResult;
import io.fairlead.storage.RevisionedStore.Entry;
import io.fairlead.storage.RevisionedStore.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One archive that becomes a cluster, part by part. What it has is stored at once, below a uid that is no cluster's until the
 * archive is complete.
 *
 * <p>Threads: any, one part at a time.
 */
final class ClusterImport {
    /** GROUP/RESOURCE/[NAMESPACE/]NAME, see {@link ClusterKeys}. */
    private static final Pattern KEY = Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?/[a-z0-9]([a-z0-9-]*[a-z0-9])?(/[!-~&&[^/]]+){1,2}");

    private final ClusterName name;
    private final RevisionedStore store;
    private final ClusterRecords records;
    private final ArchiveReader reader = new ArchiveReader(ArchiveHeader.Content.CLUSTER, this::take);
    private final List<Entry> waiting = new ArrayList<>();
    private @Nullable String uid;
    private long bytes;
    private boolean isOver;
    private volatile Instant lastPart;

    ClusterImport(ClusterName name, RevisionedStore store, ClusterRecords records, Instant now) {
        this.name = name;
        this.store = store;
        this.records = records;
        this.lastPart = now;
    }

    /**
     * How far it is.
     *
     * @param header what its first line says, null before it was read
     * @param bytes how many bytes of the archive were taken
     * @param entries how many entries were in them
     */
    record Progress(@Nullable ArchiveHeader header, long bytes, long entries) {}

    /** How many bytes were taken: where the next part begins. */
    synchronized long bytes() {
        return bytes;
    }

    /** Whether nothing may be added any more. */
    synchronized boolean isOver() {
        return isOver;
    }

    boolean isIdleSince(Instant then) {
        return lastPart.isBefore(then);
    }

    /**
     * Stores the entries of a part.
     *
     * @throws ArchiveException if the archive is damaged; nothing more is to be added then
     */
    synchronized Progress add(byte[] part, Instant now) {
        lastPart = now;
        reader.accept(part, 0, part.length);
        bytes += part.length;
        if (uid == null && reader.header().isPresent()) {
            uid = records.beginImport(name, reader.header().get().builtIns());
        }
        storeWaiting();
        return new Progress(reader.header().orElse(null), bytes, reader.count());
    }

    /**
     * Makes it a cluster.
     *
     * @return whether it is one: false if another one has the name
     * @throws ArchiveException if the archive is not complete
     */
    synchronized boolean complete() {
        reader.end();
        if (uid == null) {
            throw new ArchiveException("it has no header");
        }
        isOver = records.completeImport(uid);
        return isOver;
    }

    /** Ends it; the uid of what it has stored, to be deleted, or null if nothing was. */
    synchronized @Nullable String abandon() {
        isOver = true;
        return uid;
    }

    private void take(Entry entry) {
        if (!KEY.matcher(entry.key()).matches()) {
            throw new ArchiveException(
                    "key \"" + entry.key() + "\" (expected GROUP/RESOURCE/NAME or GROUP/RESOURCE/NAMESPACE/NAME)");
        }
        waiting.add(entry);
    }

    private void storeWaiting() {
        if (waiting.isEmpty()) {
            return;
        }
        String prefix = new ClusterKeys(Objects.requireNonNull(uid)).cluster();
        Together.run(List.copyOf(waiting), entry -> {
            String key = prefix + entry.key();
            if (key.length() > RevisionedStore.KEY_BYTES_MAX) {
                throw new ArchiveException("key of " + entry.key().length() + " characters (expected at most "
                        + (RevisionedStore.KEY_BYTES_MAX - prefix.length()) + ")");
            }
            Write.Put write = new Write.Put(key, entry.value(), 0);
            if (store.commit(write) instanceof CommitResult.Mismatch) {
                throw new ArchiveException("key \"" + entry.key() + "\" is in it twice");
            }
        });
        waiting.clear();
    }
}
