package io.fairlead.fleet;

import io.fairlead.hosted.HostedCluster;
import java.time.Duration;
import java.util.Optional;

/** A hosted cluster that is being opened for ever. */
public final class NeverOpens implements ClusterEntry.Opens {
    @Override
    public Optional<HostedCluster> opened() {
        return Optional.empty();
    }

    @Override
    public boolean await(Duration timeout) {
        return false;
    }
}
