package io.fairlead.hosted.openapi;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.protobuf.ProtobufWriter;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * A document of OpenAPI v2 in protobuf, in the parts of v2 that {@link LegacyTree} uses (gnostic-models
 * {@code openapiv2/OpenAPIv2.proto}; the numbers are those of its fields).
 */
final class GnosticDocument {
    private static final Map<String, Integer> METHODS = Map.of("get", 2, "put", 3, "post", 4, "delete", 5, "patch", 8);
    private static final Map<String, Integer> TEXTS =
            Map.of("$ref", 1, "format", 2, "title", 3, "description", 4, "pattern", 13);
    private static final Map<String, Integer> DECIMALS = Map.of("multipleOf", 6, "maximum", 7, "minimum", 9);
    private static final Map<String, Integer> INTEGERS = Map.of(
            "maxLength", 11, "minLength", 12, "maxItems", 14, "minItems", 15, "maxProperties", 17, "minProperties", 18);
    private static final Map<String, Integer> FLAGS =
            Map.of("exclusiveMaximum", 8, "exclusiveMinimum", 10, "uniqueItems", 16);
    private static final Map<String, Integer> VALUES = Map.of("default", 5, "example", 30);

    private GnosticDocument() {}

    static byte[] write(JsonNode document) {
        ProtobufWriter out = new ProtobufWriter();
        out.text(1, document.path("swagger").asString(""));
        out.message(2, info -> {
            info.text(1, document.at("/info/title").asString(""));
            info.text(2, document.at("/info/version").asString(""));
        });
        out.message(
                8,
                paths -> document.path("paths")
                        .forEachEntry((path, item) -> paths.message(2, named -> {
                            named.text(1, path);
                            named.message(2, value -> pathItem(value, item));
                        })));
        out.message(9, definitions -> schemas(definitions, document.path("definitions")));
        return out.bytes();
    }

    private static void pathItem(ProtobufWriter out, JsonNode item) {
        METHODS.forEach((method, number) -> {
            if (item.has(method)) {
                out.message(number, value -> operation(value, item.path(method)));
            }
        });
        parameters(out, 9, item.path("parameters"));
    }

    private static void operation(ProtobufWriter out, JsonNode operation) {
        text(out, 3, operation.path("description"));
        text(out, 5, operation.path("operationId"));
        texts(out, 6, operation.path("produces"));
        texts(out, 7, operation.path("consumes"));
        parameters(out, 8, operation.path("parameters"));
        out.message(
                9,
                responses -> operation
                        .path("responses")
                        .forEachEntry((code, response) -> responses.message(1, named -> {
                            named.text(1, code);
                            named.message(2, value -> value.message(1, one -> response(one, response)));
                        })));
        extensions(out, 13, operation);
    }

    private static void response(ProtobufWriter out, JsonNode response) {
        text(out, 1, response.path("description"));
        if (response.has("schema")) {
            out.message(2, item -> item.message(1, value -> schema(value, response.path("schema"))));
        }
    }

    private static void parameters(ProtobufWriter out, int number, JsonNode parameters) {
        for (JsonNode parameter : parameters) {
            out.message(number, item -> item.message(1, value -> parameter(value, parameter)));
        }
    }

    private static void parameter(ProtobufWriter out, JsonNode parameter) {
        switch (parameter.path("in").asString("")) {
            case "body" ->
                out.message(1, body -> {
                    text(body, 2, parameter.path("name"));
                    text(body, 3, parameter.path("in"));
                    flag(body, 4, parameter.path("required"));
                    body.message(5, value -> schema(value, parameter.path("schema")));
                });
            case "query" -> out.message(2, other -> other.message(3, query -> simple(query, parameter, 6, 20)));
            case "path" -> out.message(2, other -> other.message(4, path -> simple(path, parameter, 5, 19)));
            default -> throw new IllegalArgumentException("parameter in " + parameter.path("in"));
        }
    }

    private static void simple(ProtobufWriter out, JsonNode parameter, int type, int uniqueItems) {
        flag(out, 1, parameter.path("required"));
        text(out, 2, parameter.path("in"));
        text(out, 3, parameter.path("description"));
        text(out, 4, parameter.path("name"));
        text(out, type, parameter.path("type"));
        flag(out, uniqueItems, parameter.path("uniqueItems"));
    }

    private static void schemas(ProtobufWriter out, JsonNode schemas) {
        schemas.forEachEntry((name, schema) -> out.message(1, named -> {
            named.text(1, name);
            named.message(2, value -> schema(value, schema));
        }));
    }

    private static void schema(ProtobufWriter out, JsonNode schema) {
        TEXTS.forEach((name, number) -> text(out, number, schema.path(name)));
        DECIMALS.forEach((name, number) -> {
            if (schema.path(name).isNumber()) {
                out.decimal(number, schema.path(name).doubleValue());
            }
        });
        INTEGERS.forEach((name, number) -> {
            if (schema.path(name).isNumber()) {
                out.number(number, schema.path(name).asLong(0));
            }
        });
        FLAGS.forEach((name, number) -> flag(out, number, schema.path(name)));
        VALUES.forEach((name, number) -> {
            if (schema.has(name)) {
                out.message(number, any -> any(any, schema.path(name)));
            }
        });
        texts(out, 19, schema.path("required"));
        schema.path("enum").forEach(value -> out.message(20, any -> any(any, value)));
        if (schema.has("additionalProperties")) {
            out.message(21, item -> additional(item, schema.path("additionalProperties")));
        }
        if (schema.has("type")) {
            out.message(22, type -> text(type, 1, schema.path("type")));
        }
        if (schema.has("items")) {
            out.message(23, items -> items.message(1, value -> schema(value, schema.path("items"))));
        }
        if (schema.has("properties")) {
            out.message(25, properties -> schemas(properties, schema.path("properties")));
        }
        extensions(out, 31, schema);
    }

    private static void additional(ProtobufWriter out, JsonNode additional) {
        if (additional.isBoolean()) {
            out.number(2, additional.booleanValue() ? 1 : 0);
        } else {
            out.message(1, value -> schema(value, additional));
        }
    }

    private static void extensions(ProtobufWriter out, int number, JsonNode owner) {
        owner.forEachEntry((name, value) -> {
            if (name.startsWith("x-")) {
                out.message(number, named -> {
                    named.text(1, name);
                    named.message(2, any -> any(any, value));
                });
            }
        });
    }

    /** Any value as YAML, a superset of JSON. */
    private static void any(ProtobufWriter out, JsonNode value) {
        out.text(2, Json.text(value) + "\n");
    }

    private static void text(ProtobufWriter out, int number, JsonNode text) {
        if (text.isString()) {
            out.text(number, text.stringValue());
        }
    }

    private static void texts(ProtobufWriter out, int number, JsonNode texts) {
        texts.forEach(text -> text(out, number, text));
    }

    private static void flag(ProtobufWriter out, int number, JsonNode flag) {
        if (flag.asBoolean(false)) {
            out.number(number, 1);
        }
    }
}
