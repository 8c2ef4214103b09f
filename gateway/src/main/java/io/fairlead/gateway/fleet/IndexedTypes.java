package io.fairlead.gateway.fleet;

import io.fairlead.gateway.route.TypeIndex;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Location;
import io.fairlead.index.Lookup;
import io.fairlead.model.ClusterName;
import java.util.concurrent.CompletionStage;

/** The index as routing asks it. */
public final class IndexedTypes implements TypeIndex {
    private final FleetIndex index;

    public IndexedTypes(FleetIndex index) {
        this.index = index;
    }

    @Override
    public Location locate(ClusterName cluster, String group, String version, String resource) {
        return index.locate(cluster, group, version, resource);
    }

    @Override
    public boolean serves(ClusterName cluster, String group, String version, String resource) {
        return index.explain(cluster, group, version, resource) instanceof Lookup.Served;
    }

    @Override
    public CompletionStage<Void> synced(ClusterName cluster) {
        return index.synced(cluster);
    }
}
