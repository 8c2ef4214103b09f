package io.fairlead.config;

import java.time.Duration;

/** The bounds of the embedded store. */
public record StoreSettings(
        @Setting(
                value = "64Mi",
                meaning = "keys and values that wait to be written; beyond it a write waits commitWait")
        ByteSize commitQueueBytesMax,

        @Setting(value = "5s", meaning = "how long a write waits for room in the queue; then 429")
        Duration commitWait,

        @Setting(value = "8192", meaning = "changes kept in memory for followers; older ones are read from the log")
        int recentChangesMax,

        @Setting(value = "16Mi", meaning = "keys and values in these changes")
        ByteSize recentBytesMax,

        @Setting(value = "32Mi", meaning = "the cache of the database's blocks, outside of the heap")
        ByteSize blockCacheBytes,

        @Setting(
                value = "64Mi",
                meaning =
                        "free space of the disk below which nothing is stored but what belongs to a deletion, which may"
                                + " use half of it")
        ByteSize diskReserveBytes) {}
