package io.fairlead.storage;

import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.MemTableInfo;

/** Counts how often the database began a new log. Told by the thread that writes, before its write returns. */
final class LogSwitches extends AbstractEventListener {
    private final AtomicLong count = new AtomicLong();

    LogSwitches() {
        super(EnabledEventCallback.ON_MEMTABLE_SEALED);
    }

    long count() {
        return count.get();
    }

    /** A full table in memory goes with the log that it was written to. */
    @Override
    public void onMemTableSealed(MemTableInfo sealed) {
        count.incrementAndGet();
    }

    /** The database was opened, which begins a new log as well. */
    void onOpened() {
        count.incrementAndGet();
    }
}
