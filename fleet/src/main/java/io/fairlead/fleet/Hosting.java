package io.fairlead.fleet;

import io.fairlead.clustersync.ClusterSync;
import io.fairlead.hosted.BuiltIns;
import io.fairlead.hosted.cluster.HostedClusters;
import io.fairlead.model.ClusterName;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates members of the fleet from registrations of hosted clusters. Threads: the fleet's controller. */
final class Hosting implements AutoCloseable {
    /** Opening a new cluster waits for the disk for most of the time. */
    private static final int OPENINGS_MIN = 8;

    private final HostedClusters hosted;
    private final ClusterSync sync;
    private final Openings openings;

    /** @param opened called for every cluster that was opened in the background */
    Hosting(HostedClusters hosted, ClusterSync sync, Consumer<ClusterName> opened) {
        this.hosted = hosted;
        this.sync = sync;
        this.openings =
                new Openings(Math.max(OPENINGS_MIN, Runtime.getRuntime().availableProcessors()), this::open, opened);
    }

    /** Opens clusters from now on; those with waiting requests first. */
    void start() {
        openings.start();
    }

    /** The member of a registration. The root cluster is open already, and everything else depends on it. */
    Member host(ClusterName name, BuiltIns builtIns, @Nullable Member before) {
        if (before instanceof Member.Hosted) {
            return before;
        }
        if (before instanceof Member.Opening opening && !opening.ticket().failed()) {
            return opening.ticket().member().<Member>map(member -> member).orElse(opening);
        }
        return name.equals(ClusterName.ROOT)
                ? open(name, builtIns)
                : new Member.Opening(name, openings.begin(name, builtIns));
    }

    @Override
    public void close() {
        openings.close();
    }

    private Member.Hosted open(ClusterName name, BuiltIns builtIns) {
        var cluster = hosted.open(name, builtIns);
        return new Member.Hosted(cluster, sync.follow(name, new HostedTypes(cluster, sync.types())));
    }
}
