package io.fairlead.hosted.verbs;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedSettings;
import io.fairlead.hosted.meta.Refusals;
import io.fairlead.hosted.meta.StatusObjects;
import io.fairlead.hosted.objects.Codec;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.representation.Representation;
import io.fairlead.hosted.watchcache.RevisionEvent;
import io.fairlead.hosted.watchcache.Watcher;
import io.fairlead.model.StatusException;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.TreeSize;
import io.fairlead.storage.RevisionedStore.CompactedException;
import io.fairlead.storage.RevisionedStore.Entry;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/*
 * Problem: a watch is the current state (if requested), then every change in its selection, as Kubernetes events: in
 * order, none lost, none twice, each with the revision at which it happened.
 *
 * Invariant: `passed` is the revision up to which every matching event has been handed out; bookmarks carry it and it
 * never decreases. A change that makes an object enter the selection is ADDED, one that makes it leave is DELETED with
 * the previous object and the revision of the change.
 *
 * Concurrency: one reader. Closing from elsewhere ends the watcher, which wakes the reader.
 */

/**
 * The frames of one watch: the current state, then changes.
 *
 * <pre>
 * INITIAL - its objects are handed out -> CHANGES    after the bookmark that says so, if it was asked for
 * CHANGES - the time is over, the watcher ended -> ENDED
 * any     - failed, compacted away -> ENDED          after the frame that says so
 * ENDED   - there is no other frame
 * </pre>
 */
final class WatchStream implements ApiResponse.Frames {
    /** A last bookmark is sent this long before the end, so that a client resumes from near it. */
    private static final Duration BOOKMARK_BEFORE_END = Duration.ofSeconds(2);

    /** Frames that exceed their changes by at most this are counted with them. */
    private static final long MADE_BYTES_FREE = 64L * 1024;

    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    private enum State {
        INITIAL,
        CHANGES,
        ENDED
    }

    private final ServedResource resource;
    private final Selection selection;
    private final Representation representation;
    private final WatchOptions options;
    private final HostedSettings settings;
    private final Watcher watcher;
    private final InitialEvents initial;
    private final long endNanos;
    private long nextBookmarkNanos;
    private long passed;
    private State state = State.INITIAL;
    private boolean lastBookmarkDue;
    private boolean first = true;

    /**
     * A stream.
     *
     * @param watcher reads the changes after {@code initial}
     * @param initial the initial objects, at revision {@code passed}
     */
    WatchStream(
            ServedResource resource,
            Selection selection,
            Representation representation,
            WatchOptions options,
            HostedSettings settings,
            Watcher watcher,
            InitialEvents initial,
            long passed) {
        this.resource = resource;
        this.selection = selection;
        this.representation = representation;
        this.options = options;
        this.settings = settings;
        this.watcher = watcher;
        this.initial = initial;
        this.passed = passed;
        this.lastBookmarkDue = options.bookmarks();
        this.endNanos = System.nanoTime() + options.timeout().toNanos();
        this.nextBookmarkNanos = System.nanoTime() + settings.bookmarkInterval().toNanos();
    }

    @Override
    public byte @Nullable [] next() throws InterruptedException {
        return orFailure(this::nextFrame);
    }

    @Override
    public byte @Nullable [] nextNow() throws InterruptedException {
        return state == State.CHANGES ? orFailure(this::nextHeldChange) : null;
    }

    /** A frame, or the last one, which says why there is none. */
    private byte @Nullable [] orFailure(FrameSource source) throws InterruptedException {
        try {
            return source.next();
        } catch (CompactedException e) {
            end();
            return expired(representation, passed, e.compactedRevision());
        } catch (StatusException e) {
            end();
            return representation.frame("ERROR", StatusObjects.failure(e.status()));
        }
    }

    @Override
    public void close() {
        initial.close();
        watcher.close();
    }

    private byte @Nullable [] nextFrame() throws InterruptedException {
        return switch (state) {
            case INITIAL -> nextInitial();
            case CHANGES -> nextChange();
            case ENDED -> null;
        };
    }

    private byte @Nullable [] nextInitial() throws InterruptedException {
        byte[] added = initial.next(this::added);
        if (added != null) {
            first = false;
            return added;
        }
        state = State.CHANGES;
        return options.initialEvents() && options.bookmarks() ? bookmark(true) : nextChange();
    }

    /** The frame of an initial object, or null if it is not selected. */
    private byte @Nullable [] added(Entry entry, boolean isFirst) {
        ObjectNode object = resource.read(entry);
        return selection.matches(object) ? representation.frame("ADDED", representation.event(object, isFirst)) : null;
    }

    private byte @Nullable [] nextChange() throws InterruptedException {
        while (true) {
            switch (watcher.next(Duration.ofNanos(Math.max(0, nextDue() - System.nanoTime())))) {
                case Watcher.Next.Event(RevisionEvent event) -> {
                    byte[] frame = passing(event);
                    if (frame != null) {
                        return isHeld(event, frame) ? frame : end();
                    }
                }
                case Watcher.Next.Idle(long revision) -> {
                    passed = Math.max(passed, revision);
                    long now = System.nanoTime();
                    if (now - endNanos >= 0) {
                        return end();
                    }
                    if (options.bookmarks() && now - nextDue() >= 0) {
                        planNextBookmark(now);
                        return bookmark(false);
                    }
                }
                case Watcher.Next.End ignored -> {
                    return end();
                }
                case Watcher.Next.Expired(long compacted) -> {
                    end();
                    return expired(representation, passed, compacted);
                }
            }
        }
    }

