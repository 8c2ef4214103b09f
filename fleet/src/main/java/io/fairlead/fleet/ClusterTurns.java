package io.fairlead.fleet;

import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.storage.RevisionedStore.StoreException;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whose turn it is: each name stands in the queue once, and comes again when its turn failed or when all are swept.
 *
 * <p>Threads: {@link #take} is the controller's, the rest for any.
 */
final class ClusterTurns {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterTurns.class);
    private static final long SWEEP_SECONDS = 30;
    private static final long RETRY_SECONDS = 3;

    private final LongSupplier nanoTime;
    private final BlockingQueue<ClusterName> queue = new LinkedBlockingQueue<>();
    private final Set<ClusterName> queued = ConcurrentHashMap.newKeySet();

    /** Clusters whose last turn failed, whether members or being deleted. */
    private final Set<ClusterName> unfinished = ConcurrentHashMap.newKeySet();

    private final Repetitions failures = new Repetitions();

    /** @param nanoTime the clock of the sweep */
    ClusterTurns(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    void add(ClusterName name) {
        if (queued.add(name)) {
            queue.add(name);
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
            ClusterName name = queue.poll(RETRY_SECONDS, TimeUnit.SECONDS);
            if (name != null) {
                queued.remove(name);
                turnOf(name, turn);
            }
            boolean sweeps = nanoTime.getAsLong() - sweptNanos >= TimeUnit.SECONDS.toNanos(SWEEP_SECONDS);
            if (name == null || sweeps) {
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
