package io.fairlead.fleet.informers;

import io.fairlead.clustersync.source.Finding;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A listener of an informer, and where it is.
 *
 * <p>Threads: the informer's tells it; {@link #state} and {@link #close} are for any. One lock, under which the listener is
 * called, so that nothing is after its end.
 */
final class Follower implements Subscription {
    private static final Finding BEGINS = Finding.unknown("NotListedYet", "its objects are not listed yet");

    private final ObjectListener listener;
    private final Informer informer;
    private final Informers informers;
    private final Object lock = new Object();

    /** Guarded by {@link #lock}. */
    private Phase phase = Phase.OUTSIDE;

    /** What it says instead of the informer's state; null if it is told of all objects. Written under the lock. */
    private volatile @Nullable Finding own = BEGINS;

    /*
     * OUTSIDE -> TOLD     a list begins
     * TOLD    -> OUTSIDE  the listener threw
     * any     -> CLOSED   by its owner
     */
    private enum Phase {
        /** Waits for a list. */
        OUTSIDE,
        TOLD,
        CLOSED
    }

    Follower(ObjectListener listener, Informer informer, Informers informers) {
        this.listener = listener;
        this.informer = informer;
        this.informers = informers;
    }

    @Override
    public Finding state() {
        Finding mine = own;
        Finding shared = informer.state();
        if (mine == null) {
            return shared;
        }
        boolean isWhy = mine.status() == Finding.Status.UNKNOWN && shared.status() == Finding.Status.FALSE;
        return isWhy ? shared : mine;
    }

    @Override
    public void close() {
        synchronized (lock) {
            phase = Phase.CLOSED;
        }
        informers.left(this, informer);
    }

    /** Whether it must wait for a list. */
    boolean isOutside() {
        synchronized (lock) {
            return phase == Phase.OUTSIDE;
        }
    }

    void listing() {
        synchronized (lock) {
            if (phase == Phase.OUTSIDE) {
                phase = Phase.TOLD;
            }
        }
        tell(ObjectListener::listing);
    }

    void seen(JsonNode object) {
        tell(told -> told.seen(object));
    }

    void removed(JsonNode object) {
        tell(told -> told.removed(object));
    }

    void listed(String resourceVersion) {
        tell(told -> {
            told.listed(resourceVersion);
            own = null;
        });
    }

    void flush(String kind, ClusterCalls calls) throws InterruptedException {
        synchronized (lock) {
            if (phase != Phase.TOLD) {
                return;
            }
        }
        try {
            listener.flush(kind, calls); // it may wait for the cluster, for which no end of this one does
        } catch (RuntimeException thrown) {
            synchronized (lock) {
                failed(thrown);
            }
        }
    }

    private void tell(Consumer<ObjectListener> what) {
        synchronized (lock) {
            if (phase == Phase.TOLD) {
                try {
                    what.accept(listener);
                } catch (RuntimeException thrown) {
                    failed(thrown);
                }
            }
        }
    }

    private void failed(RuntimeException thrown) {
        if (phase == Phase.TOLD) {
            phase = Phase.OUTSIDE;
        }
        CallFailure failure = new CallFailure(0, "ListenerFailed", "what follows its objects failed: " + thrown);
        own = Finding.no(failure.reason(), failure.message());
        informers.failed(informer.what(), thrown);
    }
}
