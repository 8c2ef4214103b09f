package io.fairlead.fleet.pins.judge;

import io.fairlead.index.DefinedType;

/** What is known of the type behind a resource of a cluster. */
public sealed interface KnownType {
    /**
     * A CRD defines it, and its digests are known.
     *
     * @param implementation what acts on it, as recorded; empty if there is no record
     */
    record Defined(DefinedType type, String implementation) implements KnownType {}

    /** No CRD of the cluster defines it: an API server's own kind, an aggregated API, or nothing at all. */
    record Absent(String why) implements KnownType {}

    /** A CRD defines it of which no digest could be computed. */
    record Undigested(String why) implements KnownType {}

    /** It is not known now, which may be over soon. */
    record Unknown(String why) implements KnownType {}
}
