package io.fairlead.hosted.kinds;

import io.fairlead.schema.json.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts between the two forms of an Event: that of the core group, in which it is stored, and that of
 * {@code events.k8s.io}: the same fields under other names (kubernetes {@code apis/events/v1/conversion.go}).
 */
public final class EventForms implements KindForms {
    /** The only ones. */
    public static final KindForms INSTANCE = new EventForms();

    private static final String EVENTS_API = "events.k8s.io/v1";

    /** The fields of the core form in their order, with their names in the other form. */
    private static final List<Field> CORE = List.of(
            same("kind"),
            same("apiVersion"),
            same("metadata"),
            new Field("involvedObject", "regarding"),
            same("reason"),
            new Field("message", "note"),
            new Field("source", "deprecatedSource"),
            new Field("firstTimestamp", "deprecatedFirstTimestamp"),
            new Field("lastTimestamp", "deprecatedLastTimestamp"),
            new Field("count", "deprecatedCount"),
            same("type"),
            same("eventTime"),
            same("series"),
            same("action"),
            same("related"),
            new Field("reportingComponent", "reportingController"),
            same("reportingInstance"));

    /** The fields of the newer form in their order. */
    private static final List<String> NEWER = List.of(
            "kind",
            "apiVersion",
            "metadata",
            "eventTime",
            "series",
            "reportingController",
            "reportingInstance",
            "action",
            "reason",
            "regarding",
            "related",
            "note",
            "type",
            "deprecatedSource",
            "deprecatedFirstTimestamp",
            "deprecatedLastTimestamp",
            "deprecatedCount");

    private static final Map<String, String> CORE_NAMES =
            CORE.stream().collect(Collectors.toMap(Field::newer, Field::core));

    /** Only the core form has these when empty. */
    private static final List<String> KEPT_IN_CORE = List.of("reportingComponent", "reportingInstance");

    private EventForms() {}

    private record Field(String core, String newer) {}

    private static Field same(String name) {
        return new Field(name, name);
    }

    @Override
    public boolean knows(String apiVersion) {
        return apiVersion.equals(EVENTS_API);
    }

    @Override
    public ObjectNode judged(ObjectNode event) {
        return core(event);
    }

    @Override
    public ObjectNode in(ObjectNode event, String apiVersion) {
        return isNewer(event) ? event.deepCopy() : newer(event);
    }

    private static boolean isNewer(ObjectNode event) {
        return event.path("apiVersion").asString("").equals(EVENTS_API);
    }

    /** An event in the core form; a new tree. */
    private static ObjectNode core(ObjectNode event) {
        if (!isNewer(event)) {
            return event.deepCopy();
        }
        ObjectNode core = Json.object();
        for (Field field : CORE) {
            JsonNode value = event.get(field.newer());
            if (value != null) {
                core.set(field.core(), value.deepCopy());
            } else if (KEPT_IN_CORE.contains(field.core())) {
                core.put(field.core(), "");
            }
        }
        return core.put("apiVersion", "v1");
    }

    /** An event of the core form in the newer one; a new tree. */
    private static ObjectNode newer(ObjectNode core) {
        ObjectNode event = Json.object();
        for (String name : NEWER) {
            String coreName = CORE_NAMES.getOrDefault(name, name);
            JsonNode value = core.get(coreName);
            boolean empty = KEPT_IN_CORE.contains(coreName)
                    && value != null
                    && value.asString("").isEmpty();
            if (value != null && !empty) {
                event.set(name, value.deepCopy());
            }
        }
        return event.put("apiVersion", EVENTS_API);
    }
}
