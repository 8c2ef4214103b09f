package io.fairlead.fleet.required;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.fleet.ClusterEntry;
import io.fairlead.index.ClusterView;
import io.fairlead.index.Sync;
import io.fairlead.model.GroupVersion;
import java.util.Optional;
import java.util.function.Function;

/**
 * The APIServices of a hosted cluster at one moment: those that name services by their backends, all others by the groups and
 * versions that it serves.
 *
 * @param entry its registration
 * @param view what the index knows of it; empty if nothing
 * @param backends whether an APIService that names a service is available, by its name; empty if there is none
 */
public record ServedVersions(
        ClusterEntry entry, Optional<ClusterView> view, Function<String, Optional<Finding>> backends)
        implements OwnServices {
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
        return backends.apply(name).orElseGet(() -> ofOwn(name));
    }

    private Finding ofOwn(String name) {
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
