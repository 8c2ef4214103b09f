package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.history.RewoundRevisions;
import io.fairlead.model.ClusterName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's health, for its {@code status}.
 *
 * @param cluster its name
 * @param reachable the condition {@code Reachable}
 * @param typesSynced the condition {@code TypesSynced}
 * @param crdRuntimeReachable the condition {@code CRDRuntimeReachable}; empty if no CRD runtime is named
 * @param historyConsistent the condition {@code HistoryConsistent}; empty for a cluster whose history is our own
 * @param identity which cluster its endpoints lead to; empty for a hosted one
 * @param typesShadowed the condition {@code TypesShadowed}; empty for a hosted cluster
 * @param rewound the rewinds of its history
 * @param version the API server's version, empty while unknown
 * @param groupVersions how many group/versions the index holds
 * @param resources how many resources it holds, empty while some group/version serves further unknown ones
 * @param lastSyncTime when types were last listed completely, null before the first
 * @param endpoints its API servers in the order of their registration; empty for a hosted cluster, and before they are known
 */
public record ClusterStatus(
        ClusterName cluster,
        Finding reachable,
        Finding typesSynced,
        Optional<Finding> crdRuntimeReachable,
        Optional<Finding> historyConsistent,
        Optional<ObservedIdentity> identity,
        Optional<Finding> typesShadowed,
        RewoundRevisions rewound,
        String version,
        int groupVersions,
        OptionalInt resources,
        @Nullable Instant lastSyncTime,
        List<EndpointFinding> endpoints) {
    public ClusterStatus {
        endpoints = List.copyOf(endpoints);
    }
}
