package io.fairlead.storage;

import java.util.concurrent.atomic.AtomicLong;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.MemTableInfo;

/** Counts the logs that the database has begun. Called by the writing thread, before its write returns. */
final class LogSwitches extends AbstractEventListener {
    private final AtomicLong count = new AtomicLong();

    LogSwitches() {
        super(EnabledEventCallback.ON_MEMTABLE_SEALED);
    }

    long count() {
        return count.get();
    }

    /** A full memory table is closed together with its log. */
    @Override
    public void onMemTableSealed(MemTableInfo sealed) {
        count.incrementAndGet();
    }

    /** The database was opened, which begins a new log too. */
    void onOpened() {
        count.incrementAndGet();
    }
}
