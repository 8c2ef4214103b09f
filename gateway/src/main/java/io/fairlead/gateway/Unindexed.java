package io.fairlead.gateway;

import io.fairlead.gateway.route.TypeIndex;
import io.fairlead.model.ClusterName;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An index that leaves every answer to the cluster. */
final class Unindexed implements TypeIndex {
    @Override
    public Answer lookup(ClusterName cluster, String group, String version, String resource) {
        return Answer.ABSENT;
    }

    @Override
    public CompletionStage<Void> synced(ClusterName cluster) {
        return CompletableFuture.completedFuture(null);
    }
}
