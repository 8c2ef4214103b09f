package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;
import org.jspecify.annotations.Nullable;

/**
 * The table of decisions for an informer of our own, which keeps the objects and so knows more than {@link WatchRules}.
 *
 * <pre>
 * r is the event's resourceVersion, h the high water mark, c the version at which the event's incarnation is cached.
 *
 * event                        h unset or r &gt; h   r = h                r &lt; h, INITIAL   r &lt; h, LIVE
 * ADDED                        IN_ORDER           KNOWN if r = c and   IN_ORDER         REWIND
 * MODIFIED                     IN_ORDER           nothing differs,     -                REWIND
 *                                                 else IN_ORDER
 * DELETED, c &gt; r               IN_ORDER           IN_ORDER             -                REPLAYED_DELETE
 * DELETED, c otherwise         IN_ORDER           IN_ORDER             -                STALE_DELETE
 * DELETED, not cached          KNOWN              KNOWN                -                OTHER_INCARNATION
 * BOOKMARK, INITIAL_EVENTS_END IN_ORDER           IN_ORDER             -                STALE_BOOKMARK
 *
 * any of these, if r or the versions of the resource cannot be ordered, so that they can only be equal:
 *   ADDED, MODIFIED            KNOWN if r = c and nothing differs, else UNGUARDED
 *   DELETED                    UNGUARDED if the incarnation is cached, else KNOWN
 *   the others                 UNGUARDED
 * ERROR, UNKNOWN               NOT_JUDGED
 * </pre>
 *
 * <p>Every event but ADDED ends the phase INITIAL, and is judged as LIVE ({@link WatchCursor}).
 *
 * <p>A DELETED below h is applied unless it is provably a replay: API servers have sent deletions with the object's old
 * version (kubernetes/kubernetes issue 58545), and ignoring those would keep the object for good.
 */
final class InformerRules {
    private InformerRules() {}

    /**
     * The decision for an event.
     *
     * @param cursor before the event
     * @param cached what is kept under the name of the event's object; null if nothing is
     */
    static InformerDecision decide(WatchCursor cursor, InformerEvent event, @Nullable CachedObject cached) {
        if (!event.type().isOrdered()) {
            return InformerDecision.NOT_JUDGED;
        }
        if (!cursor.comparable() || !event.isComparable()) {
            return unordered(event, cached);
        }
        ResourceVersion highWater = cursor.highWater();
        int order = highWater == null ? 1 : new ResourceVersion(event.resourceVersion()).compareTo(highWater);
        boolean isInitial = cursor.phase() == WatchCursor.Phase.INITIAL && event.type() == WatchEventType.ADDED;
        if (order < 0 && !isInitial) {
            return older(event, cached);
        }
        return isKnown(event, cached, order == 0) ? InformerDecision.KNOWN : InformerDecision.IN_ORDER;
    }

    private static InformerDecision unordered(InformerEvent event, @Nullable CachedObject cached) {
        return isKnown(event, cached, true) ? InformerDecision.KNOWN : InformerDecision.UNGUARDED;
    }

    /** @param repeatable whether the version can be one that was seen */
    private static boolean isKnown(InformerEvent event, @Nullable CachedObject cached, boolean repeatable) {
        return switch (event.type()) {
            case ADDED, MODIFIED -> repeatable && cached != null && cached.isAsIn(event);
            case DELETED -> cached == null || !cached.isOf(event);
            case BOOKMARK, INITIAL_EVENTS_END, ERROR, UNKNOWN -> false;
        };
    }

    private static InformerDecision older(InformerEvent event, @Nullable CachedObject cached) {
        return switch (event.type()) {
            case ADDED, MODIFIED -> InformerDecision.REWIND;
            case DELETED -> olderDelete(event, cached);
            case BOOKMARK, INITIAL_EVENTS_END -> InformerDecision.STALE_BOOKMARK;
            case ERROR, UNKNOWN -> InformerDecision.NOT_JUDGED;
        };
    }

    private static InformerDecision olderDelete(InformerEvent event, @Nullable CachedObject cached) {
        if (cached == null || !cached.isOf(event)) {
            return InformerDecision.OTHER_INCARNATION;
        }
        return cached.isAbove(event) ? InformerDecision.REPLAYED_DELETE : InformerDecision.STALE_DELETE;
    }
}
