package io.fairlead.fleet;

import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.storage.RevisionedStore.StoreException;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whose turn it is: each name stands in the queue once, and comes again when its turn failed or when all are swept. New clusters come
 * before those that are served already, whose turns mostly write a status: a client waits for its new cluster. Their turns are short
 * beside what their registration costs, so that the others still have theirs.
 *
 * <p>Threads: {@link #take} is the controller's, the rest for any.
 */
final class ClusterTurns {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterTurns.class);
    private static final long SWEEP_SECONDS = 30;
    private static final long RETRY_SECONDS = 3;

    private final LongSupplier nanoTime;
    private final BlockingQueue<Place> queue = new PriorityBlockingQueue<>();
    private final AtomicLong places = new AtomicLong();
    private final Set<ClusterName> queued = ConcurrentHashMap.newKeySet();

    /** Clusters whose last turn failed, whether members or being deleted. */
    private final Set<ClusterName> unfinished = ConcurrentHashMap.newKeySet();

    private final Repetitions failures = new Repetitions();

    /** Of a name in the queue; those of equal rank in the order in which they came. */
    private record Place(boolean isNew, long number, ClusterName name) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                Comparator.comparing((Place place) -> !place.isNew()).thenComparingLong(Place::number);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    /** @param nanoTime the clock of the sweep */
    ClusterTurns(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void add(ClusterName name) {
        add(name, false);
    }

    /** @param isNew whether the cluster has had no turn yet, which then comes before those of others */
    void add(ClusterName name, boolean isNew) {
        if (queued.add(name)) {
            queue.add(new Place(isNew, places.incrementAndGet(), name));
        }
    }

    /**
     * Gives turns for as long as the controller goes on.
     *
     * @param members the clusters that each sweep gives a turn
     */
    void take(Consumer<ClusterName> turn, Supplier<Set<ClusterName>> members, BooleanSupplier isClosed)
            throws InterruptedException {
        long sweptNanos = nanoTime.getAsLong();
        while (!isClosed.getAsBoolean()) {
            Place place = queue.poll(RETRY_SECONDS, TimeUnit.SECONDS);
            if (place != null) {
                queued.remove(place.name());
                turnOf(place.name(), turn);
            }
            boolean sweeps = nanoTime.getAsLong() - sweptNanos >= TimeUnit.SECONDS.toNanos(SWEEP_SECONDS);
            if (place == null || sweeps) {
                unfinished.forEach(this::add);
            }
            if (sweeps) {
                sweptNanos = nanoTime.getAsLong();
                members.get().forEach(this::add);
            }
        }
    }

    /** A turn that a JVM error ended is repeated when the controller restarts. */
    private void turnOf(ClusterName name, Consumer<ClusterName> turn) {
        boolean over = false;
        try {
            turn.accept(name);
            over = true;
        } finally {
            if (!over) {
                add(name);
            }
        }
    }

    /** Takes a step for a cluster; a failure is logged, and its cluster gets another turn. */
    void attempt(ClusterName name, Runnable step, BooleanSupplier isClosed) {
        try {
            step.run();
            unfinished.remove(name);
        } catch (RuntimeException | StackOverflowError failure) {
            if (unfinished.add(name) && !isClosed.getAsBoolean()) {
                logUnfinished(name, failure);
            }
        }
    }

    /** Logged once, until a turn succeeds: a full disk refuses every turn. */
    private void logUnfinished(ClusterName name, Throwable failure) {
        failures.next(name).ifPresent(leftOut -> {
            var line = LOG.atWarn().addKeyValue("cluster", name).addKeyValue("leftOut", leftOut);
            (failure instanceof StoreException refused
                            ? line.addKeyValue("reason", refused.getMessage())
                            : line.setCause(failure))
                    .log("Reconciling a cluster failed; trying again");
        });
    }
}
