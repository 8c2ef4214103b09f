package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;
import org.jspecify.annotations.Nullable;

/**
 * The judge of what one informer hears between two lists: its cursor, which begins at the list.
 *
 * <p>Not thread-safe: its owner guards it together with the cached objects.
 */
public final class InformerGuard {
    private WatchCursor cursor = WatchCursor.of("", false);

    /** A list begins: nothing is known of the order until it is complete. */
    public void listing() {
        cursor = WatchCursor.of("", false);
    }

    /** A list is complete, at a version; the watch continues from there. */
    public void listed(String resourceVersion) {
        cursor = WatchCursor.of(resourceVersion, false);
    }

    /**
     * Judges the next event. One that is not applied never lowers what is expected of those after it.
     *
     * @param cached what is kept under the name of the event's object; null if nothing is
     */
    public InformerDecision judge(InformerEvent event, @Nullable CachedObject cached) {
        InformerDecision decision = InformerRules.decide(cursor, event, cached);
        cursor = cursor.after(event.type(), event.resourceVersion());
        return decision;
    }

    /** The highest version since the list; empty if none can be ordered. */
    public String highWater() {
        ResourceVersion highWater = cursor.highWater();
        return highWater == null ? "" : highWater.digits();
    }

    /** Where a watch has to begin that is asked to begin at a version: never below the high water mark. */
    public String resume(String asked) {
        return ResourceVersion.isNewer(highWater(), asked) ? highWater() : asked;
    }
}
