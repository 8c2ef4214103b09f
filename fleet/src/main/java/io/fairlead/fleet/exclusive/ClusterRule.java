package io.fairlead.fleet.exclusive;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.informers.Informers;
import io.fairlead.fleet.root.WorkLog;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Supervised;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A rule in one of its clusters. It compares objects only as long as its author may read them, which is asked before it
 * begins and every few minutes from then on; and it says to the objects what became of them.
 *
 * <pre>
 * asking ──► comparing   the author may read the objects
 *    ▲           │
 *    └───────────┘       the author may not any more: nothing of the cluster is kept
 * </pre>
 *
 * <p>Threads: one virtual thread; {@link #state} is for any.
 */
final class ClusterRule implements AutoCloseable {
    private static final Duration ASK_AGAIN = Duration.ofMinutes(5);
    private static final Duration ASK_AGAIN_AFTER_REFUSAL = Duration.ofSeconds(5);
    private static final Finding BEGINS =
            Finding.unknown("RightsNotKnownYet", "whether its author may read the objects is being asked");

    private final ClusterName cluster;
    private final Exclusion rule;
    private final Informers informers;
    private final AuthorRights rights;
    private final Runnable changed;
    private final ObjectReports reports;
    private final Supervised work;

    /** What the author may read; the cluster's answer of last time. */
    private volatile Finding may = BEGINS;

    private volatile @Nullable ClusterComparison comparison;

    ClusterRule(
            ClusterName cluster,
            Exclusion rule,
            Informers informers,
            AuthorRights rights,
            Runnable changed,
            ObjectReports reports) {
        this.cluster = cluster;
        this.rule = rule;
        this.informers = informers;
        this.rights = rights;
        this.changed = changed;
        this.reports = reports;
        this.work = new Supervised(
                "exclusive-" + rule.spec().name() + "-" + cluster, Thread.ofVirtual(), this::run, new WorkLog());
    }

    void start() {
        work.start();
        reports.start();
    }

    /** Whether the objects are compared, and why not. */
    Finding state() {
        ClusterComparison running = comparison;
        if (running == null) {
            return may;
        }
        Finding compared = running.state();
        return compared.status() == Finding.Status.TRUE ? reports.outputs() : compared;
    }

    /** Whether it is known which keys the objects have that were there before the rule. */
    Knowledge knowledge() {
        ClusterComparison running = comparison;
        if (running != null) {
            return running.isListed() ? Knowledge.KNOWN : Knowledge.UNKNOWN;
        }
        return may.status() == Finding.Status.FALSE ? Knowledge.NOT_APPLIED : Knowledge.UNKNOWN;
    }

    /** Whether the cluster says that it has no such objects. */
    boolean isWithoutObjects() {
        ClusterComparison running = comparison;
        return running != null && running.isWithoutObjects();
    }

    /** What it says to objects. */
    ObjectReports reports() {
        return reports;
    }

    /** Ends, and takes back what was said to objects, as {@link ObjectReports#retract} does. */
    CompletableFuture<Void> retract(boolean isOver) {
        work.close();
        stop();
        return reports.retract(isOver);
    }

    @Override
    public void close() {
        work.close();
        stop();
        reports.close();
    }

    private void run() throws InterruptedException {
        while (!work.isClosed()) {
            Finding before = may;
            Finding now = rights.of(rule.spec(), cluster);
            if (now.status() != Finding.Status.UNKNOWN || comparison == null) {
                may = now;
            }
            switch (now.status()) {
                case TRUE -> begin();
                case FALSE -> {
                    stop();
                    rule.holdings().forget(cluster);
                }
                case UNKNOWN -> {} // a cluster that is silent for a while takes no right away
            }
            if (!now.equals(before)) {
                changed.run();
            }
            work.pause(now.status() == Finding.Status.TRUE ? ASK_AGAIN : ASK_AGAIN_AFTER_REFUSAL);
        }
    }

    private void begin() {
        synchronized (work) {
            if (comparison == null && !work.isClosed()) {
                ClusterComparison begun = rule.comparison(cluster, reports);
                if (rule.isHosted(cluster)) {
                    reports.followOutputs();
                }
                begun.start(informers);
                comparison = begun;
            }
        }
    }

    private void stop() {
        synchronized (work) {
            ClusterComparison running = comparison;
            comparison = null;
            if (running != null) {
                running.close();
            }
        }
    }
}
