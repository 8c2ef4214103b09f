package io.fairlead.storage;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store of byte values under text keys, with one revision sequence.
 *
 * <p>Each committed write takes the next revision, deletions as well; a revision is never used twice, not even after a
 * crash. A write is durable before {@link #commit} returns, and only then does any reader see it. Reads of the past are
 * exact down to {@link #compactedRevision()}.
 *
 * <p>Keys are printable ASCII, ordered by their bytes, at most {@value #KEY_BYTES_MAX} bytes; values are at most
 * {@value #VALUE_BYTES_MAX} bytes.
 *
 * <p>Threads: all methods may be called from any thread; {@code commit} and {@code awaitRevision} block and are meant
 * for virtual threads. A store whose disk failed a sync refuses every further write with {@link StoreException} until
 * it has been reopened.
 */
public interface RevisionedStore extends AutoCloseable {
    int KEY_BYTES_MAX = 2048;
    int VALUE_BYTES_MAX = 8 * 1024 * 1024;

    /** How much {@link #forEach} reads at once, and one value more. */
    long WALK_BYTES = 1024L * 1024;

    /** What {@link #changes} hands out at once ends with the change that reaches so many bytes of keys and values. */
    long CHANGES_BYTES_MAX = 4L * 1024 * 1024;

    /** The revision of the newest write that readers see; 1 in a new store. */
    long revision();

    /** The oldest revision whose snapshot can still be read and after which changes are complete; 1 in a new store. */
    long compactedRevision();

    /**
     * Commits one conditional write and returns when it is durable, or changes nothing and says what stands there.
     *
     * <p>The value belongs to the store from here on. Waits while too many other writes wait, up to a limit of the
     * engine.
     *
     * @throws StoreException if it cannot be stored; whether it was is then unknown only if the exception says so
     * @throws IllegalArgumentException if the key or the value breaks the limits above
     */
    CommitResult commit(Write write);

    /** The newest value of a key. */
    default @Nullable Entry get(String key) {
        return get(key, revision());
    }

    /**
     * The value that a key had at a revision.
     *
     * @param revision at most {@link #revision()}, else {@link IllegalArgumentException}; so in {@code list} and
     *     {@code count}
     * @throws CompactedException if the revision is older than the compacted one
     */
    @Nullable
    Entry get(String key, long revision);

    /**
     * The entries below a prefix as they were at a revision, in key order.
     *
     * @param after the key after which to begin, or null for the first
     * @param countMax at most so many, 0 for all
     * @throws CompactedException if the revision is older than the compacted one
     */
    List<Entry> list(String prefix, @Nullable String after, int countMax, long revision);

    /**
     * Some of the entries below a prefix as they were at a revision, in key order: as many as reach a number of bytes, so that
     * what is read at once is bounded by that and one value.
     *
     * @param after the key after which to begin, or null for the first
     * @param bytesMax the page ends with the entry that reaches so many bytes of keys and values; positive
     * @throws CompactedException if the revision is older than the compacted one
     */
    Page page(String prefix, @Nullable String after, long bytesMax, long revision);

    /**
     * Visits all entries below a prefix as they were at a revision, in key order, reading {@link #WALK_BYTES} at a time.
     *
     * @throws CompactedException if the revision is older than the compacted one, also meanwhile
     */
    default void forEach(String prefix, long revision, Consumer<Entry> visitor) {
        Page page = new Page(List.of(), true);
        String after = null;
        while (page.more()) {
            page = page(prefix, after, WALK_BYTES, revision);
            for (Entry entry : page.entries()) {
                visitor.accept(entry);
                after = entry.key();
            }
        }
    }

    /**
     * The number of entries that {@link #list} with no limit would return.
     *
     * @throws CompactedException if the revision is older than the compacted one
     */
    long count(String prefix, @Nullable String after, long revision);

    /**
     * The changes after a revision in order, oldest first, without gaps; none if the revision is the newest or has not
     * been reached yet.
     *
     * @param countMax at most so many, positive; fewer if these reach {@link #CHANGES_BYTES_MAX} bytes
     * @throws CompactedException if the revision is older than the compacted one
     */
    default List<Change> changes(long afterRevision, int countMax) {
        return changes(afterRevision, countMax, CHANGES_BYTES_MAX);
    }

    /**
     * The changes after a revision in order, oldest first, without gaps; none if the revision is the newest or has not
     * been reached yet.
     *
     * @param countMax at most so many, positive
     * @param bytesMax ends with the change that reaches so many bytes of keys and values; positive
     * @throws CompactedException if the revision is older than the compacted one
     */
    List<Change> changes(long afterRevision, int countMax, long bytesMax);

    /**
     * Waits until {@link #revision()} is above the given one, the time is over or the store is closed.
     *
     * @return the newest revision
     */
    long awaitRevisionAbove(long revision, Duration timeout) throws InterruptedException;

    /**
     * Forgets the past before a revision; values still current at it stay readable. A revision already compacted is not
     * an error, one above {@link #revision()} is an {@link IllegalArgumentException}.
     */
    void compact(long revision);

    /**
     * Whether it works: false once its disk failed, and once it is closed. A full disk does not count, since reads and
     * deletions still work. Never blocks.
     */
    boolean isSound();

    /** Why it cannot do its work, or empty if it can. Looks at the disk, so it may block. */
    Optional<String> defect();

    /**
     * Why it refuses values for want of room, in words for people, or empty if there is room. Reads and deletions work all the
     * same. Looks at the disk, so it may block.
     */
    Optional<String> shortage();

    /** Finishes the writes that wait, ends all other waits and frees the store. Closing twice is not an error. */
    @Override
    void close();

    /**
     * A value as it stands in the store.
     *
     * @param key its key
     * @param value its bytes; not to be changed
     * @param revision the revision of the write that stored it
     * @param createRevision the revision at which the key last came into being
     */
    record Entry(String key, byte[] value, long revision, long createRevision) {
        /** The bytes of key and value. */
        public long bytes() {
            return (long) key.length() + value.length;
        }
    }

    /**
     * Entries in key order.
     *
     * @param more whether others follow
     */
    record Page(List<Entry> entries, boolean more) {}

    /**
     * One committed write.
     *
     * @param revision its revision
     * @param key its key
     * @param value the new value, or null for a deletion
     * @param previous what stood there before, or null if nothing
     */
    record Change(
            long revision,
            String key,
            byte @Nullable [] value,
            @Nullable Entry previous) {
        /** The bytes of the key, of the value and of what stood there before. */
        public long bytes() {
            return (long) key.length()
                    + (value == null ? 0 : value.length)
                    + (previous == null ? 0 : previous.value().length);
        }
    }

    /** A conditional write of one key. */
    sealed interface Write {
        String key();

        /** The revision that the key must have now: 0 if it must not exist. */
        long expectedRevision();

        /**
         * Stores a value.
         *
         * @param ofDeletion whether it belongs to a deletion, for which some of the disk is kept free
         */
        record Put(String key, byte[] value, long expectedRevision, boolean ofDeletion) implements Write {
            public Put(String key, byte[] value, long expectedRevision) {
                this(key, value, expectedRevision, false);
            }
        }

        /** Removes a value. */
        record Delete(String key, long expectedRevision) implements Write {}
    }

    /** What became of a write. */
    sealed interface CommitResult {
        /** It is durable at this revision. */
        record Committed(long revision) implements CommitResult {}

        /** Nothing was written: the key is not at the expected revision but holds this. */
        record Mismatch(@Nullable Entry current) implements CommitResult {}
    }

    /** A read of a past that has been compacted away. */
    final class CompactedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final long compactedRevision;

        public CompactedException(long revision, long compactedRevision) {
            super("revision " + revision + " is older than the compacted revision " + compactedRevision);
            this.compactedRevision = compactedRevision;
        }

        public long compactedRevision() {
            return compactedRevision;
        }
    }

    /** The store cannot do its work. Nothing was changed, unless the reason is {@link Reason#UNCERTAIN}. */
    final class StoreException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Reason reason;

        public StoreException(Reason reason, String message, @Nullable Throwable cause) {
            super(message, cause);
            this.reason = reason;
        }

        public Reason reason() {
            return reason;
        }

        /** Why a store cannot do its work. */
        public enum Reason {
            /** More writes wait than may: worth another try later. */
            OVERLOADED,
            /** The disk has no room: reads and deletions still work, writes do again once there is room. */
            DISK_FULL,
            /** The process has no file descriptors left: what is in open files can be read, writes work once some are free. */
            NO_DESCRIPTORS,
            /** The disk failed while this write was being made durable: whether it is stored shows after reopening. */
            UNCERTAIN,
            /** The disk failed earlier: nothing is written until the store has been reopened. */
            FAILED,
            /** The directory was deleted or replaced under the open files: nothing that is written would be kept. */
            DIRECTORY_GONE,
            /** Another process, or another store of this one, holds the files. */
            IN_USE,
            /** The files are not of this store, or of a version that this program does not know. */
            INCOMPATIBLE,
            /** The files cannot be read. */
            DAMAGED,
            /** The store has been closed. */
            CLOSED
        }
    }
}
