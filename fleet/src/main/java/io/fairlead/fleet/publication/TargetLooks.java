package io.fairlead.fleet.publication;

import io.fairlead.fleet.informers.CallFailure;
import io.fairlead.fleet.informers.ObjectCalls;
import io.fairlead.model.ClusterName;

/**
 * Looks at publications in their targets, whether they are published there or withdrawn.
 *
 * <p>Threads: virtual ones; calls block.
 *
 * @param known all publications in a target
 * @param installation the uid that distinguishes this Fairlead's objects from others
 * @param calls to the targets
 * @param sources what is published
 */
record TargetLooks(TargetClusters clusters, Known known, String installation, Calls calls, Sources sources) {
    /** What else there is in a target. */
    @FunctionalInterface
    interface Known {
        Peers in(ClusterName cluster, Publication publication);
    }

    /** Requests to a target. */
    @FunctionalInterface
    interface Calls {
        ObjectCalls to(ClusterName cluster) throws CallFailure;
    }

    /** What a publication publishes in a target. */
    @FunctionalInterface
    interface Sources {
        Source of(Publication publication, ClusterName cluster);
    }

    /** A look. */
    Progress at(Publication publication, boolean isWithdrawn, ClusterName cluster) throws InterruptedException {
        if (isWithdrawn && clusters.isTarget(publication, cluster)) {
            return failed(Step.WITHDRAWN, "TargetAgain", "it has become a target again");
        }
        if (isWithdrawn && clusters.isOfOther(publication, cluster)) {
            return new Progress.Builder()
                    .add(Step.WITHDRAWN, Progress.Observed.done(""))
                    .build();
        }
        if (isWithdrawn ? clusters.isAnother(cluster) : !clusters.isServed(cluster)) {
            // What is to be taken back is not in another one either.
            return failed(
                    isWithdrawn ? Step.WITHDRAWN : Step.CLAIMED,
                    "TargetWithheld",
                    "the cluster is another one than before");
        }
        TargetApi target;
        try {
            target = new TargetApi(calls.to(cluster));
        } catch (CallFailure unserved) {
            return unserved(isWithdrawn, cluster, unserved);
        }
        Peers peers = known.in(cluster, publication);
        return isWithdrawn
                ? new Withdrawal(publication, peers, installation, target).look()
                : new Publishing(publication, peers, installation, target, sources.of(publication, cluster)).look();
    }

    /** In a cluster that is registered no more nothing can be taken back. */
    private Progress unserved(boolean isWithdrawn, ClusterName cluster, CallFailure unserved) {
        if (!isWithdrawn) {
            return failed(Step.CLAIMED, unserved.reason(), unserved.message());
        }
        return clusters.isRegistered(cluster)
                ? failed(Step.WITHDRAWN, unserved.reason(), unserved.message())
                : new Progress.Builder()
                        .add(Step.WITHDRAWN, Progress.Observed.done(""))
                        .build();
    }

    private static Progress failed(Step step, String reason, String message) {
        return new Progress.Builder()
                .add(step, Progress.Observed.failed(reason, message))
                .build();
    }
}
