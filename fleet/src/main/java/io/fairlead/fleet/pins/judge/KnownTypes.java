package io.fairlead.fleet.pins.judge;

import io.fairlead.index.ClusterView;
import io.fairlead.index.DefinedType;
import io.fairlead.index.FleetIndex;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.index.Sync;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.TypeDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The types defined by clusters' CRDs, while that knowledge is fresh. Never blocks; any thread.
 *
 * <p>It is fresh while a watch reports changes, and for {@code types.maxStaleness} after that unless it is in doubt.
 */
public final class KnownTypes {
    private final FleetIndex index;
    private final ToLongFunction<ClusterName> silentNanos;
    private final long silentNanosMax;

    /**
     * Over an index.
     *
     * @param silentNanos how long changes of what a cluster serves may have been missed, in nanoseconds
     * @param maxStaleness the limit of that
     */
    public KnownTypes(FleetIndex index, ToLongFunction<ClusterName> silentNanos, Duration maxStaleness) {
        this.index = index;
        this.silentNanos = silentNanos;
        this.silentNanosMax = maxStaleness.toNanos();
    }

    /** Counts the changes of the index. */
    long changeCount() {
        return index.changeCount();
    }

    /** Whether a cluster is served and so indexed. */
    public boolean isFollowed(ClusterName cluster) {
        return index.view(cluster).isPresent();
    }

    /** Whether the knowledge of a cluster's types is fresh. */
    public boolean isCurrent(ClusterName cluster) {
        return index.view(cluster).filter(view -> view.sync() != Sync.UNSYNCED).isPresent()
                && silentNanos.applyAsLong(cluster) <= silentNanosMax;
    }

    /**
     * The type of a resource.
     *
     * @param version the requested version; empty if none
     */
    public KnownType find(ClusterName cluster, GroupResource resource, String version) {
        return find(cluster, look(cluster), resource, version);
    }

    /** The type of a resource by the look-up that routed its request. */
    KnownType find(ClusterName cluster, Observed observed, GroupResource resource, String version) {
        return find(cluster, look(cluster, observed), resource, version);
    }

    private static KnownType find(ClusterName cluster, Look look, GroupResource resource, String version) {
        return switch (look) {
            case Look.Current(ClusterView view) -> find(cluster, view, resource, version);
            case Look.Unreliable(KnownType.Unknown why) -> why;
        };
    }

    /**
     * The digest of a resource's API, as {@link #find} returns it, but null, without a reason, if no CRD defines it or
     * it is unknown for now.
     *
     * @param version the requested version; empty if none
     */
    @Nullable
    public TypeDigest api(ClusterName cluster, Observed observed, GroupResource resource, String version) {
        if (resource.group().isEmpty() || !(look(cluster, observed) instanceof Look.Current(ClusterView view))) {
            return null;
        }
        return view.holder(HolderType.CRD, resource.resource() + "." + resource.group())
                .map(Holder::defines)
                .filter(_ -> !isAggregated(view, resource.group(), version))
                .map(DefinedType::api)
                .orElse(null);
    }

    /**
     * All types of a kind: none, one, or several if a cluster refuses the others their names. Includes the group's
     * unreadable definitions, since they may be of that kind.
     */
    List<KnownType> findAll(ClusterName cluster, String group, String kind) {
        return switch (look(cluster)) {
            case Look.Current(ClusterView view) -> findAll(cluster, view, group, kind);
            case Look.Unreliable(KnownType.Unknown why) -> List.of(why);
        };
    }

    /**
     * Whether the types of every indexed cluster have been listed, however long ago: then what none of them defines
     * does not exist.
     */
    boolean areAllListed() {
        return index.views().stream().noneMatch(view -> view.sync() == Sync.UNSYNCED);
    }

    /** A cluster's view, or why it is not fresh. */
    private sealed interface Look {
        record Current(ClusterView view) implements Look {}

        record Unreliable(KnownType.Unknown why) implements Look {}
    }

    /** Read the age first: the view may be newer than that, never older. */
    private Look look(ClusterName cluster) {
        long silent = silentNanos.applyAsLong(cluster);
        return look(cluster, new Observed(index.view(cluster), silent));
    }

    private Look look(ClusterName cluster, Observed observed) {
        Optional<ClusterView> view = observed.view();
        long silent = observed.silentNanos();
        if (view.isEmpty() || view.get().sync() == Sync.UNSYNCED) {
            return new Look.Unreliable(
                    new KnownType.Unknown("the types of cluster \"" + cluster + "\" are not listed yet"));
        }
        return silent > silentNanosMax ? new Look.Unreliable(stale(cluster, silent)) : new Look.Current(view.get());
    }

    private static List<KnownType> findAll(ClusterName cluster, ClusterView view, String group, String kind) {
        List<KnownType> types = new ArrayList<>();
        for (Holder holder : view.holders()) {
            if (holder.type() == HolderType.CRD && mayDefine(holder, group, kind)) {
                types.add(known(cluster, holder));
            }
        }
        return types.isEmpty() && view.sync() == Sync.LOST ? List.of(lost(cluster)) : types;
    }

    private static boolean mayDefine(Holder definition, String group, String kind) {
        DefinedType type = definition.defines();
        return type == null
                ? definition.isOfGroup(group)
                : type.group().equals(group) && type.kind().equals(kind);
    }

    private static KnownType find(ClusterName cluster, ClusterView view, GroupResource resource, String version) {
        if (!version.isEmpty() && isAggregated(view, resource.group(), version)) {
            return new KnownType.Absent("cluster \"" + cluster + "\" serves " + resource
                    + " by an aggregated API, of which nothing is known");
        }
        Holder definition = view.holder(HolderType.CRD, resource.resource() + "." + resource.group())
                .orElse(null);
        if (definition != null) {
            return known(cluster, definition);
        }
        return view.sync() == Sync.LOST
                ? lost(cluster)
                : new KnownType.Absent("no CRD of cluster \"" + cluster + "\" defines " + resource
                        + ", so that nothing is known of it");
    }

    private static KnownType known(ClusterName cluster, Holder definition) {
        return definition.defines() == null
                ? new KnownType.Undigested("the CRD of " + definition.name() + " in cluster \"" + cluster
                        + "\" cannot be read, so that it has no digest")
                : new KnownType.Defined(definition.defines(), definition.implementation());
    }

    private static KnownType lost(ClusterName cluster) {
        return new KnownType.Unknown("the watch of the types of cluster \"" + cluster + "\" is lost");
    }

    private static boolean isAggregated(ClusterView view, String group, String version) {
        return view.holder(HolderType.API_SERVICE, version + "." + group).isPresent();
    }

    private KnownType.Unknown stale(ClusterName cluster, long silent) {
        String subject = "what is known of the types of cluster \"" + cluster + "\" is stale: ";
        if (silent == Long.MAX_VALUE) {
            return new KnownType.Unknown(subject
                    + "their watch broke, is silent, or a definition was just changed through this gateway"
                    + " (expected to be confirmed by the cluster)");
        }
        return new KnownType.Unknown(subject + "last heard of " + TimeUnit.NANOSECONDS.toSeconds(silent)
                + " s ago (expected within types.maxStaleness, "
                + TimeUnit.NANOSECONDS.toSeconds(silentNanosMax) + " s)");
    }
}
