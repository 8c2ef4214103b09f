package io.fairlead.schema.managed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.Yaml;
import io.fairlead.schema.structural.SchemaTypes;
import io.fairlead.schema.structural.StructuralSchema;
import io.fairlead.schema.typed.TypedDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** An object under several managers. */
abstract class ManagedBoat {
    static final String VERSION = "example.com/v1";
    private static final ManagedType TYPE = type("""
        properties:
          spec:
            type: object
            properties:
              color: {type: string}
              size: {type: integer}
              whole: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
              parts: {type: object, additionalProperties: {type: string}}
              names: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              order: {type: array, items: {type: string}}
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [port, protocol]
                items:
                  type: object
                  properties: {port: {type: integer}, protocol: {type: string, default: TCP}, use: {type: string}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
          status: {type: object, properties: {phase: {type: string}}}
        """);
    private static final FieldSet STATUS = FieldSet.of(List.of(List.of("status")));

    final FieldManagement management =
            new FieldManagement(VERSION, version -> version.equals(VERSION) ? TYPE : null, STATUS);
    ObjectNode live = empty();
    ManagedFields managers = ManagedFields.NONE;
    private int second;

    private static ManagedType type(String schema) {
        ObjectNode tree = yaml("type: object\n" + schema);
        return StructuralSchema.of(TypedDecoder.decode(SchemaTypes.JSON_SCHEMA_PROPS, tree, "", false)
                        .tree())
                .managed();
    }

    static ObjectNode yaml(String text) {
        return (ObjectNode)
                Yaml.readDocument(text.getBytes(StandardCharsets.UTF_8)).root();
    }

    static ObjectNode empty() {
        return Json.object().put("apiVersion", VERSION).put("kind", "Boat");
    }

    static ObjectNode boat(String spec) {
        ObjectNode boat = empty();
        boat.putObject("metadata").put("name", "a");
        boat.set("spec", yaml(spec));
        return boat;
    }

    FieldManagement.Writer writer(String name) {
        return new FieldManagement.Writer(name, "", String.format("2026-01-01T00:00:%02dZ", second++ % 60));
    }

    void apply(String name, boolean force, ObjectNode configuration) {
        FieldManagement.Applied applied = management.applied(
                live,
                empty(),
                new FieldManagement.Configuration(configuration, force, Optional.empty()),
                managers,
                writer(name));
        live = applied.object();
        managers = applied.managers();
    }

    void apply(String name, String spec) {
        apply(name, false, boat(spec));
    }

    void update(String name, String spec) {
        ObjectNode now = boat(spec);
        managers = management.updated(live, now, managers, writer(name));
        live = now;
    }

    JsonNode spec() {
        return live.path("spec");
    }

    String fields(String name) {
        for (JsonNode entry : managers.write().values()) {
            if (entry.get("manager").stringValue().equals(name)) {
                return Json.text(entry.get("fieldsV1"));
            }
        }
        return "none";
    }
}