    /** The frame of the next selected change among those that the watcher holds. */
    private byte @Nullable [] nextHeldChange() throws InterruptedException {
        while (watcher.holdsNext()) {
            if (watcher.next(Duration.ZERO) instanceof Watcher.Next.Event(RevisionEvent event)) {
                byte[] frame = passing(event);
                if (frame != null) {
                    return isHeld(event, frame) ? frame : end();
                }
            }
        }
        return null;
    }

    private byte @Nullable [] passing(RevisionEvent event) {
        passed = Math.max(passed, event.revision());
        return frame(event);
    }

    private boolean isHeld(RevisionEvent event, byte[] frame) {
        long more = frame.length - event.bytes();
        return more <= MADE_BYTES_FREE || watcher.holdMade(more);
    }

    private byte @Nullable [] end() {
        state = State.ENDED;
        close();
        return null;
    }

    /** When the next frame is due even if nothing changes. */
    private long nextDue() {
        if (!options.bookmarks()) {
            return endNanos;
        }
        long due = lastBookmarkDue ? endNanos - BOOKMARK_BEFORE_END.toNanos() : endNanos;
        return nextBookmarkNanos - due < 0 ? nextBookmarkNanos : due;
    }

    private void planNextBookmark(long now) {
        nextBookmarkNanos = now + settings.bookmarkInterval().toNanos();
        if (now - (endNanos - BOOKMARK_BEFORE_END.toNanos()) >= 0) {
            lastBookmarkDue = false;
        }
    }

    /** The frame of a change, or null if it is not selected. */
    private byte @Nullable [] frame(RevisionEvent event) {
        if (!event.key().startsWith(selection.prefix())) {
            return null;
        }
        return selection.isEverything() ? frameOfAny(event) : frameOfSelected(event);
    }

    /** Decodes nothing if another watcher has encoded the frame. */
    private byte @Nullable [] frameOfAny(RevisionEvent event) {
        byte[] value = event.value();
        Entry before = event.previous();
        byte[] shownValue = value != null ? value : before == null ? null : before.value();
        if (shownValue == null) {
            return null;
        }
        String type = before == null ? "ADDED" : value != null ? "MODIFIED" : "DELETED";
        return frame(event, type, () -> resource.read(shownValue, event.revision()));
    }

    private byte @Nullable [] frameOfSelected(RevisionEvent event) {
        ObjectNode now = current(event);
        ObjectNode before = previous(event);
        boolean matches = selection.matchesIfPresent(now);
        boolean matched = selection.matchesIfPresent(before);
        String type = !matched ? "ADDED" : matches ? "MODIFIED" : "DELETED";
        ObjectNode object = matches ? now : matched ? before : null;
        return object == null ? null : frame(event, type, () -> object);
    }

    private byte[] frame(RevisionEvent event, String type, Supplier<ObjectNode> object) {
        if (first || representation.sharingKey().isEmpty()) {
            return representation.frame(type, shown(object.get()));
        }
        return shared(
                event,
                new Form(resource.codec(), type, representation.sharingKey()),
                byte[].class,
                () -> representation.frame(type, representation.event(object.get(), false)),
                made -> made.length);
    }

    private @Nullable ObjectNode current(RevisionEvent event) {
        byte[] value = event.value();
        return value == null ? null : read(event, value, true);
    }

    /** The previous object with the revision of the change, from which a client resumes. */
    private @Nullable ObjectNode previous(RevisionEvent event) {
        Entry entry = event.previous();
        return entry == null ? null : read(event, entry.value(), false);
    }

    private ObjectNode read(RevisionEvent event, byte[] value, boolean now) {
        return shared(
                event,
                new Side(resource.codec(), now),
                ObjectNode.class,
                () -> resource.read(value, event.revision()),
                tree -> TreeSize.of(tree).bytes());
    }

    private <T> T shared(RevisionEvent event, Object key, Class<T> form, Supplier<T> maker, ToLongFunction<T> bytes) {
        return resource.codec().mayAsk()
                ? event.sharedLater(key, form, maker, bytes)
                : event.shared(key, form, maker, bytes);
    }

    private ObjectNode shown(ObjectNode object) {
        ObjectNode shown = representation.event(object, first);
        first = false;
        return shown;
    }

    private byte[] bookmark(boolean initialEventsEnd) {
        ObjectNode object = Json.object();
        object.put("kind", resource.type().kind());
        object.put("apiVersion", resource.type().groupVersion().apiVersion());
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("resourceVersion", Long.toString(passed));
        if (initialEventsEnd) {
            metadata.putObject("annotations").put(INITIAL_EVENTS_END, "true");
        }
        return representation.frame("BOOKMARK", shown(object));
    }

    /** The one frame of a watch from a compacted revision. */
    static byte[] expired(Representation representation, long wanted, long compacted) {
        String message = "too old resource version: " + wanted + " (" + compacted + ")";
        return representation.frame(
                "ERROR", StatusObjects.failure(Refusals.expired(message).status()));
    }

    /** Makes a frame; null at the end. */
    private interface FrameSource {
        byte @Nullable [] next() throws InterruptedException;
    }

    private record Side(Codec codec, boolean now) {}

    private record Form(Codec codec, String type, String representation) {}
}
