package io.fairlead.fleet.conflicts;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.index.conflicts.Standing;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * What becomes of a registration of an attached cluster by what its endpoints lead to.
 *
 * @param record what is kept of it
 * @param standing whether it stays with its cluster
 * @param since since when each of its conflicts is, by key
 * @param verified the condition {@code IdentityVerified}
 * @param conflict the condition {@code Conflict}
 * @param cause why it is refused or held up, for programs; empty if it is not
 */
public record IdentityVerdict(
        IdentityRecord record,
        Standing standing,
        Map<String, Instant> since,
        Finding verified,
        Finding conflict,
        String cause) {
    /** Another registration of the cluster stays. */
    static final String CONFLICT = "ClusterIdentityConflict";

    /** The endpoints lead back to Fairlead. */
    static final String SELF = "ClusterIdentitySelf";

    /** The endpoints lead to another cluster than before. */
    static final String MOVED = "ClusterIdentityMoved";

    /** The endpoints have not answered yet. */
    static final String PENDING = "ClusterIdentityPending";

    public IdentityVerdict {
        since = Map.copyOf(since);
    }

    /** Whether nothing of the cluster may be served. */
    public boolean isWithheld() {
        return cause.equals(CONFLICT) || cause.equals(SELF);
    }

    /** Whether requests that may change something wait until a person has confirmed that the cluster is the right one. */
    public boolean holdsWrites() {
        return cause.equals(MOVED);
    }

    /** The uid of namespace kube-system before a restart, or of now; empty if it is not known. */
    public String uid() {
        return record.uid();
    }

    /** What keeps the cluster from being Ready, if anything does. */
    public Optional<Finding> objection() {
        return switch (cause) {
            case "" -> Optional.empty();
            case PENDING -> Optional.of(Finding.unknown("IdentityPending", verified.message()));
            case CONFLICT -> Optional.of(Finding.no(CONFLICT, conflict.message()));
            default -> Optional.of(Finding.no(cause, verified.message()));
        };
    }

    /** Adds what is known of it to a status. */
    public void write(ObjectNode status) {
        record.write(status);
        ConflictDocument.write(status, standing, since);
    }
}
