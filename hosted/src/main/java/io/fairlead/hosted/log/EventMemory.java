package io.fairlead.hosted.log;

import io.fairlead.hosted.HostedMemory;
import io.fairlead.model.ByteBudget;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * Problem: the changes that are kept for watches, and those that slow watchers have still before them, must fit into the heap,
 * however large their values are and however many watch.
 *
 * Invariant: a change is counted once, of its cluster's share and of the process's, from when it is first held - by the history of
 * its resource or by a watcher - until it is held no longer. Where there is no room for a new one, the oldest that are only kept go
 * first: of the cluster if its share is full, else of all. Watches that want them read the store.
 *
 * Concurrency: this object's monitor guards what is kept where, and is the innermost lock: a resource's log takes it under its
 * own monitor, and nothing is called under it.
 */
/**
 * The changes that all hosted clusters hold in memory for watches.
 *
 * <p>Threads: any.
 */
public final class EventMemory {
    private final HostedMemory.History limits;
    private final ByteBudget bytes;
    private final EventForms forms;
    private final NavigableMap<Long, ResourceLog> kept = new TreeMap<>();

    public EventMemory(HostedMemory memory) {
        this.limits = memory.history();
        this.bytes = memory.budget().part(limits.bytesMax());
        this.forms = new EventForms(limits.bytesMax() / 2);
    }

    EventForms forms() {
        return forms;
    }

    /** The share of one cluster. */
    public Share share() {
        return new Share();
    }

    /** What one cluster holds. */
    public final class Share {
        private final ByteBudget shareBytes = bytes.part(limits.clusterBytesMax());
        private final NavigableMap<Long, ResourceLog> keptHere = new TreeMap<>();

        private Share() {}

        HostedMemory.History limits() {
            return limits;
        }

        /** Holds a change once more; false if there is no room. */
        boolean hold(LogEvent event) {
            return event.hold(shareBytes, Math.min(limits.bytesMax(), limits.clusterBytesMax()));
        }

        /**
         * Holds a change in the place of older ones that are only kept, if need be; false if there is no room all the same. Takes
         * the monitors of resources' logs, one at a time.
         */
        boolean holdBeforeOlder(LogEvent event) {
            while (!hold(event)) {
                Map.Entry<Long, ResourceLog> oldest = oldest(event);
                if (oldest == null) {
                    return false;
                }
                oldest.getValue().forget(oldest.getKey());
            }
            return true;
        }

        /** Holds a new change for the history of its resource, as {@link #holdBeforeOlder}. */
        boolean keep(LogEvent event, ResourceLog log) {
            boolean held = holdBeforeOlder(event);
            if (held) {
                synchronized (EventMemory.this) {
                    kept.put(event.revision(), log);
                    keptHere.put(event.revision(), log);
                }
            }
            return held;
        }

        /** No longer keeps a change. */
        void drop(LogEvent event) {
            synchronized (EventMemory.this) {
                kept.remove(event.revision());
                keptHere.remove(event.revision());
            }
            event.release();
        }

        private Map.@Nullable Entry<Long, ResourceLog> oldest(LogEvent event) {
            boolean full = shareBytes.taken() + event.bytes() > shareBytes.bytesMax();
            synchronized (EventMemory.this) {
                return full ? keptHere.firstEntry() : kept.firstEntry();
            }
        }
    }
}
