package io.fairlead.gateway.select;

import io.fairlead.gateway.listen.Received;
import io.fairlead.model.ClusterName;
import io.fairlead.model.ClusterPath;

/** Reads from a request's path which cluster it is for; without a prefix it is the default cluster. */
public final class Selector {
    private final ClusterName defaultCluster;

    public Selector(ClusterName defaultCluster) {
        this.defaultCluster = defaultCluster;
    }

    /**
     * Selects.
     *
     * @throws io.fairlead.model.StatusException with 400 for an id that is not written plainly
     */
    public Selected select(Received received) {
        ClusterPath selection = ClusterPath.parse(received.target());
        return new Selected(received, target(received.target(), selection));
    }

    private Target target(String received, ClusterPath selection) {
        ClusterName cluster = selection.cluster();
        if (cluster != null) {
            return new Target.Cluster(cluster, prefix(received, selection), selection.path(), selection.query());
        }
        if (Target.Gateway.claims(selection.path())) {
            return new Target.Gateway(selection.path(), selection.query());
        }
        return new Target.Cluster(defaultCluster, "", selection.path(), selection.query());
    }

    private static String prefix(String received, ClusterPath selection) {
        int question = received.indexOf('?');
        String path = question < 0 ? received : received.substring(0, question);
        return path.endsWith(selection.path())
                ? path.substring(0, path.length() - selection.path().length())
                : path;
    }
}
