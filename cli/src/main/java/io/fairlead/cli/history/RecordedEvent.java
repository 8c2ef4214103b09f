package io.fairlead.cli.history;

import io.fairlead.index.history.WatchEvent;
import io.fairlead.index.history.WatchEventType;
import io.fairlead.model.ResourceVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A line of a recorded watch, as the API server sends it: {@code {"type": …, "object": …}} (meta/v1 {@code WatchEvent}). */
sealed interface RecordedEvent {
    /**
     * An event whose place in the order can be judged.
     *
     * @param versions its object, or the rows of its Table
     */
    record Known(WatchEventType type, List<WatchEvent> versions) implements RecordedEvent {
        public Known {
            versions = List.copyOf(versions);
        }
    }

    /**
     * JSON that is no event of a watch.
     *
     * @param problem what is missing, and what was expected
     */
    record Unknown(String problem) implements RecordedEvent {}

    /** What a line holds; of members that it has twice the last counts, as for clients in Go. */
    static RecordedEvent of(JsonNode line) {
        String name = line.path("type").stringValue("");
        JsonNode object = line.path("object");
        WatchEventType type = WatchEventType.of(name, endsInitialEvents(object));
        if (name.isEmpty()) {
            return new Unknown("no type (expected an event: {\"type\": …, \"object\": …})");
        }
        if (type == WatchEventType.UNKNOWN) {
            return new Unknown("unknown type \"" + abbreviated(name)
                    + "\" (expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR)");
        }
        if (!object.isObject()) {
            return new Unknown("the " + name + " event has no object");
        }
        return new Known(type, isTable(object) ? rows(type, object) : List.of(event(type, object)));
    }

    /** A text of the recording, short enough for a message. */
    static String abbreviated(String text) {
        return text.length() <= ResourceVersion.DIGITS_MAX ? text : text.substring(0, ResourceVersion.DIGITS_MAX) + "…";
    }

    private static boolean endsInitialEvents(JsonNode object) {
        return isTable(object)
                ? object.path("rows").values().stream().anyMatch(row -> hasEndMark(row.path("object")))
                : hasEndMark(object);
    }

    private static boolean hasEndMark(JsonNode object) {
        return object.path("metadata").path("annotations").has("k8s.io/initial-events-end");
    }

    /** The form of objects for printing, whose rows have the objects (meta/v1 {@code Table}). */
    private static boolean isTable(JsonNode object) {
        return object.path("kind").stringValue("").equals("Table")
                && object.path("apiVersion").stringValue("").startsWith("meta.k8s.io/");
    }

    /**
     * The objects of a Table, and the Table itself if its version is another one: clients resume from that. They are one
     * event, so their order says nothing, and they are judged from the lowest version on.
     */
    private static List<WatchEvent> rows(WatchEventType type, JsonNode table) {
        List<WatchEvent> versions = new ArrayList<>();
        for (JsonNode row : table.path("rows").values()) {
            if (row.path("object").isObject()) {
                versions.add(event(type, row.path("object")));
            }
        }
        WatchEvent whole = new WatchEvent(type, "", version(table));
        if (versions.isEmpty() || (!whole.resourceVersion().isEmpty() && !hasVersion(versions, whole))) {
            versions.add(whole);
        }
        versions.sort(Comparator.comparing(RecordedEvent::order, Comparator.nullsFirst(Comparator.naturalOrder())));
        return versions;
    }

    private static boolean hasVersion(List<WatchEvent> versions, WatchEvent whole) {
        return versions.stream().anyMatch(each -> each.resourceVersion().equals(whole.resourceVersion()));
    }

    private static @Nullable ResourceVersion order(WatchEvent event) {
        return event.isComparable() ? new ResourceVersion(event.resourceVersion()) : null;
    }

    private static WatchEvent event(WatchEventType type, JsonNode object) {
        String name = object.path("metadata").path("name").stringValue("");
        String namespace = object.path("metadata").path("namespace").stringValue("");
        return new WatchEvent(type, namespace.isEmpty() ? name : namespace + "/" + name, version(object));
    }

    private static String version(JsonNode object) {
        return object.path("metadata").path("resourceVersion").stringValue("");
    }
}
