package io.fairlead.gateway.route;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.model.ClusterName;
import java.util.Optional;

/** The backends of the APIServices of hosted clusters. Threads: any; never blocks. */
@FunctionalInterface
public interface AggregatedBackends {
    /** No cluster has any. */
    AggregatedBackends NONE = (_, _) -> Optional.empty();

    /**
     * Where requests for the version of an APIService go, in the form of an attached cluster; empty while it is not available.
     *
     * @param uid of the APIService
     */
    Optional<ClusterEntry.Attached> served(ClusterName cluster, String uid);
}
