package io.fairlead.index;

import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupResource;
import io.fairlead.model.GroupVersion;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The index of one cluster at one moment. Immutable; safe for any thread.
 *
 * <p>The methods here iterate over the holders, for tools and controllers; the request path asks {@link FleetIndex}.
 */
public final class ClusterView {
    private static final List<HolderType> ROUTERS =
            Stream.of(HolderType.values()).filter(HolderType::routes).toList();

    final ClusterName cluster;
    /** The hash of the name, as {@link ViewTable} spreads it. */
    final int hash;

    final Sync sync;
    final long epoch;
    final String asOfResourceVersion;
    final long asOfEpochMillis;
    final HolderTable table;
    final ClaimedKeys claimed;
    private final long @Nullable [] bits;

    ClusterView(
            ClusterName cluster,
            Sync sync,
            long epoch,
            String asOfResourceVersion,
            long asOfEpochMillis,
            HolderTable table,
            ClaimedKeys claimed) {
        this.cluster = cluster;
        this.hash = ViewTable.hash(cluster);
        this.sync = sync;
        this.epoch = epoch;
        this.asOfResourceVersion = asOfResourceVersion;
        this.asOfEpochMillis = asOfEpochMillis;
        this.table = table;
        this.claimed = claimed;
        this.bits = claimed.keys().bits();
    }

    /** Whether the view is complete. */
    public Sync sync() {
        return sync;
    }

    /** The evidence of the view. */
    public Evidence evidence() {
        return new Evidence(sync, epoch, asOfResourceVersion, Instant.ofEpochMilli(asOfEpochMillis));
    }

    /** Every holder, ordered by type and name. */
    public List<Holder> holders() {
        return table.holders();
    }

    /** The holder of a type and name; empty if there is none. A CRD's name is {@code plural.group}. */
    public Optional<Holder> holder(HolderType type, String name) {
        return Optional.ofNullable(table.find(type, name));
    }

    /** The cluster's name. */
    public ClusterName cluster() {
        return cluster;
    }

    /** The holders of a group/version; the size is the count. */
    public List<Holder> holders(GroupVersion groupVersion) {
        return holdersOf(groupVersion.group(), groupVersion.version(), Key.GROUP_VERSION);
    }

    /** The holders of a resource in any version. */
    public List<Holder> holders(GroupResource resource) {
        return table.holders().stream()
                .filter(holder -> Claim.of(holder).stream()
                        .anyMatch(claim -> claim.group().equals(resource.group())
                                && claim.resource().equals(resource.resource())))
                .toList();
    }

    /** Every served group/version. */
    public SortedSet<String> apiVersions() {
        SortedSet<String> apiVersions = new TreeSet<>();
        for (Holder holder : table.holders()) {
            holder.contributions()
                    .forEach(contribution ->
                            apiVersions.add(contribution.groupVersion().apiVersion()));
        }
        return apiVersions;
    }

    List<Holder> holdersOf(String group, String version, String resource) {
        Claim claim = new Claim(group, version, resource);
        return table.holders().stream().filter(claim::isMadeBy).toList();
    }

    /** The same with newer evidence, which takes over the retained keys. */
    ClusterView asOf(String resourceVersion, long epochMillis) {
        return new ClusterView(cluster, sync, epoch, resourceVersion, epochMillis, table, claimed);
    }

    /** The view of a removed cluster; its keys are not retained. */
    ClusterView closed() {
        return new ClusterView(cluster, Sync.UNSYNCED, epoch, "", asOfEpochMillis, HolderTable.EMPTY, ClaimedKeys.NONE);
    }

    /** Throws unless the keys are those that the holders claim. */
    void assertConsistent(KeyTable vocabulary) {
        Set<Claim> told = new TreeSet<>();
        table.holders().forEach(holder -> told.addAll(Claim.of(holder)));
        Set<Claim> held = new TreeSet<>(vocabulary.claims(claimed.keys()));
        if (!told.equals(held)) {
            throw new AssertionError(
                    "index: cluster " + cluster + " holds the keys " + held + ", its holders claim " + told);
        }
        vocabulary.assertShared(claimed.shared(), table.holders());
    }

    /** The answer for a resource, or for one of the pseudo resources in {@link Key}. */
    Answer answer(KeyTable vocabulary, String group, String version, String resource) {
        if (sync == Sync.UNSYNCED) {
            return Answer.UNKNOWN;
        }
        if (has(vocabulary, group, version, resource)) {
            return Answer.SERVED;
        }
        if (!resource.isEmpty() && has(vocabulary, group, version, Key.ROUTED)) {
            return Answer.SERVED;
        }
        return isUnlisted(vocabulary, group, version, resource) || sync == Sync.LOST ? Answer.UNKNOWN : Answer.ABSENT;
    }

    /** Why the answer is UNKNOWN. */
    Lookup.Reason unknown(KeyTable vocabulary, String group, String version, String resource) {
        if (sync == Sync.UNSYNCED) {
            return Lookup.Reason.NOT_SYNCED;
        }
        return isUnlisted(vocabulary, group, version, resource) ? Lookup.Reason.RESOURCES_UNLISTED : Lookup.Reason.LOST;
    }

    private boolean isUnlisted(KeyTable vocabulary, String group, String version, String resource) {
        return !resource.isEmpty() && has(vocabulary, group, version, Key.UNLISTED);
    }

    /**
     * The holder that serves requests for a resource, unless it is the API server itself. Found by name, in constant
     * time.
     *
     * <p>A group/version of the API server itself is served only by it, even if definitions have names in it:
     * kube-apiserver accepts and establishes {@code roles.rbac.authorization.k8s.io}, and never serves it (it
     * dispatches to its own web service by the path of group and version first, {@code
     * staging/src/k8s.io/apiserver/pkg/server/handler.go}).
     */
    @Nullable
    Holder holderOf(KeyTable vocabulary, String group, String version, String resource) {
        if (has(vocabulary, group, version, Key.ROUTED)) {
            for (HolderType type : ROUTERS) {
                Holder router = table.find(type, version + "." + group);
                if (router != null) {
                    return router;
                }
            }
            List<Holder> routers = holdersOf(group, version, Key.ROUTED);
            return routers.isEmpty() ? null : routers.getFirst();
        }
        if (has(vocabulary, group, version, Key.UNLISTED)) {
            return null;
        }
        Holder definition = group.isEmpty() ? null : table.find(HolderType.CRD, resource + "." + group);
        return definition != null && new Claim(group, version, resource).isMadeBy(definition) ? definition : null;
    }

    /**
     * All holders of a resource, or of a group/version if it is empty: those with that claim, or those that route the
     * group/version.
     */
    List<Holder> serving(String group, String version, String resource) {
        List<Holder> holders = holdersOf(group, version, resource);
        return holders.isEmpty() && !resource.isEmpty() ? holdersOf(group, version, Key.ROUTED) : holders;
    }

    private boolean has(KeyTable vocabulary, String group, String version, String resource) {
        Key key = vocabulary.find(group, version, resource);
        return key != null
                && (bits != null ? KeySet.hasBit(bits, key.id) : claimed.keys().contains(key.id));
    }
}
