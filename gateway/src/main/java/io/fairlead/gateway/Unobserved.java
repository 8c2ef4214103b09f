package io.fairlead.gateway;

import io.fairlead.gateway.fleet.Condition;
import io.fairlead.gateway.fleet.Observation;
import io.fairlead.gateway.fleet.Observed;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.model.ClusterName;
import io.fairlead.net.Upstream;
import org.jspecify.annotations.Nullable;

/** Observations that see nothing. */
final class Unobserved implements Observation.Source {
    @Override
    public Observation attached(ClusterName name, Upstream upstream, @Nullable String token, Runnable changed) {
        return new Fixed();
    }

    @Override
    public Observation hosted(HostedCluster cluster, Runnable changed) {
        return new Fixed();
    }

    private static final class Fixed implements Observation {
        @Override
        public Observed now() {
            return new Observed(
                    Condition.yes(Condition.REACHABLE, "Hosted", "served here"),
                    Condition.yes(Condition.TYPES_SYNCED, "Synced", "complete"),
                    FairleadVersion.KUBERNETES,
                    0,
                    0,
                    1,
                    null);
        }

        @Override
        public void close() {}
    }
}
