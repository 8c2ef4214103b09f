package io.fairlead.index.history;

import io.fairlead.model.ResourceVersion;
import org.jspecify.annotations.Nullable;

/**
 * How far a watch has come.
 *
 * <pre>
 * phase    begins                                              ends
 * INITIAL  the watch names no resourceVersion, or 0, or        with the first event that is not ADDED; that event is
 *          asks for initial events                             LIVE already
 * LIVE     the watch names another resourceVersion             with the watch
 * </pre>
 *
 * <p>The versions of initial objects are in no order, since they come in the order of their keys. The bookmark that ends
 * them (KEP-3157) is no ADDED, and what an API server sends before it is newer than all of them.
 *
 * <p>An event without resourceVersion says nothing about those of the others. Any other text that cannot be ordered says
 * that the versions of this resource are no numbers, even if some of them look like one, so that none is compared from then
 * on: {@code comparable} stays false.
 *
 * @param phase whether events have to be in order
 * @param comparable whether the versions of this watch can be ordered, as far as they are known
 * @param highWater the highest version so far, or null if none is known
 */
public record WatchCursor(
        Phase phase, boolean comparable, @Nullable ResourceVersion highWater) {
    /** Whether events have to be in order. */
    public enum Phase {
        INITIAL,
        LIVE
    }

    private static final WatchCursor INITIAL = new WatchCursor(Phase.INITIAL, true, null);

    /**
     * The cursor of a watch that has sent nothing yet.
     *
     * @param resourceVersion the query parameter; empty if there is none
     * @param sendInitialEvents the query parameter
     */
    public static WatchCursor of(String resourceVersion, boolean sendInitialEvents) {
        if (sendInitialEvents || isZero(resourceVersion)) {
            return INITIAL;
        }
        return ResourceVersion.isComparable(resourceVersion)
                ? new WatchCursor(Phase.LIVE, true, new ResourceVersion(resourceVersion))
                : new WatchCursor(Phase.LIVE, false, null);
    }

    /** The cursor after an event, whatever becomes of it. */
    WatchCursor after(WatchEvent event) {
        return after(event.type(), event.resourceVersion());
    }

    /** The cursor after an event of a type with a resourceVersion, whatever becomes of it. */
    WatchCursor after(WatchEventType type, String resourceVersion) {
        if (!type.isOrdered()) {
            return this;
        }
        Phase next = type == WatchEventType.ADDED ? phase : Phase.LIVE;
        return ResourceVersion.isComparable(resourceVersion)
                ? new WatchCursor(next, comparable, highest(new ResourceVersion(resourceVersion)))
                : new WatchCursor(next, comparable && resourceVersion.isEmpty(), highWater);
    }

    private ResourceVersion highest(ResourceVersion version) {
        return highWater == null || version.compareTo(highWater) > 0 ? version : highWater;
    }

    /** kube-apiserver reads the parameter as a number ({@code APIObjectVersioner.ParseResourceVersion}); 0 is any version. */
    private static boolean isZero(String resourceVersion) {
        return resourceVersion.chars().allMatch(c -> c == '0');
    }
}
