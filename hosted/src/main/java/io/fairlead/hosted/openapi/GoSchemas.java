package io.fairlead.hosted.openapi;

import io.fairlead.hosted.meta.Meta;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Schemas of Go types as components of a document, each type once, under Kubernetes' names; most have no descriptions. */
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
        ObjectNode properties = Json.object();
        List<String> required = new ArrayList<>();
        for (Field field : type.fields()) {
            properties.set(field.name(), property(schemas, field));
            if (field.published().required()) {
                required.add(field.name());
            }
        }
        if (!properties.isEmpty()) {
            schema.set("properties", properties);
        }
        Meta.setStrings(schema, "required", required);
        if (type.isAtomic()) {
            schema.put("x-kubernetes-map-type", "atomic");
        }
        return schema;
    }

    private static ObjectNode property(ObjectNode schemas, Field field) {
        ObjectNode property = schema(schemas, field.type(), field.defaultValue());
        Meta.setStrings(texts(property, field.type()), "enum", field.published().values());
        addManagement(property, field);
        Schemas.addPatchKeys(property, field);
        return property;
    }

    /** The schema of the texts in a field. */
    private static ObjectNode texts(ObjectNode property, GoType type) {
        return switch (type) {
            case ListOf _ -> (ObjectNode) property.path("items");
            case MapOf _ -> (ObjectNode) property.path("additionalProperties");
            default -> property;
        };
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

    private static ObjectNode schema(ObjectNode schemas, GoType type, @Nullable JsonNode defaultValue) {
        ObjectNode schema = switch (type) {
            case Struct struct -> reference(schemas, struct);
            case ListOf list -> {
                ObjectNode array = Json.object().put("type", "array");
                array.set("items", element(schemas, list.element()));
                yield array;
            }
            case MapOf map -> {
                ObjectNode object = Json.object().put("type", "object");
                object.set("additionalProperties", element(schemas, map.element()));
                yield object;
            }
            case Scalar scalar -> LeafSchemas.of(schemas, scalar);
            case Union union -> LeafSchemas.of(schemas, union);
        };
        if (defaultValue != null) {
            schema.set("default", defaultValue);
        }
        return schema;
    }

    private static ObjectNode element(ObjectNode schemas, GoType type) {
        JsonNode zero = GoType.zero(type);
        ObjectNode schema = schema(schemas, type, zero);
        return zero == null && schema.has("allOf") ? (ObjectNode) schema.at("/allOf/0") : schema;
    }

    private static ObjectNode reference(ObjectNode schemas, Struct type) {
        String component = component(type);
        if (!schemas.has(component)) {
            addTo(schemas, type);
        }
        return referenceTo(component);
    }

    /** What may stand beside a reference needs {@code allOf}. */
    static ObjectNode referenceTo(String component) {
        ObjectNode reference = Json.object();
        reference.putArray("allOf").addObject().put("$ref", Schemas.ref(component));
        return reference;
    }

    /** Adds the descriptions of another schema of a type, in which the schemas of its parts stand in their places. */
    static void describe(ObjectNode schemas, ObjectNode schema, JsonNode described) {
        if (described.path("description").isString()) {
            schema.set("description", described.get("description"));
        }
        String reference = schema.at("/allOf/0/$ref").asString("");
        ObjectNode target = reference.isEmpty()
                ? schema
                : (ObjectNode) schemas.path(reference.substring(Schemas.ref("").length()));
        described.path("properties").forEachEntry((name, member) -> {
            if (target.path("properties").get(name) instanceof ObjectNode property) {
                describe(schemas, property, member);
            }
        });
        for (String below : List.of("items", "additionalProperties")) {
            if (target.get(below) instanceof ObjectNode element && described.has(below)) {
                describe(schemas, element, described.path(below));
            }
        }
    }

    /** {@code core/v1.PodSpec} is {@code io.k8s.api.core.v1.PodSpec}. */
    static String component(Struct type) {
        String name = type.name();
        String prefix = PREFIXES.getOrDefault(name.substring(0, name.indexOf('/')), "io.k8s.api.");
        return prefix + name.replace('/', '.');
    }
}
