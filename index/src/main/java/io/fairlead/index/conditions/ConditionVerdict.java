package io.fairlead.index.conditions;

/** What an observation is, and whether the time that the object states fits the observed order. */
public enum ConditionVerdict {
    /** The first observation of the object by a process: what was before it is not known, so that it is no transition. */
    FIRST_SIGHT,
    /** A transition with a time later than any that was stated before. */
    STATED,
    /** A transition without a time of its own: none is stated, or still that of the status before. */
    UNSTATED,
    /** A transition whose stated time is not later than one that was stated before: by it the object's past is another. */
    TRAVELLED,
    /** The object, or its condition, is gone. */
    REMOVED
}
