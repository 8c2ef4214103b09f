package io.fairlead.gateway.listen;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * An unauthenticated client can open as many connections as there may be, from many addresses, and keep each idle for minutes.
 * Refusing the newest connection would lock all other clients out. So the oldest unauthenticated one is closed: a client that has
 * a credential shows it at once.
 */
/**
 * The connections that no caller has taken so far, in the order in which they came.
 *
 * <p>Threads: any; nothing blocks for long.
 */
final class Strangers {
    private final Set<Place> waiting = new LinkedHashSet<>();

    /** A connection was accepted. */
    void came(Place place) {
        synchronized (waiting) {
            waiting.add(place);
        }
    }

    /** A caller has taken it, or it is closed. */
    void isNoLonger(Place place) {
        synchronized (waiting) {
            waiting.remove(place);
        }
    }

    /** Closes the one that came first; false if there is none. */
    boolean closeOldest() {
        Place oldest = removeOldest();
        if (oldest == null) {
            return false;
        }
        oldest.giveUp();
        return true;
    }

    private @Nullable Place removeOldest() {
        synchronized (waiting) {
            Iterator<Place> inOrder = waiting.iterator();
            if (!inOrder.hasNext()) {
                return null;
            }
            Place oldest = inOrder.next();
            inOrder.remove();
            return oldest;
        }
    }
}
