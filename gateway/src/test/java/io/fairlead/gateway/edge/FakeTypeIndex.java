package io.fairlead.gateway.edge;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.gateway.route.TypeIndex;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.HolderType;
import io.fairlead.index.Location;
import io.fairlead.model.ClusterName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Knows of clusters that were not told of that they serve nothing by CRDs, unless they are unsynced. */
final class FakeTypeIndex implements TypeIndex {
    private static final Set<HolderType> CRDS = Set.of(HolderType.CRD);
    private static final ClusterName UNHEARD_OF = new ClusterName("unheard-of");

    private final FleetIndex index;
    private final Map<ClusterName, ClusterEntry> clusters;
    private final Map<ClusterName, CompletableFuture<Void>> unsynced;
    private final Map<String, ClusterName> flipped;
    private final Map<ClusterName, Long> silentNanos;
    private final FleetIndex untold = FleetIndex.create();

    /** Over what a test changes meanwhile: see {@link TestEdge}. */
    FakeTypeIndex(
            FleetIndex index,
            Map<ClusterName, ClusterEntry> clusters,
            Map<ClusterName, CompletableFuture<Void>> unsynced,
            Map<String, ClusterName> flipped,
            Map<ClusterName, Long> silentNanos) {
        this.index = index;
        this.clusters = clusters;
        this.unsynced = unsynced;
        this.flipped = flipped;
        this.silentNanos = silentNanos;
    }

    @Override
    public synchronized Location locate(ClusterName cluster, String group, String version, String resource) {
        ClusterName other = flipped.get(cluster + "/" + resource);
        if (other != null) {
            return index.locate(other, group, version, resource);
        }
        CompletableFuture<Void> synced = unsynced.get(cluster);
        if (synced != null && !synced.isDone()) {
            return index.locate(UNHEARD_OF, group, version, resource);
        }
        if (index.view(cluster).isPresent() || clusters.get(cluster) instanceof ClusterEntry.Attached) {
            return index.locate(cluster, group, version, resource);
        }
        if (untold.view(cluster).isEmpty()) {
            untold.open(cluster, CRDS).relist(CRDS, List.of(), "1");
        }
        return untold.locate(cluster, group, version, resource);
    }

    @Override
    public boolean serves(ClusterName cluster, String group, String version, String resource) {
        return !resource.startsWith("unheard-of");
    }

    @Override
    public long silentNanos(ClusterName cluster) {
        return silentNanos.getOrDefault(cluster, 0L);
    }

    @Override
    public boolean lacks(ClusterName cluster, String group, String version, String resource) {
        return false;
    }

    @Override
    public CompletionStage<Void> synced(ClusterName cluster) {
        return unsynced.getOrDefault(cluster, CompletableFuture.completedFuture(null))
                .copy();
    }
}
