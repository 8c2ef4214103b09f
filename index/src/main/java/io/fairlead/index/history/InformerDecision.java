package io.fairlead.index.history;

/** What an event is to the history of an informer, and what becomes of it. {@link InformerRules} says which is when. */
public enum InformerDecision {
    /** Nothing contradicts the order. */
    IN_ORDER(Action.APPLY),

    /** Its version, or those of the resource, cannot be ordered. */
    UNGUARDED(Action.APPLY),

    /** The cache is already as the event says. */
    KNOWN(Action.IGNORE),

    /** It has no place in the order: an error, or of an unknown type. */
    NOT_JUDGED(Action.IGNORE),

    /** A deletion with the version that the object had before. */
    STALE_DELETE(Action.APPLY),

    /** A deletion from the past of an incarnation that the cache does not have. */
    OTHER_INCARNATION(Action.IGNORE),

    /** A deletion of what the cache has at a higher version. */
    REPLAYED_DELETE(Action.RELIST),

    /** An object in a state that is older than what the informer has already seen. */
    REWIND(Action.RELIST),

    /** A bookmark from which the informer would resume in the past. */
    STALE_BOOKMARK(Action.IGNORE);

    private final Action action;

    InformerDecision(Action action) {
        this.action = action;
    }

    public Action action() {
        return action;
    }

    /** Whether the event is behind one before it. */
    public boolean isTravel() {
        return switch (this) {
            case IN_ORDER, UNGUARDED, KNOWN, NOT_JUDGED -> false;
            case STALE_DELETE, OTHER_INCARNATION, REPLAYED_DELETE, REWIND, STALE_BOOKMARK -> true;
        };
    }

    /** What becomes of an event. */
    public enum Action {
        APPLY,
        IGNORE,

        /** It is not applied, and the objects are listed again: the watch cannot be relied on. */
        RELIST
    }
}
