package io.fairlead.cli.history;

import io.fairlead.index.history.WatchDecision;
import io.fairlead.index.history.WatchEvent;
import io.fairlead.index.history.WatchEventType;
import io.fairlead.model.ResourceVersion;
import io.fairlead.schema.json.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event that is behind one before it.
 *
 * @param line where it is in the recording
 * @param highWater the highest version before it
 */
record TravelledEvent(long line, WatchEvent event, ResourceVersion highWater, WatchDecision decision) {
    /** For people: {@code line 4: DELETED shop/web-0: stale delete: …}. */
    String text() {
        return "line " + line + ": " + what(event) + ": " + decision.text() + ": resourceVersion "
                + event.resourceVersion() + " is below " + highWater + ", " + meaning() + "; the guard would "
                + action();
    }

    /** For programs. */
    ObjectNode json() {
        return Json.object()
                .put("line", line)
                .put("type", type(event))
                .put("object", RecordedEvent.abbreviated(event.key()))
                .put("resourceVersion", event.resourceVersion())
                .put("highWater", highWater.digits())
                .put("kind", decision.text())
                .put("guard", action());
    }

    /** What an event is about: {@code DELETED shop/web-0}, or {@code BOOKMARK}. */
    static String what(WatchEvent event) {
        return event.key().isEmpty() ? type(event) : type(event) + " " + RecordedEvent.abbreviated(event.key());
    }

    /** As it stands in the recording. */
    private static String type(WatchEvent event) {
        return event.type() == WatchEventType.INITIAL_EVENTS_END
                ? WatchEventType.BOOKMARK.name()
                : event.type().name();
    }

    private String meaning() {
        return switch (decision) {
            case STALE_DELETE -> "a deletion with the version that the object had before";
            case REPLAYED_DELETE -> "and the watch has shown the object at a higher version already";
            case REWIND -> "an older state after newer ones";
            case STALE_BOOKMARK, STALE_INITIAL_EVENTS_END -> "from which a client would resume in the past";
            case IN_ORDER, UNGUARDED, NOT_JUDGED -> "which is in order";
        };
    }

    private String action() {
        return switch (decision.action()) {
            case FORWARD -> "forward it";
            case FORWARD_WITH_HIGH_WATER -> "forward it with resourceVersion " + highWater;
            case DROP -> "drop it";
            case EXPIRE -> "answer 410 Expired and end the watch";
        };
    }
}
