package io.fairlead.fleet.exclusive;

/** Whether a write can be judged by a rule. */
enum Knowledge {
    /** It can. */
    KNOWN,
    /** The rule is not in force there, since its author may not read the objects. */
    NOT_APPLIED,
    /** Not yet. */
    UNKNOWN
}
