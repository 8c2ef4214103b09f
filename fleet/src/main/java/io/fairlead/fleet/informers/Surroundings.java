package io.fairlead.fleet.informers;

import io.fairlead.fleet.ClusterEntry;
import io.fairlead.model.ClusterName;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * What informers share. Threads: any.
 *
 * @param lookup the registration of a cluster
 * @param history what identifies the present history of a cluster: another registration under its name has another one
 * @param limits of what clusters answer
 */
record Surroundings(
        Function<ClusterName, ClusterEntry> lookup,
        Function<ClusterName, Object> history,
        AnswerLimits limits,
        InstantSource clock) {
    /** Calls to a cluster as it is registered now. */
    ClusterCalls calls(ClusterName cluster) throws CallFailure {
        return switch (lookup.apply(cluster)) {
            case ClusterEntry.Hosted hosted -> new HostedCalls(hosted.cluster(), limits.documentBytesMax());
            case ClusterEntry.Attached attached -> new AttachedCalls(attached, limits, () -> holdsWrites(cluster));
            case ClusterEntry.Unready unready -> throw new CallFailure(0, unready.cause(), "it is not served now");
            case ClusterEntry.Opening _ -> throw new CallFailure(0, "Opening", "it is being opened");
            case ClusterEntry.NotRegistered _ -> throw new CallFailure(0, "NotRegistered", "it is not registered");
        };
    }

    /** As it is now: a watch goes on where a cluster moved. */
    private boolean holdsWrites(ClusterName cluster) {
        return lookup.apply(cluster) instanceof ClusterEntry.Attached now && now.holdsWrites();
    }
}
