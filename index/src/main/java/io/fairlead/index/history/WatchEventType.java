package io.fairlead.index.history;

/** What an event of a watch reports (apimachinery {@code pkg/watch}, {@code EventType}). */
public enum WatchEventType {
    ADDED,
    MODIFIED,
    DELETED,

    /** A resourceVersion up to which the client has seen everything (KEP-956). */
    BOOKMARK,

    /** A bookmark with the annotation {@code k8s.io/initial-events-end}: the initial objects are complete (KEP-3157). */
    INITIAL_EVENTS_END,

    /** A {@code Status}; the watch ends after it. */
    ERROR,

    /** A type that Kubernetes does not define. */
    UNKNOWN;

    /**
     * The type that an event names.
     *
     * @param type the event's member {@code type}
     * @param endsInitialEvents whether its object has the annotation {@code k8s.io/initial-events-end}, which counts on a
     *     bookmark only
     */
    public static WatchEventType of(String type, boolean endsInitialEvents) {
        return switch (type) {
            case "ADDED" -> ADDED;
            case "MODIFIED" -> MODIFIED;
            case "DELETED" -> DELETED;
            case "BOOKMARK" -> endsInitialEvents ? INITIAL_EVENTS_END : BOOKMARK;
            case "ERROR" -> ERROR;
            default -> UNKNOWN;
        };
    }

    /** Whether the event's object has a resourceVersion that says where the stream is. */
    boolean isOrdered() {
        return this != ERROR && this != UNKNOWN;
    }

    /** Whether the event is about one object, so that its version is that object's. */
    boolean isOfAnObject() {
        return this == ADDED || this == MODIFIED || this == DELETED;
    }
}
