package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.history.RewoundRevisions;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An attached cluster that is not served: nothing of it is followed but whether it answers and which cluster it is.
 *
 * <p>Thread-safe.
 */
public final class WithheldScope implements AutoCloseable {
    private static final Finding NOT_PROBED = Finding.unknown("Pending", "the cluster was not asked yet");
    private static final Finding NOT_FOLLOWED =
            Finding.unknown("Withheld", "the types of a cluster that is not served are not followed");

    private final AttachedCluster cluster;
    private final Upstream upstream;
    private final RewoundRevisions rewound;
    private final ClusterStatusSink sink;
    private final Tasks tasks;
    private final Duration timeout;
    private final IdentityCheck identityCheck;

    private Finding reachable = NOT_PROBED;
    private ObservedIdentity identity = ObservedIdentity.NOT_READ;
    private boolean isClosed;

    /**
     * @param rewound the known rewinds of its history, which are reported as they are
     * @param timeout after which there is no answer
     */
    WithheldScope(
            AttachedCluster cluster,
            Upstream upstream,
            RewoundRevisions rewound,
            ClusterStatusSink sink,
            Tasks tasks,
            Duration timeout,
            AtomicLong readings) {
        this.cluster = cluster;
        this.upstream = upstream;
        this.rewound = rewound;
        this.sink = sink;
        this.tasks = tasks;
        this.timeout = timeout;
        this.identityCheck = new IdentityCheck(
                upstream, cluster::upstream, cluster::bearerToken, timeout, readings, _ -> false, this::identified);
    }

    public ClusterName name() {
        return cluster.name();
    }

    /** Checks again which cluster it is. Never blocks. */
    public void checkIdentity() {
        tasks.execute(identityCheck::check);
    }

    /** Ends everything; reports nothing more once it returns. */
    @Override
    public void close() {
        tasks.close();
        synchronized (this) {
            isClosed = true;
        }
        upstream.close();
    }

    void probe() {
        identityCheck.checkUnidentified();
        VersionProbe.ask(upstream, cluster.bearerToken(), timeout)
                .thenAccept(answer -> tasks.execute(() -> probed(answer.reachable())));
    }

    private synchronized void probed(Finding found) {
        if (!found.equals(reachable)) {
            reachable = found;
            report();
        }
    }

    private synchronized void identified(ObservedIdentity observed) {
        identity = observed;
        tasks.execute(this::report);
    }

    private synchronized void report() {
        if (!isClosed) {
            sink.report(new ClusterStatus(
                    cluster.name(),
                    reachable,
                    NOT_FOLLOWED,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(identity),
                    Optional.empty(),
                    rewound,
                    "",
                    0,
                    OptionalInt.empty(),
                    null,
                    List.of()));
        }
    }
}
