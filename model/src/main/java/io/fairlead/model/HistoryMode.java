package io.fairlead.model;

/** What becomes of an event by which a watch goes back in time. */
public enum HistoryMode {
    /** It is rewritten, left out, or ends the watch. */
    ENFORCE,

    /** It is counted and forwarded. */
    OBSERVE,

    /** Events are not read. */
    OFF
}
