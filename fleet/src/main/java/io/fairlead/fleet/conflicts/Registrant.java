package io.fairlead.fleet.conflicts;

import io.fairlead.clustersync.ObservedIdentity;
import io.fairlead.index.conflicts.KeyHolder;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import tools.jackson.databind.node.ObjectNode;

/**
 * The registration of an attached cluster, as far as its identity is concerned.
 *
 * @param aliasOf the registration of the same cluster beside which it is wanted; empty if there is none
 * @param confirmedUid the uid of namespace kube-system to which it was allowed to move; empty if there is none
 * @param observed which cluster its endpoints lead to
 */
public record Registrant(KeyHolder holder, String aliasOf, String confirmedUid, ObservedIdentity observed) {
    /** The annotation with the uid of namespace kube-system to which a registration may move. */
    public static final String CONFIRMED = "fairlead.io/confirmed-cluster-uid";

    /** The registration that a {@code Cluster} object is. */
    public static Registrant of(ObjectNode cluster, ObservedIdentity observed) {
        return new Registrant(
                new KeyHolder(
                        cluster.at("/metadata/name").asString(""),
                        cluster.at("/metadata/uid").asString(""),
                        created(cluster.at("/metadata/creationTimestamp").asString(""))),
                cluster.at("/spec/aliasOf").asString(""),
                cluster.path("metadata").path("annotations").path(CONFIRMED).asString(""),
                observed);
    }

    /** The same with another observation. */
    Registrant with(ObservedIdentity other) {
        return new Registrant(holder, aliasOf, confirmedUid, other);
    }

    private static Instant created(String time) {
        try {
            return Instant.parse(time);
        } catch (DateTimeParseException unreadable) {
            return Instant.MAX;
        }
    }

    String name() {
        return holder.name();
    }

    String uid() {
        return holder.uid();
    }
}
