package io.fairlead.index;

/** The type of a server of a group/version. Each feed of a cluster delivers the holders of one or more types. */
public enum HolderType {
    /** The API server itself. */
    BUILT_IN,
    /** A CustomResourceDefinition. */
    CRD,
    /** An APIService with a service reference, which routes its whole group/version. */
    API_SERVICE,
    /** An API that Fairlead publishes into the cluster, which routes its whole group/version. */
    PUBLICATION;

    /** Whether every resource of the group/version goes to this holder, whatever its name. */
    boolean routes() {
        return this == API_SERVICE || this == PUBLICATION;
    }
}
