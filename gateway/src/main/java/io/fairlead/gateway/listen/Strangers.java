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
 * The connections on which no request was authenticated so far, in the order in which they came.
 *
 * <p>Threads: any; nothing blocks for long.
 */
final class Strangers {
    private final Set<Stranger> waiting = new LinkedHashSet<>();

    /**
     * A connection was accepted.
     *
     * @param close gives its place back at once and closes it soon, from any thread; called once at most
     */
    Stranger came(Runnable close) {
        Stranger stranger = new Stranger(close);
        synchronized (waiting) {
            waiting.add(stranger);
        }
        return stranger;
    }

    /** Closes the one that came first; false if there is none. */
    boolean closeOldest() {
        Stranger oldest = removeOldest();
        if (oldest == null) {
            return false;
        }
        oldest.close.run();
        return true;
    }

    private @Nullable Stranger removeOldest() {
        synchronized (waiting) {
            Iterator<Stranger> inOrder = waiting.iterator();
            if (!inOrder.hasNext()) {
                return null;
            }
            Stranger oldest = inOrder.next();
            inOrder.remove();
            return oldest;
        }
    }

    /** One connection of which nothing is known. */
    final class Stranger {
        private final Runnable close;

        private Stranger(Runnable close) {
            this.close = close;
        }

        /** A request on it was authenticated, or it is closed. */
        void isNoLonger() {
            synchronized (waiting) {
                waiting.remove(this);
            }
        }
    }
}
