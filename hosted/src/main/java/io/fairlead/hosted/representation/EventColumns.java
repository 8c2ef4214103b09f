package io.fairlead.hosted.representation;

import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The columns of Events, in the form of the core group and in that of {@code events.k8s.io} (kubernetes {@code printEvent}). */
final class EventColumns {
    private static final String UNKNOWN = "<unknown>";

    static final List<Column> ALL = List.of(
            column("Last Seen", 0, "When it was last observed.", (event, now) -> text(lastSeen(event, now))),
            column("Type", 0, "Normal or Warning.", (event, now) -> text(of(event, "/type"))),
            column("Reason", 0, "Why, in a word.", (event, now) -> text(of(event, "/reason"))),
            column("Object", 0, "What it is about.", (event, now) -> text(target(event))),
            column(
                    "Subobject",
                    1,
                    "The part of the object that it is about.",
                    (event, now) -> text(of(event, "/involvedObject/fieldPath", "/regarding/fieldPath"))),
            column("Source", 1, "Who reports it.", (event, now) -> text(source(event))),
            column(
                    "Message",
                    0,
                    "What happened, for people.",
                    (event, now) -> text(of(event, "/message", "/note").strip())),
            column("First Seen", 1, "When it was first observed.", (event, now) -> text(firstSeen(event, now))),
            column("Count", 1, "How often it was observed.", (event, now) -> count(event)),
            new Column(
                    "Name",
                    Column.NAME.type(),
                    Column.NAME.format(),
                    Column.NAME.description(),
                    1,
                    Column.NAME.cell()));

    private EventColumns() {}

    private static Column column(
            String name, int priority, String description, BiFunction<ObjectNode, Instant, JsonNode> cell) {
        return new Column(name, "string", "", description, priority, cell);
    }

    private static String lastSeen(ObjectNode event, Instant now) {
        if (event.path("series").isObject()) {
            return since(of(event, "/series/lastObservedTime"), now);
        }
        String last = of(event, "/lastTimestamp", "/deprecatedLastTimestamp");
        return last.isEmpty() ? firstSeen(event, now) : since(last, now);
    }

    private static String firstSeen(ObjectNode event, Instant now) {
        return since(of(event, "/firstTimestamp", "/deprecatedFirstTimestamp", "/eventTime"), now);
    }

    private static String since(String time, Instant now) {
        return time.isEmpty() ? UNKNOWN : Column.sinceText(time, now);
    }

    private static String target(ObjectNode event) {
        String kind = of(event, "/involvedObject/kind", "/regarding/kind").toLowerCase(Locale.ROOT);
        String name = of(event, "/involvedObject/name", "/regarding/name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String source(ObjectNode event) {
        String component = of(
                event,
                "/source/component",
                "/deprecatedSource/component",
                "/reportingComponent",
                "/reportingController");
        String instance = of(event, "/source/host", "/deprecatedSource/host", "/reportingInstance");
        return instance.isEmpty() ? component : component + ", " + instance;
    }

    /** An event without a count was observed once. */
    private static JsonNode count(ObjectNode event) {
        if (event.path("series").isObject()) {
            return Json.nodes().numberNode(event.at("/series/count").asLong(0));
        }
        long count = event.path("count").asLong(event.path("deprecatedCount").asLong(0));
        return Json.nodes().numberNode(count == 0 ? 1 : count);
    }

    /** The first non-empty text at one of these paths. */
    private static String of(ObjectNode event, String... pointers) {
        return Stream.of(pointers)
                .map(pointer -> event.at(pointer).asString(""))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    private static JsonNode text(String text) {
        return Column.text(text);
    }
}
