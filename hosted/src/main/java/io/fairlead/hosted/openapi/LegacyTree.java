package io.fairlead.hosted.openapi;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.json.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts OpenAPI v3 to v2. Omits what v2 cannot express, and what makes kubectl refuse objects that the server
 * accepts (apiextensions {@code controller/openapi/v2}).
 */
final class LegacyTree {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
    private static final List<String> UNKNOWN_TO_V2 = List.of("allOf", "oneOf", "anyOf", "not", "nullable");

    /** Known to v2, but kube-openapi ({@code handler}) leaves it out, too. */
    private static final String DEFAULT = "default";

    private static final String PRESERVING = "x-kubernetes-preserve-unknown-fields";
    private static final String GROUP_VERSION_KIND = "x-kubernetes-group-version-kind";

    private LegacyTree() {}

    static ObjectNode of(Collection<ObjectNode> documents) {
        ObjectNode tree = Json.object().put("swagger", "2.0");
        tree.putObject("info").put("title", "Fairlead").put("version", "unversioned");
        ObjectNode paths = tree.putObject("paths");
        ObjectNode definitions = tree.putObject("definitions");
        for (ObjectNode document : documents) {
            document.path("paths").forEachEntry((path, item) -> paths.set(path, pathItem(item)));
            document.at("/components/schemas")
                    .forEachEntry((name, schema) -> definitions.set(name, definition((ObjectNode) schema)));
        }
        return tree;
    }

    private static ObjectNode pathItem(JsonNode item) {
        ObjectNode converted = Json.object();
        item.forEachEntry((name, member) -> {
            if (METHODS.contains(name)) {
                converted.set(name, operation(member));
            }
        });
        converted.set("parameters", parameters(item.path("parameters")));
        return converted;
    }

    private static ObjectNode operation(JsonNode operation) {
        ObjectNode converted = Json.object();
        ArrayNode parameters = parameters(operation.path("parameters"));
        JsonNode body = operation.path("requestBody");
        if (body.isObject()) {
            converted.set("consumes", mediaTypes(body.path("content")));
            parameters.add(bodyParameter(body));
        }
        TreeSet<String> produced = new TreeSet<>();
        ObjectNode responses = Json.object();
        operation.path("responses").forEachEntry((code, response) -> {
            produced.addAll(response.path("content").propertyNames());
            responses.set(code, response(response));
        });
        Meta.setStrings(converted, "produces", List.copyOf(produced));
        converted.set("parameters", parameters);
        converted.set("responses", responses);
        operation.forEachEntry((name, value) -> {
            if (name.equals("operationId") || name.equals("description") || name.startsWith("x-")) {
                converted.set(name, value);
            }
        });
        return converted;
    }

    private static ArrayNode parameters(JsonNode parameters) {
        ArrayNode converted = Json.array();
        for (JsonNode parameter : parameters) {
            ObjectNode flat = Json.object();
            parameter.forEachEntry((name, value) -> {
                if (!name.equals("schema")) {
                    flat.set(name, value);
                }
            });
            parameter.path("schema").forEachEntry(flat::set);
            converted.add(flat);
        }
        return converted;
    }

    private static ObjectNode bodyParameter(JsonNode body) {
        ObjectNode parameter = Json.object().put("name", "body").put("in", "body");
        if (body.path("required").asBoolean(false)) {
            parameter.put("required", true);
        }
        parameter.set("schema", schemaOf(body.path("content")));
        return parameter;
    }

    private static ObjectNode response(JsonNode response) {
        ObjectNode converted = Json.object().set("description", response.path("description"));
        if (!response.path("content").isEmpty()) {
            converted.set("schema", schemaOf(response.path("content")));
        }
        return converted;
    }

    /** The schema of a content; the same for every media type. */
    private static ObjectNode schemaOf(JsonNode content) {
        return content.isEmpty()
                ? Json.object()
                : schema((ObjectNode) content.iterator().next().path("schema"));
    }

    private static ArrayNode mediaTypes(JsonNode content) {
        ArrayNode types = Json.array();
        content.propertyNames().forEach(types::add);
        return types;
    }

    private static ObjectNode definition(ObjectNode schema) {
        if (!schema.path(PRESERVING).asBoolean(false)) {
            return schema(schema);
        }
        ObjectNode open = Json.object().put("type", "object");
        if (schema.has(GROUP_VERSION_KIND)) {
            open.set(GROUP_VERSION_KIND, schema.get(GROUP_VERSION_KIND));
        }
        return open;
    }

    private static ObjectNode schema(ObjectNode schema) {
        ObjectNode converted = Json.object().setAll(schema);
        JsonNode only = schema.path("allOf").size() == 1 ? schema.at("/allOf/0/$ref") : schema.path("$ref");
        if (isTextOrNumber(converted)) {
            converted.put("type", "string");
        }
        converted.remove(UNKNOWN_TO_V2);
        converted.remove(DEFAULT);
        if (only.isString()) {
            converted.put("$ref", only.stringValue().replace("#/components/schemas/", "#/definitions/"));
        }
        boolean nullable = schema.path("nullable").asBoolean(false);
        boolean open = schema.path(PRESERVING).asBoolean(false);
        if (nullable || open) {
            converted.remove(List.of("items", "properties"));
        }
        if (nullable || isUnreadable(converted, open)) {
            converted.remove("type");
        }
        convertBelow(converted);
        return converted;
    }

    /** A quantity or int-or-string, of whose types v2 can say one. */
    private static boolean isTextOrNumber(ObjectNode schema) {
        JsonNode types = schema.path("oneOf");
        return types.size() == 2
                && types.valueStream().allMatch(type -> type.size() == 1 && type.has("type"))
                && !schema.has("type");
    }

    /** kubectl cannot handle an array without items or an object with unknown fields. */
    private static boolean isUnreadable(ObjectNode schema, boolean open) {
        return switch (schema.path("type").asString("")) {
            case "array" -> !schema.has("items");
            case "object" -> open;
            default -> false;
        };
    }

    private static void convertBelow(ObjectNode schema) {
        if (schema.get("properties") instanceof ObjectNode properties) {
            requireNoNullable(schema, properties);
            ObjectNode converted = Json.object();
            for (Map.Entry<String, JsonNode> property : properties.properties()) {
                converted.set(property.getKey(), schema((ObjectNode) property.getValue()));
            }
            schema.set("properties", converted);
        }
        for (String below : List.of("items", "additionalProperties")) {
            if (schema.get(below) instanceof ObjectNode nested) {
                schema.set(below, schema(nested));
            }
        }
    }

    private static void requireNoNullable(ObjectNode schema, ObjectNode properties) {
        List<String> required = Meta.strings(schema.path("required")).stream()
                .filter(name -> !properties.path(name).path("nullable").asBoolean(false))
                .toList();
        Meta.setStrings(schema, "required", required);
    }
}
