package io.fairlead.hosted.openapi;

import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.objects.Scale;
import io.fairlead.model.GroupVersion;
import io.fairlead.schema.crd.PublishedSchema;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.Struct;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The schemas of a resource's objects and lists as components of a document (apiextensions {@code openapi/builder}). */
final class Schemas {
    static final String GROUP_VERSION_KIND = "x-kubernetes-group-version-kind";
    private static final List<String> OF_EVERY_OBJECT = List.of("apiVersion", "kind", "metadata");

    private Schemas() {}

    static String ref(String component) {
        return "#/components/schemas/" + component;
    }

    /** The component of a resource's objects: {@code com.example.v1.Widget}; for built-in kinds Kubernetes' name. */
    static String component(ResourceType type) {
        Struct goType = goType(type);
        return goType == null
                ? reversed(type.group()) + "." + type.version() + "." + type.kind()
                : GoSchemas.component(goType);
    }

    private static String reversed(String group) {
        List<String> labels = Arrays.asList(group.split("\\.", -1));
        Collections.reverse(labels);
        return String.join(".", labels);
    }

    static void addTo(ObjectNode schemas, ResourceType type) {
        Struct goType = goType(type);
        if (goType == null) {
            schemas.set(component(type), object(type));
        } else {
            ObjectNode schema = GoSchemas.addTo(schemas, goType);
            if (type.openApiSchema() != null) {
                GoSchemas.describe(schemas, schema, type.openApiSchema());
            }
            addGroupVersionKind(schema, type, type.kind());
        }
        if (type.verbs().contains("list")) {
            addListTo(schemas, type);
        }
        if (type.subresources().contains(Scale.SUBRESOURCE)) {
            addTo(schemas, Scale.OF_WORKLOADS.type());
        }
        if (type.subresources().contains(Paths.EVICTION.singular())) {
            addTo(schemas, Paths.EVICTION);
        }
    }

    private static void addListTo(ObjectNode schemas, ResourceType type) {
        ObjectNode described = list(type);
        Struct goType =
                type.custom() ? null : ApiTypes.ofKind(type.groupVersion().apiVersion(), type.listKind());
        if (goType == null) {
            schemas.set(listComponent(type), described);
        } else {
            ObjectNode schema = GoSchemas.addTo(schemas, goType);
            GoSchemas.describe(schemas, schema, described);
            ((ObjectNode) schema.at("/properties/items")).remove("x-kubernetes-list-type"); // it is never merged
            addGroupVersionKind(schema, type, type.listKind());
        }
    }

    static String listComponent(ResourceType type) {
        String component = component(type);
        return component.substring(0, component.lastIndexOf('.') + 1) + type.listKind();
    }

    /** Custom resources have none, also under the name of a built-in kind. */
    private static @Nullable Struct goType(ResourceType type) {
        return type.custom() ? null : ApiTypes.ofKind(type.groupVersion().apiVersion(), type.kind());
    }

    private static ObjectNode object(ResourceType type) {
        ObjectNode published = type.openApiSchema();
        ObjectNode schema = published == null
                ? Json.object().put("type", "object").put("x-kubernetes-preserve-unknown-fields", true)
                : published.deepCopy();
        PublishedSchema.complete(schema);
        schema.set("properties", properties(schema.get("properties")));
        addGroupVersionKind(schema, type, type.kind());
        return schema;
    }

    /** Adds the extensions by which kubectl builds strategic merge patches of lists. */
    static void addPatchKeys(ObjectNode schema, Field field) {
        if (!field.patch().strategies().isEmpty()) {
            schema.put(
                    "x-kubernetes-patch-strategy",
                    String.join(",", new TreeSet<>(field.patch().strategies())));
        }
        if (field.patch().mergeKey() != null) {
            schema.put("x-kubernetes-patch-merge-key", field.patch().mergeKey());
        }
    }

    private static ObjectNode properties(@Nullable JsonNode published) {
        ObjectNode properties = Json.object();
        addHead(
                properties,
                "ObjectMeta",
                "Standard object's metadata: what every stored object has beside its content.");
        if (published != null) {
            for (Map.Entry<String, JsonNode> property : published.properties()) {
                if (!OF_EVERY_OBJECT.contains(property.getKey())) {
                    properties.set(property.getKey(), property.getValue());
                }
            }
        }
        return properties;
    }

    private static ObjectNode list(ResourceType type) {
        ObjectNode schema = Json.object()
                .put("description", "A list of " + type.plural() + ".")
                .put("type", "object");
        schema.putArray("required").add("items");
        ObjectNode properties = schema.putObject("properties");
        addHead(properties, "ListMeta", "What every list has beside its items.");
        properties
                .putObject("items")
                .put("description", "The " + type.plural() + ".")
                .put("type", "array")
                .putObject("items")
                .put("$ref", ref(component(type)));
        addGroupVersionKind(schema, type, type.listKind());
        if (type.openApiSchema() != null && type.openApiSchema().has(PublishedSchema.SELECTABLE_FIELDS)) {
            schema.set(PublishedSchema.SELECTABLE_FIELDS, type.openApiSchema().get(PublishedSchema.SELECTABLE_FIELDS));
        }
        return schema;
    }

    private static void addHead(ObjectNode properties, String metaType, String metaDescription) {
        properties
                .putObject("apiVersion")
                .put("description", "APIVersion defines by which group and version the object is written.")
                .put("type", "string");
        properties
                .putObject("kind")
                .put("description", "The kind of the object.")
                .put("type", "string");
        properties
                .putObject("metadata")
                .put("description", metaDescription)
                .putArray("allOf")
                .addObject()
                .put("$ref", MetaSchemas.ref(metaType));
    }

    private static void addGroupVersionKind(ObjectNode schema, ResourceType type, String kind) {
        schema.putArray(GROUP_VERSION_KIND).add(groupVersionKind(type.groupVersion(), kind));
    }

    static ObjectNode groupVersionKind(GroupVersion version, String kind) {
        return Json.object().put("group", version.group()).put("kind", kind).put("version", version.version());
    }
}
