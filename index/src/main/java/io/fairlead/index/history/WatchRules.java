package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;

/**
 * The table of decisions for a watch that is passed on to a client.
 *
 * <pre>
 * r is the event's resourceVersion, h the high water mark.
 *
 * event                h unset or r ≥ h   r &lt; h, INITIAL   r &lt; h, LIVE
 * ADDED                IN_ORDER           IN_ORDER         REWIND
 * MODIFIED             IN_ORDER           -                REWIND
 * DELETED              IN_ORDER           -                REPLAYED_DELETE if its key was seen above r, else STALE_DELETE
 * BOOKMARK             IN_ORDER           -                STALE_BOOKMARK
 * INITIAL_EVENTS_END   IN_ORDER           -                STALE_INITIAL_EVENTS_END
 *
 * any of these, if r or the versions of the watch cannot be ordered:                UNGUARDED
 * ERROR, UNKNOWN:                                                                   NOT_JUDGED
 * </pre>
 *
 * <p>Every event but ADDED ends the phase INITIAL, and is judged as LIVE ({@link WatchCursor}).
 *
 * <p>A DELETED is never taken for a replay by its version alone: API servers have sent deletions with the object's old
 * version (kubernetes/kubernetes issue 58545), and dropping those would leave the object in the client's cache for good.
 */
final class WatchRules {
    private WatchRules() {}

    /**
     * The decision for an event.
     *
     * @param cursor before the event
     * @param recent what the watch has shown
     */
    static WatchDecision decide(WatchCursor cursor, WatchEvent event, RecentVersions recent) {
        if (!event.type().isOrdered()) {
            return WatchDecision.NOT_JUDGED;
        }
        if (!cursor.comparable() || !event.isComparable()) {
            return WatchDecision.UNGUARDED;
        }
        ResourceVersion version = new ResourceVersion(event.resourceVersion());
        return isBelow(version, cursor) ? ofOlder(event, version, cursor, recent) : WatchDecision.IN_ORDER;
    }

    private static boolean isBelow(ResourceVersion version, WatchCursor cursor) {
        ResourceVersion highWater = cursor.highWater();
        return highWater != null && version.compareTo(highWater) < 0;
    }

    private static WatchDecision ofOlder(
            WatchEvent event, ResourceVersion version, WatchCursor cursor, RecentVersions recent) {
        return switch (event.type()) {
            case ADDED -> cursor.phase() == WatchCursor.Phase.INITIAL ? WatchDecision.IN_ORDER : WatchDecision.REWIND;
            case MODIFIED -> WatchDecision.REWIND;
            case DELETED ->
                recent.hasAbove(event.key(), version) ? WatchDecision.REPLAYED_DELETE : WatchDecision.STALE_DELETE;
            case BOOKMARK -> WatchDecision.STALE_BOOKMARK;
            case INITIAL_EVENTS_END -> WatchDecision.STALE_INITIAL_EVENTS_END;
            case ERROR, UNKNOWN -> WatchDecision.NOT_JUDGED;
        };
    }
}
