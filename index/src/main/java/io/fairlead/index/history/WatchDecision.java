package io.fairlead.index.history;

import java.util.Locale;

/** What an event is to the history of its watch, and what becomes of it. {@link WatchRules} says which is when. */
public enum WatchDecision {
    /** Nothing contradicts the order. */
    IN_ORDER(Action.FORWARD),

    /** Its version, or those of its watch, cannot be ordered. */
    UNGUARDED(Action.FORWARD),

    /** It has no place in the order: an error, or of an unknown type. */
    NOT_JUDGED(Action.FORWARD),

    /** A deletion with the version that the object had before, from which a client would resume in the past. */
    STALE_DELETE(Action.FORWARD_WITH_HIGH_WATER),

    /** A deletion of what this watch has already shown at a higher version. */
    REPLAYED_DELETE(Action.EXPIRE),

    /** An object in a state that is older than what this watch has already shown. */
    REWIND(Action.EXPIRE),

    /** A bookmark from which a client would resume in the past. */
    STALE_BOOKMARK(Action.DROP),

    /** The same with the end of the initial events, for which clients wait. */
    STALE_INITIAL_EVENTS_END(Action.FORWARD_WITH_HIGH_WATER);

    private final Action action;

    WatchDecision(Action action) {
        this.action = action;
    }

    public Action action() {
        return action;
    }

    /** For people: {@code stale delete}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** Whether the event is behind one before it. */
    public boolean isTravel() {
        return switch (this) {
            case IN_ORDER, UNGUARDED, NOT_JUDGED -> false;
            case STALE_DELETE, REPLAYED_DELETE, REWIND, STALE_BOOKMARK, STALE_INITIAL_EVENTS_END -> true;
        };
    }

    /** What becomes of an event. */
    public enum Action {
        FORWARD,

        /** It is forwarded with the high water mark as its object's resourceVersion. */
        FORWARD_WITH_HIGH_WATER,

        /** The client never sees it. */
        DROP,

        /** In its place the client gets ERROR with 410 {@code Expired}, and the watch ends: the client lists again. */
        EXPIRE
    }
}
