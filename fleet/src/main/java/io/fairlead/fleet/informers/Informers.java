package io.fairlead.fleet.informers;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches of clusters, one for all who follow the same objects; and Fairlead's own requests to clusters. What
 * clusters answer takes a bounded part of the heap, however many lists and watches there are.
 *
 * <p>Threads: any; a virtual one for each list and watch. Nothing here waits for a cluster.
 */
public final class Informers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Informers.class);

    private final Surroundings surroundings;
    private final Repetitions failures = new Repetitions();

    /** Those that run; guarded by itself. */
    private final Map<WatchedObjects, Informer> running = new HashMap<>();

    /** Guarded by {@link #running}. */
    private boolean isClosed;

    /**
     * Nothing runs before the first {@link #follow}.
     *
     * @param lookup the registration of a cluster
     * @param history what identifies the present history of a cluster: if that changes, all is listed again
     */
    public Informers(
            Function<ClusterName, ClusterEntry> lookup, Function<ClusterName, Object> history, InstantSource clock) {
        this(lookup, history, clock, AnswerLimits.of(Runtime.getRuntime().maxMemory()));
    }

    /** With limits of a test. */
    Informers(
            Function<ClusterName, ClusterEntry> lookup,
            Function<ClusterName, Object> history,
            InstantSource clock,
            AnswerLimits limits) {
        this.surroundings = new Surroundings(lookup, history, limits, clock);
    }

    /**
     * Follows objects until the subscription is closed; those who follow the same ones share one list and watch. Since no
     * object is kept, a new listener has them listed again for all. It is told of them by another thread, maybe before this
     * returns. A cluster that is not registered, or not served now, is looked for again and again.
     *
     * @throws IllegalStateException once this is closed
     */
    public Subscription follow(WatchedObjects what, ObjectListener listener) {
        synchronized (running) {
            if (isClosed) {
                throw new IllegalStateException("what is closed follows no objects (expected " + what + " before)");
            }
            Informer informer = running.get(what);
            boolean isNew = informer == null;
            if (informer == null) {
                informer = new Informer(what, surroundings);
                running.put(what, informer);
            }
            Follower follower = new Follower(listener, informer, this);
            informer.add(follower);
            if (isNew) {
                informer.start();
            }
            return follower;
        }
    }

    /**
     * Calls of Fairlead's own to a cluster, as it is registered now: they go on there when it is registered otherwise.
     *
     * @throws CallFailure if it is not registered, or not served now
     */
    public ClusterCalls calls(ClusterName cluster) throws CallFailure {
        return surroundings.calls(cluster);
    }

    /** Ends all lists and watches, without waiting for their end. */
    @Override
    public void close() {
        List<Informer> ended;
        synchronized (running) {
            isClosed = true;
            ended = List.copyOf(running.values());
            running.clear();
        }
        ended.forEach(Informer::close);
    }

    /** How many lists and watches there are. */
    int running() {
        synchronized (running) {
            return running.size();
        }
    }

    /** A subscription was closed; with its last one the informer ends. */
    void left(Follower follower, Informer informer) {
        synchronized (running) {
            if (informer.remove(follower) && running.remove(informer.what(), informer)) {
                informer.close();
            }
        }
    }

    /** A listener threw. */
    void failed(WatchedObjects what, RuntimeException thrown) {
        failures.next(what.cluster() + what.path() + thrown.getClass())
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("cluster", what.cluster())
                        .addKeyValue("objects", what.path())
                        .setCause(thrown)
                        .addKeyValue("leftOut", leftOut)
                        .log("What follows objects of a cluster failed; they are listed for it again"));
    }
}
