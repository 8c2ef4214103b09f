package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.hosted.watchcache.EventMemory;
import io.fairlead.hosted.watchcache.ResourceLog;
import io.fairlead.hosted.watchcache.RevisionFeed;
import io.fairlead.hosted.watchcache.Watcher;
import io.fairlead.storage.RevisionedStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The watches of one cluster.
 *
 * <p>Owns one {@link ResourceLog} per resource that was ever watched; closing ends every watch.
 */
public final class Watches implements AutoCloseable {
    private static final Duration CATCH_UP = Duration.ofSeconds(3);

    private final RevisionedStore store;
    private final RevisionFeed log;
    private final HostedSettings settings;
    private final EventMemory.Share memory;
    private final Map<String, ResourceLog> logs = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public Watches(RevisionedStore store, RevisionFeed log, HostedSettings settings, EventMemory.Share memory) {
        this.memory = memory;
        this.store = store;
        this.log = log;
        this.settings = settings;
    }

    /**
     * Begins a watch.
     *
     * @param stillServed whether the resource is still served as when the request was routed
     * @param hold the memory of the initial events; owned by the watch from here on
     * @throws io.fairlead.model.StatusException 429 if these, or the first past change, do not fit
     */
    ApiResponse.Frames open(
            ServedResource resource,
            Selection selection,
            Representation representation,
            WatchOptions options,
            BooleanSupplier stillServed,
            AnswerHold hold)
            throws InterruptedException {
        ResourceLog resourceLog = logs.computeIfAbsent(
                resource.prefix(),
                prefix -> new ResourceLog(store, log, prefix, settings.watchHistoryEventsMax(), memory));
        boolean fromState = options.initialEvents();
        if (!fromState) {
            hold.close();
            if (options.revision() != 0 && options.revision() < store.compactedRevision()) {
                return new OneFrame(WatchStream.expired(representation, options.revision(), store.compactedRevision()));
            }
        }
        long revision = begin(options, hold);
        Watcher watcher = resourceLog.watch(revision, settings.watchBufferEventsMax());
        if (closed || !stillServed.getAsBoolean()) {
            watcher.close();
            logs.computeIfPresent(
                    resource.prefix(),
                    (_, known) -> known == resourceLog && resourceLog.closeIfUnwatched() ? null : known);
        }
        prepare(watcher, hold);
        InitialEvents initial = fromState
                ? new InitialEvents(
                        new SnapshotReader(
                                store,
                                new SnapshotReader.Range(selection.prefix(), null, null),
                                revision,
                                hold,
                                resource.codec()),
                        hold)
                : InitialEvents.NONE;
        return new WatchStream(resource, selection, representation, options, settings, watcher, initial, revision);
    }

    /** Reserves memory for the first past change before the watch is answered. */
    private static void prepare(Watcher watcher, AnswerHold hold) throws InterruptedException {
        boolean prepared = false;
        try {
            watcher.prepare();
            prepared = true;
        } finally {
            if (!prepared) {
                watcher.close();
                hold.close();
            }
        }
    }

    /** The revision after which the changes begin, with memory reserved for the first page of a state that comes before. */
    private long begin(WatchOptions options, AnswerHold hold) throws InterruptedException {
        if (!options.initialEvents()) {
            return options.revision() == 0 ? currentRevision(0) : options.revision();
        }
        boolean begun = false;
        try {
            hold.require(SnapshotReader.PAGE_BYTES, 0);
            hold.begin();
            long revision = currentRevision(options.revision());
            begun = true;
            return revision;
        } finally {
            if (!begun) {
                hold.close();
            }
        }
    }

    /**
     * Ends the watches of a resource cleanly, after all committed changes: its objects are encoded differently from now
     * on, or are gone.
     */
    public void endAll(String prefix) {
        ResourceLog resourceLog = logs.get(prefix);
        if (resourceLog != null) {
            log.whenTold(store.revision(), resourceLog::endWatches);
        }
    }

    /** Ends the watches of a deleted resource, after all committed changes, and drops its history. */
    public void forgetAll(String prefix) {
        ResourceLog resourceLog = logs.remove(prefix);
        if (resourceLog != null) {
            log.whenTold(store.revision(), resourceLog::close);
        }
    }

    /** Drops changes up to a compacted revision. */
    public void forget(long lastRevision) {
        logs.values().forEach(resourceLog -> resourceLog.forget(lastRevision));
    }

    @Override
    public void close() {
        closed = true;
        logs.values().forEach(ResourceLog::close);
    }

    /** A revision at least as new as every acknowledged write, and reported to all followers of the log. */
    private long currentRevision(long atLeast) throws InterruptedException {
        long wanted = Math.max(store.revision(), atLeast);
        if (!log.await(wanted, CATCH_UP)) {
            throw Refusals.tooLargeResourceVersion(wanted, log.position());
        }
        return log.position();
    }

    /** A stream of one frame. */
    private static final class OneFrame implements ApiResponse.Frames {
        private byte @Nullable [] frame;

        OneFrame(byte[] frame) {
            this.frame = frame;
        }

        @Override
        public byte @Nullable [] next() {
            byte[] only = frame;
            frame = null;
            return only;
        }

        @Override
        public void close() {}
    }
}
