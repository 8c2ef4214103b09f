package io.fairlead.hosted.openapi;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Schemas of Go types as components of a document, each type once, under Kubernetes' names and without descriptions. */
final class GoSchemas {
    /** Those of the packages that are not of {@code k8s.io/api}. */
    private static final Map<String, String> PREFIXES = Map.of(
            "meta", "io.k8s.apimachinery.pkg.apis.",
            "apiextensions", "io.k8s.apiextensions-apiserver.pkg.apis.",
            "apiregistration", "io.k8s.kube-aggregator.pkg.apis.");

    private GoSchemas() {}

    /** Adds a type and all that it consists of, and returns the type's schema. */
    static ObjectNode addTo(ObjectNode schemas, Struct type) {
        ObjectNode schema = Json.object();
        schemas.set(component(type), schema);
        schema.put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (Field field : type.fields()) {
            ObjectNode property = property(schemas, field.type());
            addManagement(property, field);
            Schemas.addPatchKeys(property, field);
            properties.set(field.name(), property);
        }
        if (type.isAtomic()) {
            schema.put("x-kubernetes-map-type", "atomic");
        }
        return schema;
    }

    private static void addManagement(ObjectNode property, Field field) {
        List<String> keys = field.management().keys();
        if (field.management().associative()) {
            property.put("x-kubernetes-list-type", keys.isEmpty() ? "set" : "map");
        } else if (field.type() instanceof ListOf) {
            property.put("x-kubernetes-list-type", "atomic");
        }
        if (!keys.isEmpty()) {
            keys.forEach(property.putArray("x-kubernetes-list-map-keys")::add);
        }
        if (field.management().atomic()) {
            property.put("x-kubernetes-map-type", "atomic");
        }
    }

    private static ObjectNode property(ObjectNode schemas, GoType type) {
        return switch (type) {
            case Struct struct -> reference(schemas, struct);
            case ListOf list -> {
                ObjectNode schema = Json.object().put("type", "array");
                schema.set("items", property(schemas, list.element()));
                yield schema;
            }
            case MapOf map -> {
                ObjectNode schema = Json.object().put("type", "object");
                schema.set("additionalProperties", property(schemas, map.element()));
                yield schema;
            }
            case Scalar scalar -> scalar(scalar);
            case Union union -> Json.object();
        };
    }

    /** What may stand beside a reference needs {@code allOf}. */
    private static ObjectNode reference(ObjectNode schemas, Struct type) {
        String component = component(type);
        if (!schemas.has(component)) {
            addTo(schemas, type);
        }
        ObjectNode reference = Json.object();
        reference.putArray("allOf").addObject().put("$ref", Schemas.ref(component));
        return reference;
    }

    private static ObjectNode scalar(Scalar type) {
        ObjectNode schema = Json.object();
        return switch (type.shape()) {
            case STRING, QUANTITY -> schema.put("type", "string");
            case INT32 -> schema.put("type", "integer").put("format", "int32");
            case INT64 -> schema.put("type", "integer").put("format", "int64");
            case NUMBER -> schema.put("type", "number").put("format", "double");
            case BOOLEAN -> schema.put("type", "boolean");
            case TIME, MICRO_TIME -> schema.put("type", "string").put("format", "date-time");
            case BYTES -> schema.put("type", "string").put("format", "byte");
            case INT_OR_STRING -> schema.put("type", "string").put("format", "int-or-string");
            case ANY -> schema.put("type", "object");
        };
    }

    /** {@code core/v1.PodSpec} is {@code io.k8s.api.core.v1.PodSpec}. */
    static String component(Struct type) {
        String name = type.name();
        String prefix = PREFIXES.getOrDefault(name.substring(0, name.indexOf('/')), "io.k8s.api.");
        return prefix + name.replace('/', '.');
    }
}
