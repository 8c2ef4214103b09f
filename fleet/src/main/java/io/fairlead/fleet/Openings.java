package io.fairlead.fleet;

import io.fairlead.fleet.root.WorkLog;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import io.fairlead.model.Supervised;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens hosted clusters in the background, a few at once, those with waiting requests first.
 *
 * <p>Threads: any; owns the virtual threads that open clusters.
 */
final class Openings implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Openings.class);

    private final BiFunction<ClusterName, BuiltIns, Member.Hosted> open;
    private final Consumer<ClusterName> opened;
    private final BlockingDeque<Ticket> waiting = new LinkedBlockingDeque<>();
    private final Repetitions failures = new Repetitions();
    private final List<Supervised> workers = new ArrayList<>();

    /**
     * Opens nothing yet.
     *
     * @param count how many to open at once
     * @param open opens a cluster; blocks
     * @param opened called for every opened cluster; must not block
     */
    Openings(int count, BiFunction<ClusterName, BuiltIns, Member.Hosted> open, Consumer<ClusterName> opened) {
        this.open = open;
        this.opened = opened;
        for (int i = 0; i < count; i++) {
            workers.add(new Supervised("cluster-opening-" + i, Thread.ofVirtual(), this::run, new WorkLog()));
        }
    }

    /** Starts, including the clusters queued before. */
    void start() {
        workers.forEach(Supervised::start);
    }

    /** Queues a cluster to be opened. */
    Ticket begin(ClusterName name, BuiltIns builtIns) {
        Ticket ticket = new Ticket(name, builtIns);
        waiting.addLast(ticket);
        return ticket;
    }

    /** Ends after the clusters that are being opened. */
    @Override
    public void close() {
        workers.forEach(Supervised::close);
    }

    private void run() throws InterruptedException {
        while (!Thread.currentThread().isInterrupted()) {
            waiting.takeFirst().open();
        }
    }

    /** One opening of a cluster. */
    final class Ticket implements ClusterEntry.Opens, AutoCloseable {
        private final ClusterName name;
        private final BuiltIns builtIns;
        private final CountDownLatch over = new CountDownLatch(1);
        private volatile Member.@Nullable Hosted member;
        /** Guarded, with its state, by this object. */
        private boolean closed;

        private Ticket(ClusterName name, BuiltIns builtIns) {
            this.name = name;
            this.builtIns = builtIns;
        }

        @Override
        public Optional<HostedCluster> opened() {
            return member().map(Member.Hosted::cluster);
        }

        /** The opened cluster; empty until then, and after a failure. */
        Optional<Member.Hosted> member() {
            return Optional.ofNullable(member);
        }

        /** Whether it failed and should be repeated. */
        boolean failed() {
            return over.getCount() == 0 && member == null;
        }

        @Override
        public boolean await(Duration timeout) throws InterruptedException {
            if (waiting.remove(this)) {
                waiting.addFirst(this);
            }
            return over.await(timeout.toNanos(), TimeUnit.NANOSECONDS) && member != null;
        }

        /** Cancels the opening, waiting for one in progress, or closes the opened cluster. */
        @Override
        public void close() {
            waiting.remove(this);
            synchronized (this) {
                closed = true;
                member().ifPresent(Member.Hosted::close);
            }
            over.countDown();
        }

        private void open() {
            try {
                synchronized (this) {
                    if (closed) {
                        return;
                    }
                    member = open.apply(name, builtIns);
                }
                opened.accept(name);
            } catch (RuntimeException | Error failure) {
                failures.next(name)
                        .ifPresent(leftOut -> LOG.atWarn()
                                .addKeyValue("cluster", name)
                                .setCause(failure)
                                .addKeyValue("leftOut", leftOut)
                                .log("Opening a cluster failed; it is tried again later"));
            } finally {
                over.countDown();
            }
        }
    }
}
