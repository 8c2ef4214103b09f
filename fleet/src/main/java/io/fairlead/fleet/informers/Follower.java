package io.fairlead.fleet.informers;

import io.fairlead.clustersync.source.Finding;
import java.util.concurrent.atomic.AtomicReference;
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

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.OUTSIDE);

    /** What it says instead of the informer's state; null if it is told of all objects. Written by the informer alone. */
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
        phase.set(Phase.CLOSED); // before it waits: of what is told just now nothing follows
        synchronized (lock) {
            informers.left(this, informer);
        }
    }

    /** Whether it must wait for a list. */
    boolean isOutside() {
        return phase.get() == Phase.OUTSIDE;
    }

    void listing() {
        phase.compareAndSet(Phase.OUTSIDE, Phase.TOLD);
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
        try {
            if (phase.get() == Phase.TOLD) {
                listener.flush(kind, calls); // without the lock: it may wait for the cluster, and close() must not
            }
        } catch (RuntimeException thrown) {
            failed(thrown);
        }
    }

    private void tell(Consumer<ObjectListener> what) {
        synchronized (lock) {
            if (phase.get() == Phase.TOLD) {
                try {
                    what.accept(listener);
                } catch (RuntimeException thrown) {
                    failed(thrown);
                }
            }
        }
    }

    private void failed(RuntimeException thrown) {
        phase.compareAndSet(Phase.TOLD, Phase.OUTSIDE);
        CallFailure failure = new CallFailure(0, "ListenerFailed", "what follows its objects failed: " + thrown);
        own = Finding.no(failure.reason(), failure.message());
        informers.failed(informer.what(), thrown);
    }
}
