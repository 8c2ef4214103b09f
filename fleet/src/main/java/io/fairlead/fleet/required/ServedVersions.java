package io.fairlead.fleet.required;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.index.ClusterView;
import io.fairlead.index.Sync;
import io.fairlead.model.GroupVersion;
import java.util.Optional;

/**
 * What a hosted cluster has in the place of APIServices: the groups and versions that it serves, at one moment.
 *
 * @param entry its registration
 * @param view what the index knows of it; empty if nothing
 */
public record ServedVersions(ClusterEntry entry, Optional<ClusterView> view) implements OwnServices {
    @Override
    public Finding state() {
        return switch (entry) {
            case ClusterEntry.Unready unready -> Finding.no(unready.cause(), unready.message());
            case ClusterEntry.Hosted _ when isComplete() -> Finding.yes("Synced", "all of them are known");
            case ClusterEntry.Hosted _, ClusterEntry.Opening _, ClusterEntry.Attached _, ClusterEntry.NotRegistered _ ->
                Finding.unknown("NotSyncedYet", "the types are not listed yet");
        };
    }

    @Override
    public Finding of(String name) {
        int dot = name.indexOf('.');
        GroupVersion version = new GroupVersion(name.substring(dot + 1), name.substring(0, dot));
        return view.filter(all -> !all.holders(version).isEmpty()).isPresent()
                ? Finding.yes("Local", "it is served here")
                : Finding.no("APIServiceNotFound", "the cluster does not serve \"" + version + "\"");
    }

    private boolean isComplete() {
        return view.filter(all -> all.sync() == Sync.SYNCED).isPresent();
    }
}
