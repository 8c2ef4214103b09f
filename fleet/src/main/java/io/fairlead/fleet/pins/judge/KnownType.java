package io.fairlead.fleet.pins.judge;

import io.fairlead.index.DefinedType;

/** What is known about the type of a cluster's resource. */
public sealed interface KnownType {
    /**
     * A CRD defines it, with known digests.
     *
     * @param implementation the recorded controller; empty if there is no record
     */
    record Defined(DefinedType type, String implementation) implements KnownType {}

    /** No CRD of the cluster defines it: an API server's own kind, an aggregated API, or nothing at all. */
    record Absent(String why) implements KnownType {}

    /** A CRD defines it, but its digest could not be computed. */
    record Undigested(String why) implements KnownType {}

    /** Unknown now, perhaps not for long. */
    record Unknown(String why) implements KnownType {}
}
