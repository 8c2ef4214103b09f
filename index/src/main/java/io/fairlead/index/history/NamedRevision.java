package io.fairlead.index.history;

/** What a resourceVersion that a request names is to the histories of its cluster. {@link RewoundRevisions} says which is when. */
public enum NamedRevision {
    /** Nothing says that it is not of the present history. */
    CURRENT,

    /** The present history has not come so far: it is of one that ended. */
    ABOVE_HEAD,

    /** It may be of a history that ended a moment ago. */
    REWOUND,

    /** It may be of a history that ended, but more likely is of the present one by now. */
    REUSED;

    /** Whether a request that names it has to begin anew, with a list. */
    public boolean isExpired() {
        return this == ABOVE_HEAD || this == REWOUND;
    }
}
