package io.fairlead.fleet.publication;

import io.fairlead.index.conflicts.ConflictKey;
import io.fairlead.index.conflicts.ConflictPolicy;
import io.fairlead.index.conflicts.Contest;
import io.fairlead.index.conflicts.KeyClaim;
import io.fairlead.index.conflicts.KeyHolder;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * All publications in one target. Of several that want the same there, the one that is registered stays, else the older, else
 * the one with the smaller uid.
 *
 * @param all with those that are being withdrawn, as long as something of them may be left
 */
record Peers(ClusterName cluster, List<Peer> all) {
    /** The kind of key that the router of a group and version is. */
    private static final String ROUTER = "gv-router";

    /** The kind of key that the ports and addresses of a Service are. */
    private static final String SHAPE = "backend-shape";

    Peers {
        all = List.copyOf(all);
    }

    /**
     * A publication in the target.
     *
     * @param isRegistered whether an APIService of it may be stored
     */
    record Peer(Publication publication, boolean isRegistered) {}

    /** Whether an APIService of a publication may be stored. */
    boolean isRegistered(Publication own) {
        return all.stream()
                .anyMatch(
                        peer -> peer.isRegistered() && peer.publication().uid().equals(own.uid()));
    }

    /** Which other publication has a group and version; empty if it is free for this one. */
    Optional<Publication> routerInsteadOf(Publication own, GroupVersion version) {
        ConflictKey key = new ConflictKey(ROUTER, List.of(cluster.value(), version.group(), version.version()));
        return incumbent(own, key, other -> other.groupVersions().contains(version));
    }

    /** Which other publication has the Service with other ports or addresses; empty if none has. */
    Optional<Publication> shapeInsteadOf(Publication own) {
        Publication.Backend backend = own.backend();
        ConflictKey key = new ConflictKey(SHAPE, List.of(cluster.value(), backend.namespace(), backend.service()));
        return incumbent(
                own,
                key,
                other -> other.backend().path().equals(backend.path())
                        && (!other.backend().equals(backend) || !other.source().equals(own.source())));
    }

    /** Whether another publication that stays has the backend too. */
    boolean isBackendHeldWithout(Publication own) {
        return all.stream()
                .map(Peer::publication)
                .anyMatch(other -> !other.isDeleted()
                        && !other.uid().equals(own.uid())
                        && other.target().has(cluster)
                        && other.backend().path().equals(own.backend().path()));
    }

    /** A publication, as long as its object is there. */
    Optional<Publication> byUid(String uid) {
        return all.stream()
                .map(Peer::publication)
                .filter(publication -> publication.uid().equals(uid))
                .findFirst();
    }

    private Optional<Publication> incumbent(Publication own, ConflictKey key, Predicate<Publication> claims) {
        List<KeyClaim> claimed = all.stream()
                .filter(peer -> peer.publication().uid().equals(own.uid()) || claims.test(peer.publication()))
                .filter(peer -> peer.isRegistered() || !peer.publication().isDeleted())
                .map(peer -> new KeyClaim(key, holder(peer.publication()), peer.isRegistered()))
                .toList();
        if (claimed.isEmpty()) {
            return Optional.empty();
        }
        String first = Contest.of(ConflictPolicy.INCUMBENT_STAYS, claimed)
                .claims()
                .getFirst()
                .holder()
                .uid();
        return first.equals(own.uid()) ? Optional.empty() : byUid(first);
    }

    private static KeyHolder holder(Publication publication) {
        return new KeyHolder(publication.name(), publication.uid(), publication.created());
    }
}
