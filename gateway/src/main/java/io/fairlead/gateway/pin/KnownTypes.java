package io.fairlead.gateway.pin;

import io.fairlead.index.ClusterView;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Sync;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * What clusters' CRDs say of their types, while that can be relied on. Never blocks; any thread.
 *
 * <p>It can be relied on while changes are heard, and for {@code types.maxStaleness} after that.
 */
public final class KnownTypes {
    private final FleetIndex index;
    private final ToLongFunction<ClusterName> silentNanos;
    private final long silentNanosMax;

    /**
     * Over an index.
     *
     * @param silentNanos for how long changes of a cluster's CRDs may have gone unheard, in nanoseconds
     * @param maxStaleness for how long that may be
     */
    public KnownTypes(FleetIndex index, ToLongFunction<ClusterName> silentNanos, Duration maxStaleness) {
        this.index = index;
        this.silentNanos = silentNanos;
        this.silentNanosMax = maxStaleness.toNanos();
    }

    /** Counts the changes of what is known. */
    long changeCount() {
        return index.changeCount();
    }

    /** Whether a cluster is served, so that its types are followed. */
    public boolean isFollowed(ClusterName cluster) {
        return index.view(cluster).isPresent();
    }

    /** Whether what is known of a cluster's types can be relied on. */
    public boolean isCurrent(ClusterName cluster) {
        return index.view(cluster).filter(view -> view.sync() != Sync.UNSYNCED).isPresent()
                && silentNanos.applyAsLong(cluster) <= silentNanosMax;
    }

    /**
     * The type behind a resource.
     *
     * @param version the version that is asked for; empty if none is
     */
    public KnownType find(ClusterName cluster, GroupResource resource, String version) {
        Optional<ClusterView> found = index.view(cluster);
        if (found.isEmpty() || found.get().sync() == Sync.UNSYNCED) {
            return new KnownType.Unknown("the types of cluster \"" + cluster + "\" are not listed yet");
        }
        long silent = silentNanos.applyAsLong(cluster);
        return silent > silentNanosMax ? stale(cluster, silent) : find(cluster, found.get(), resource, version);
    }

    private static KnownType find(ClusterName cluster, ClusterView view, GroupResource resource, String version) {
        if (!version.isEmpty() && isAggregated(view, resource.group(), version)) {
            return new KnownType.Absent("cluster \"" + cluster + "\" serves " + resource
                    + " by an aggregated API, of which nothing is known");
        }
        Holder definition = view.holder(HolderType.CRD, resource.resource() + "." + resource.group())
                .orElse(null);
        if (definition == null) {
            return view.sync() == Sync.LOST
                    ? new KnownType.Unknown("the watch of the types of cluster \"" + cluster + "\" is lost")
                    : new KnownType.Absent("no CRD of cluster \"" + cluster + "\" defines " + resource
                            + ", so that nothing is known of it");
        }
        return definition.defines() == null
                ? new KnownType.Undigested("the CRD of " + resource + " in cluster \"" + cluster
                        + "\" cannot be read, so that it has no digest")
                : new KnownType.Defined(definition.defines(), definition.implementation());
    }

    private static boolean isAggregated(ClusterView view, String group, String version) {
        return view.holder(HolderType.API_SERVICE, version + "." + group).isPresent();
    }

    private KnownType stale(ClusterName cluster, long silent) {
        String since = silent == Long.MAX_VALUE ? "never" : TimeUnit.NANOSECONDS.toSeconds(silent) + " s ago";
        return new KnownType.Unknown(
                "what is known of the types of cluster \"" + cluster + "\" is stale: last heard of "
                        + since + " (expected within types.maxStaleness, "
                        + TimeUnit.NANOSECONDS.toSeconds(silentNanosMax) + " s)");
    }
}
