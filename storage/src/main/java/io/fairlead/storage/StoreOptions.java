package io.fairlead.storage;

import java.time.Duration;

/**
 * The limits of an {@link EmbeddedStore}; each is a key of the configuration.
 *
 * @param commitQueueBytesMax keys and values that may wait for the writer; beyond it {@code commit} blocks
 * @param commitWait how long {@code commit} blocks for room in that queue before it fails as overloaded
 * @param recentChangesMax changes kept in memory for followers; older ones are read from the log
 * @param recentBytesMax bytes of keys and values in those changes
 * @param blockCacheBytes cache of the database's blocks
 * @param diskReserveBytes free space below which values are refused, so that deletions still find room
 */
public record StoreOptions(
        long commitQueueBytesMax,
        Duration commitWait,
        int recentChangesMax,
        long recentBytesMax,
        long blockCacheBytes,
        long diskReserveBytes) {
    private static final long MIB = 1024 * 1024;

    public StoreOptions {
        requireAtLeast(
                "commitQueueBytesMax",
                commitQueueBytesMax,
                RevisionedStore.VALUE_BYTES_MAX + (long) RevisionedStore.KEY_BYTES_MAX);
        requireAtLeast("commitWait in milliseconds", commitWait.toMillis(), 0);
        requireAtLeast("recentChangesMax", recentChangesMax, 1);
        requireAtLeast("recentBytesMax", recentBytesMax, 0);
        requireAtLeast("blockCacheBytes", blockCacheBytes, MIB);
        requireAtLeast("diskReserveBytes", diskReserveBytes, 0);
    }

    public StoreOptions withCommitQueue(long bytesMax, Duration wait) {
        return new StoreOptions(bytesMax, wait, recentChangesMax, recentBytesMax, blockCacheBytes, diskReserveBytes);
    }

    public StoreOptions withRecentChanges(int changesMax, long bytesMax) {
        return new StoreOptions(
                commitQueueBytesMax, commitWait, changesMax, bytesMax, blockCacheBytes, diskReserveBytes);
    }

    public StoreOptions withDiskReserve(long bytes) {
        return new StoreOptions(
                commitQueueBytesMax, commitWait, recentChangesMax, recentBytesMax, blockCacheBytes, bytes);
    }

    private static void requireAtLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + ": " + value + " (expected at least " + least + ")");
        }
    }
}
