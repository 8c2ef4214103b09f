package io.fairlead.gateway.fleet;

import io.fairlead.hosted.HostedCluster;
import io.fairlead.index.Audit;
import io.fairlead.index.FleetIndex;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Observations that feed the index. */
public final class Observations implements Observation.Source {
    private final FleetIndex index;

    public Observations(FleetIndex index) {
        this.index = index;
    }

    @Override
    public Observation attached(ClusterName name, Upstream upstream, @Nullable String token, Runnable changed) {
        return new Observation() {
            @Override
            public Observed now() {
                return Observed.nothing();
            }

            @Override
            public Audit audit() {
                return new Audit(List.of(), List.of());
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Observation hosted(HostedCluster cluster, Runnable changed) {
        return new HostedObservation(cluster, index, changed);
    }
}
