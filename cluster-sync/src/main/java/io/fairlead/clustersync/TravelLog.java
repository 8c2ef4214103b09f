package io.fairlead.clustersync;

import io.fairlead.index.history.HistoryMetrics;
import io.fairlead.index.history.InformerDecision;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs events of one cluster's own watches that are behind one before them. Any thread; never blocks. */
final class TravelLog {
    private static final Logger LOG = LoggerFactory.getLogger(TravelLog.class);

    private final ClusterName cluster;
    private final HistoryMetrics metrics;
    private final Repetitions repetitions = new Repetitions();

    TravelLog(ClusterName cluster, HistoryMetrics metrics) {
        this.cluster = cluster;
        this.metrics = metrics;
    }

    void travelled(InformerDecision decision) {
        metrics.travelled(cluster, decision);
        repetitions
                .next(decision)
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("cluster", cluster)
                        .addKeyValue("kind", decision)
                        .addKeyValue("then", decision.action())
                        .addKeyValue("leftOut", leftOut)
                        .log("A watch of a cluster's types went backwards"));
    }
}
