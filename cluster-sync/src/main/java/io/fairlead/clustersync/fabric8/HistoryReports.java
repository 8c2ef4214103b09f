package io.fairlead.clustersync.fabric8;

import io.fairlead.clustersync.source.TypeChange;
import java.util.function.Consumer;

/**
 * The reports of one cluster's feeds, one at a time.
 *
 * <p>What a store reports belongs to the history that it was listed in. When that proves to have ended, through whichever
 * feed, reports of the other feeds' stores would mix it with the next one, or prove its end once more: none of them counts
 * any longer.
 *
 * <p>Threads: any; the lock is inside those of feeds and stores, and held during a report.
 */
final class HistoryReports {
    private final Consumer<TypeChange> changes;
    private int history;
    private boolean closed;

    HistoryReports(Consumer<TypeChange> changes) {
        this.changes = changes;
    }

    /** Reports what is true in any history: of the feed itself. */
    synchronized void report(TypeChange change) {
        if (!closed) {
            changes.accept(change);
        }
    }

    /** The reports of a store whose list begins now. */
    synchronized Consumer<TypeChange> ofPresentHistory() {
        int present = history;
        return change -> report(present, change);
    }

    /** The present history has ended: nothing more of it is reported. */
    synchronized void nextHistory() {
        history++;
    }

    /** Reports nothing more once it returns. */
    synchronized void close() {
        closed = true;
    }

    private synchronized void report(int of, TypeChange change) {
        if (of == history) {
            report(change);
        }
    }
}
