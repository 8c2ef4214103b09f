package io.fairlead.hosted.representation;

import io.fairlead.hosted.ListBody;
import io.fairlead.hosted.ResourceType;
import io.fairlead.schema.json.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Objects as rows of a Table (KEP-578). Ages are those of the moment of encoding, so that its bytes are never shared.
 *
 * @param version the version of meta.k8s.io
 * @param type the type of the objects
 * @param include the part of its object that each row carries
 */
record TableForm(
        BodyFormat format,
        String contentType,
        String version,
        ResourceType type,
        List<Column> columns,
        IncludeObject include,
        InstantSource clock)
        implements Representation {
    private static final List<String> LIST_METADATA = List.of("resourceVersion", "continue", "remainingItemCount");
    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    @Override
    public String sharingKey() {
        return "";
    }

    @Override
    public ObjectNode object(ObjectNode object) {
        return event(object, true);
    }

    @Override
    public ListBody list(String apiVersion, String kind, boolean itemsNameKind) {
        return format.list(
                "meta.k8s.io/" + version,
                "Table",
                "rows",
                list -> table(MetadataOnly.typed(list), true),
                this::row,
                columns.contains(Column.CREATED_AT));
    }

    @Override
    public ObjectNode event(ObjectNode object, boolean first) {
        if (MetadataOnly.isStatus(object)) {
            return object;
        }
        ObjectNode table = table(object, first);
        table.putArray("rows").add(row(object));
        return table;
    }

    @Override
    public byte[] frame(String type, ObjectNode object) {
        return format.frame(type, object);
    }

    @Override
    public byte[] encode(ObjectNode body) {
        return format.encode(body);
    }

    private ObjectNode table(ObjectNode source, boolean withColumns) {
        ObjectNode table = Json.object().put("kind", "Table").put("apiVersion", "meta.k8s.io/" + version);
        ObjectNode metadata = table.putObject("metadata");
        for (String field : LIST_METADATA) {
            JsonNode value = source.path("metadata").path(field);
            if (!value.isMissingNode()) {
                metadata.set(field, value);
            }
        }
        if (withColumns) {
            ArrayNode definitions = table.putArray("columnDefinitions");
            columns.forEach(column -> definitions.add(column.definition()));
        } else {
            table.putNull("columnDefinitions");
        }
        return table;
    }

    private ObjectNode row(ObjectNode object) {
        ObjectNode row = Json.object();
        ArrayNode cells = row.putArray("cells");
        Instant now = clock.instant();
        for (Column column : columns) {
            cells.add(column.cell().apply(object, now));
        }
        row.set("object", rowObject(object));
        return row;
    }

    private JsonNode rowObject(ObjectNode object) {
        return switch (include) {
            case OBJECT -> named(object);
            case METADATA -> MetadataOnly.partial(object, version);
            case NONE ->
                endsInitialEvents(object)
                        ? MetadataOnly.partial(object, version)
                        : Json.nodes().nullNode();
        };
    }

    /** The object of a row has its kind, which the items of some lists do not. */
    private ObjectNode named(ObjectNode object) {
        return object.has("kind")
                ? object
                : Json.object()
                        .put("kind", type.kind())
                        .put("apiVersion", type.groupVersion().apiVersion())
                        .setAll(object);
    }

    private static boolean endsInitialEvents(ObjectNode object) {
        return object.path("metadata").path("annotations").has(INITIAL_EVENTS_END);
    }

    /** The query parameter {@code includeObject}. */
    enum IncludeObject {
        NONE,
        METADATA,
        OBJECT
    }
}
