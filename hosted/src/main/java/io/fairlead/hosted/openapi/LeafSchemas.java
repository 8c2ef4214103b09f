package io.fairlead.hosted.openapi;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.Scalar;
import tools.jackson.databind.node.ObjectNode;

/** Schemas of values without fields: in place if JSON has such a type, else a component of the Go type's name. */
final class LeafSchemas {
    private static final String MACHINERY = "io.k8s.apimachinery.pkg.";
    private static final String META = MACHINERY + "apis.meta.";
    private static final String EXTENSIONS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.";

    private LeafSchemas() {}

    static ObjectNode of(ObjectNode schemas, GoType.Union type) {
        return component(schemas, EXTENSIONS + type.goName(), Json.object());
    }

    static ObjectNode of(ObjectNode schemas, Scalar type) {
        ObjectNode schema = Json.object();
        return switch (type.shape()) {
            case STRING -> schema.put("type", "string");
            case INT32 -> schema.put("type", "integer").put("format", "int32");
            case INT64 -> schema.put("type", "integer").put("format", "int64");
            case NUMBER -> schema.put("type", "number").put("format", "double");
            case BOOLEAN -> schema.put("type", "boolean");
            case BYTES -> schema.put("type", "string").put("format", "byte");
            case TIME, MICRO_TIME ->
                component(
                        schemas,
                        META + type.goName(),
                        schema.put("type", "string").put("format", "date-time"));
            case QUANTITY -> component(schemas, MACHINERY + "api." + type.goName(), oneOf(schema, "string", "number"));
            case INT_OR_STRING ->
                component(
                        schemas,
                        MACHINERY + "util." + type.goName(),
                        oneOf(schema.put("format", "int-or-string"), "integer", "string"));
            case ANY -> any(schemas, type.goName());
        };
    }

    private static ObjectNode any(ObjectNode schemas, String goName) {
        return switch (goName) {
            case "v1.JSON" -> component(schemas, EXTENSIONS + goName, Json.object());
            case "v1.FieldsV1" ->
                component(schemas, META + goName, Json.object().put("type", "object"));
            default -> component(schemas, MACHINERY + goName, Json.object().put("type", "object"));
        };
    }

    private static ObjectNode oneOf(ObjectNode schema, String one, String other) {
        schema.putArray("oneOf").addObject().put("type", one);
        schema.withArray("oneOf").addObject().put("type", other);
        return schema;
    }

    private static ObjectNode component(ObjectNode schemas, String name, ObjectNode schema) {
        if (!schemas.has(name)) {
            schemas.set(name, schema);
        }
        return GoSchemas.referenceTo(name);
    }
}
