package io.fairlead.clustersync;

import io.fairlead.clustersync.source.TypeChange;
import io.fairlead.index.ClusterView;
import io.fairlead.index.Holder;
import io.fairlead.index.HolderType;
import io.fairlead.model.ResourceVersion;
import java.util.List;
import java.util.Optional;

/**
 * Detects by a complete list whether a cluster has another history than the known one: its store was restored from a
 * backup, or exchanged for another's.
 */
final class OtherHistory {
    private OtherHistory() {}

    /** The proof, in words; empty if there is none. */
    static Optional<String> proof(ClusterView known, TypeChange.Complete list) {
        for (Holder holder : list.holders()) {
            Optional<Holder> before = known.holder(holder.type(), holder.name());
            if (before.isPresent() && isOlder(holder, before.get())) {
                return Optional.of(
                        holder.type() + " " + holder.name() + " is at resourceVersion " + holder.resourceVersion()
                                + " and was at " + before.get().resourceVersion() + " before");
            }
        }
        return isOtherCluster(known, list.holders())
                ? Optional.of("every API service that the API server makes for itself has another uid than before")
                : Optional.empty();
    }

    /** The highest resource version at which both have the same incarnation of a holder; empty if there is none. */
    static String shared(ClusterView known, TypeChange.Complete list) {
        String shared = "";
        for (Holder holder : list.holders()) {
            String version = holder.resourceVersion();
            boolean same = known.holder(holder.type(), holder.name())
                    .filter(before -> before.uid().equals(holder.uid())
                            && before.resourceVersion().equals(version))
                    .isPresent();
            shared = same && !ResourceVersion.isNewer(shared, version) ? version : shared;
        }
        return shared;
    }

    private static boolean isOlder(Holder listed, Holder known) {
        return listed.uid().equals(known.uid())
                && ResourceVersion.isNewer(known.resourceVersion(), listed.resourceVersion());
    }

    /** API servers create them once for a cluster. */
    private static boolean isOtherCluster(ClusterView known, List<Holder> listed) {
        boolean common = false;
        for (Holder holder : listed) {
            if (holder.type() == HolderType.BUILT_IN) {
                Optional<Holder> before = known.holder(HolderType.BUILT_IN, holder.name());
                if (before.isPresent() && before.get().uid().equals(holder.uid())) {
                    return false;
                }
                common |= before.isPresent();
            }
        }
        return common;
    }
}
