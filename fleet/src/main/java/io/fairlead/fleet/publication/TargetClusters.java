package io.fairlead.fleet.publication;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.fleet.RegisteredClusters;
import io.fairlead.model.ClusterName;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The clusters into which something can be published.
 *
 * @param all the registered clusters
 * @param named which cluster has a name now; empty if none is registered under it
 * @param lookup the registration of a cluster
 */
record TargetClusters(
        RegisteredClusters all, Function<ClusterName, String> named, Function<ClusterName, ClusterEntry> lookup) {
    /** Which cluster has a name now. */
    String which(ClusterName name) {
        return named.apply(name);
    }

    boolean isRegistered(ClusterName cluster) {
        return !(lookup.apply(cluster) instanceof ClusterEntry.NotRegistered);
    }

    /** Which clusters are registered by now, so that publications can be wanted in them. */
    Map<ClusterName, String> registered() {
        Map<ClusterName, String> found = new HashMap<>();
        for (ClusterName cluster : all.get().keySet()) {
            if (isRegistered(cluster)) {
                found.put(cluster, which(cluster));
            }
        }
        return found;
    }

    /** The targets of a publication. */
    Set<ClusterName> of(Publication publication) {
        return all.get().keySet().stream()
                .filter(cluster -> isTarget(publication, cluster))
                .collect(Collectors.toSet());
    }

    /** Whether a publication is wanted in a cluster. */
    boolean isTarget(Publication publication, ClusterName cluster) {
        return !publication.isDeleted()
                && publication.target().has(cluster)
                && switch (lookup.apply(cluster)) {
                    case ClusterEntry.Attached _, ClusterEntry.Unready _ -> true;
                    case ClusterEntry.Hosted _, ClusterEntry.Opening _, ClusterEntry.NotRegistered _ -> false;
                };
    }

    /** Whether it is an alias of a cluster in which the publication stays: what is there is of that registration. */
    boolean isOfOther(Publication publication, ClusterName cluster) {
        ClusterName primary = all.aliasOf(cluster);
        return primary != null && isTarget(publication, primary);
    }

    /** Nothing is served to a cluster that is registered no more, or that is another one than before. */
    boolean isServed(ClusterName cluster) {
        return switch (lookup.apply(cluster)) {
            case ClusterEntry.Attached attached -> !attached.holdsWrites();
            case ClusterEntry.Unready _ -> true;
            case ClusterEntry.Hosted _, ClusterEntry.Opening _, ClusterEntry.NotRegistered _ -> false;
        };
    }

    /** Whether it is attached, and another one than before. */
    boolean isAnother(ClusterName cluster) {
        return lookup.apply(cluster) instanceof ClusterEntry.Attached attached && attached.holdsWrites();
    }
}
