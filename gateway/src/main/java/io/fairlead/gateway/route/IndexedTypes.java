package io.fairlead.gateway.route;

import io.fairlead.index.Answer;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Location;
import io.fairlead.model.ClusterName;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;

/** The index behind the interface of routing. */
public final class IndexedTypes implements TypeIndex {
    private final FleetIndex index;
    private final ToLongFunction<ClusterName> silentNanos;

    /**
     * A view of an index.
     *
     * @param silentNanos how long changes of what a cluster serves may have been missed, in nanoseconds
     */
    public IndexedTypes(FleetIndex index, ToLongFunction<ClusterName> silentNanos) {
        this.index = index;
        this.silentNanos = silentNanos;
    }

    @Override
    public long silentNanos(ClusterName cluster) {
        return silentNanos.applyAsLong(cluster);
    }

    @Override
    public Location locate(ClusterName cluster, String group, String version, String resource) {
        return index.locate(cluster, group, version, resource);
    }

    @Override
    public boolean serves(ClusterName cluster, String group, String version, String resource) {
        return index.peek(cluster, group, version, resource) == Answer.SERVED;
    }

    @Override
    public boolean lacks(ClusterName cluster, String group, String version, String resource) {
        return index.peek(cluster, group, version, resource) == Answer.ABSENT;
    }

    @Override
    public CompletionStage<Void> synced(ClusterName cluster) {
        return index.synced(cluster);
    }
}
