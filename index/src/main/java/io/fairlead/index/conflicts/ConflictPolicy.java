package io.fairlead.index.conflicts;

/** Which of several holders of one key stays. */
public enum ConflictPolicy {
    /** The first of them: whose output is live, else the older, else that with the smaller uid. */
    INCUMBENT_STAYS,
    /** None. */
    ALL_LOSE
}
