package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.fleet.ClusterDirectory;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.model.ClusterName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cluster for requests that name none, as configured: it may be registered later, or its name may be wrong. */
final class DefaultCluster {
    private static final Logger LOG = LoggerFactory.getLogger(DefaultCluster.class);

    private DefaultCluster() {}

    /** Warns if it is not registered. */
    static void tell(Configuration configuration, ClusterDirectory directory) {
        String name = configuration.selection().defaultCluster();
        boolean isMissing = !name.equals(Configuration.Selection.NO_CLUSTER)
                && directory.lookup(new ClusterName(name)) instanceof ClusterEntry.NotRegistered;
        if (isMissing) {
            LOG.atWarn()
                    .addKeyValue("key", "selection.defaultCluster")
                    .addKeyValue("cluster", name)
                    .log("The default cluster is not registered; requests that name no cluster are refused until it"
                            + " is");
        }
    }
}
