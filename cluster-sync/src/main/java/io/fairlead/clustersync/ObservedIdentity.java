package io.fairlead.clustersync;

import io.fairlead.clustersync.source.Finding;
import io.fairlead.clustersync.source.Findings;
import java.util.Optional;

/**
 * Which cluster the endpoints of a registration lead to.
 *
 * @param fingerprint what was last read of it; it stands until something else is read, or the endpoints prove to be
 *     Fairlead's own
 * @param order counts readings of all clusters by when they began; 0 before the first
 * @param verified whether the last reading identified the cluster, and why not
 */
public record ObservedIdentity(Optional<ClusterFingerprint> fingerprint, long order, Finding verified) {
    /** The reason for endpoints that lead back to Fairlead. */
    public static final String SELF = "Self";

    /** The reason before the first answer, and before that of other endpoints. */
    public static final String PENDING = "Pending";

    /** Before the first reading. */
    public static final ObservedIdentity NOT_READ =
            new ObservedIdentity(Optional.empty(), 0, Finding.unknown(PENDING, "the cluster was not asked yet"));

    /** Whether the endpoints lead back to Fairlead. */
    public boolean isSelf() {
        return verified.reason().equals(SELF);
    }

    /** Whether the credential may not read it, so that the endpoints may lead to another cluster than the fingerprint's. */
    public boolean isForbidden() {
        return verified.reason().equals(Findings.FORBIDDEN);
    }

    /** Whether no answer has come yet, of what kind ever. */
    public boolean isPending() {
        return verified.reason().equals(PENDING);
    }

    ObservedIdentity again() {
        return new ObservedIdentity(fingerprint, order, NOT_READ.verified());
    }
}
