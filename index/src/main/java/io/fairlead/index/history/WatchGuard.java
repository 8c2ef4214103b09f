package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;
import java.util.Objects;

/**
 * The judge of one watch: its cursor, and the versions at which it has shown objects.
 *
 * <p>One thread. It takes less than 4 KiB, however long the watch and its versions are.
 */
public final class WatchGuard {
    private final RecentVersions recent = new RecentVersions();
    private WatchCursor cursor;

    /** The judge of a watch that has sent nothing yet. */
    public WatchGuard(WatchCursor start) {
        cursor = start;
    }

    public WatchCursor cursor() {
        return cursor;
    }

    /** Judges the next event. An event that is not forwarded changes nothing for those after it. */
    public WatchDecision judge(WatchEvent event) {
        WatchDecision decision = WatchRules.decide(cursor, event, recent);
        cursor = cursor.after(event);
        if (event.type().isOfAnObject() && !event.key().isEmpty()) {
            remember(event, decision);
        }
        return decision;
    }

    private void remember(WatchEvent event, WatchDecision decision) {
        switch (decision) {
            case IN_ORDER -> recent.add(event.key(), new ResourceVersion(event.resourceVersion()));
            case STALE_DELETE -> recent.add(event.key(), Objects.requireNonNull(cursor.highWater()));
            case UNGUARDED, NOT_JUDGED, REPLAYED_DELETE, REWIND, STALE_BOOKMARK, STALE_INITIAL_EVENTS_END -> {}
        }
    }
}
