package io.fairlead.schema.crd;

import io.fairlead.schema.crd.CustomResourceDefinition.Version;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.structural.StructuralSchema;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The components that stand for a custom resource in an OpenAPI v3 document (apiextensions
 * {@code controller/openapi/builder}).
 */
public final class PublishedSchema {
    private static final String META = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final String CONVENTIONS =
            "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md";
    /** The extension of a schema that names the selectable fields of its type. */
    public static final String SELECTABLE_FIELDS = "x-kubernetes-selectable-fields";

    private static final String INT_OR_STRING = "x-kubernetes-int-or-string";

    private PublishedSchema() {}

    /** The name of a kind's component: the group reversed, the version and the kind ({@code com.example.v1.Thing}). */
    public static String componentName(String group, String version, String kind) {
        List<String> parts = Arrays.asList(group.split("\\.", -1));
        Collections.reverse(parts);
        return String.join(".", parts) + "." + version + "." + kind;
    }

    /** The component of the objects: their schema with apiVersion, kind and metadata. A new tree. */
    public static ObjectNode object(CustomResourceDefinition definition, Version version) {
        StructuralSchema schema = version.schema();
        ObjectNode component = Json.object().put("type", "object");
        if (schema != null) {
            component = schema.tree().deepCopy();
            complete(component);
            ObjectNode properties = properties(component);
            addTypeMeta(properties);
            properties.set("metadata", reference("ObjectMeta", "The metadata of the object.", "metadata"));
        }
        mark(component, definition, version, definition.names().kind());
        return component;
    }

    /** The component of lists of the objects. A new tree. */
    public static ObjectNode list(CustomResourceDefinition definition, Version version) {
        String kind = definition.names().kind();
        String listKind = definition.names().listKind();
        ObjectNode component = Json.object()
                .put("description", listKind + " is a list of " + kind)
                .put("type", "object");
        component.set("required", Json.array().add("items"));
        ObjectNode properties = component.putObject("properties");
        addTypeMeta(properties);
        String name = componentName(definition.group(), version.name(), kind);
        ObjectNode items = properties.putObject("items").put("type", "array");
        items.putObject("items").put("$ref", "#/components/schemas/" + name);
        properties.set("metadata", reference("ListMeta", "The metadata of the list.", "types-kinds"));
        mark(component, definition, version, listKind);
        return component;
    }

    private static void mark(ObjectNode component, CustomResourceDefinition definition, Version version, String kind) {
        ObjectNode type =
                Json.object().put("group", definition.group()).put("kind", kind).put("version", version.name());
        component.set("x-kubernetes-group-version-kind", Json.array().add(type));
        addSelectableFields(component, version);
    }

    /** Says by which fields of its own a type can be selected (KEP-4358); nothing if there are none. */
    public static void addSelectableFields(ObjectNode component, Version version) {
        if (!version.selectableFields().isEmpty()) {
            ArrayNode fields = component.putArray(SELECTABLE_FIELDS);
            version.selectableFields()
                    .forEach(path ->
                            fields.addObject().put("fieldPath", path.startsWith(".") ? path.substring(1) : path));
        }
    }

    /** Says in plain OpenAPI what extensions of a schema mean. */
    public static void complete(ObjectNode schema) {
        unfold(schema);
        addEmbedded(schema);
    }

    /** Says in plain OpenAPI what int-or-string means, wherever it is used. */
    private static void unfold(JsonNode node) {
        if (node instanceof ObjectNode schema) {
            if (schema.path(INT_OR_STRING).asBoolean(false)) {
                unfoldIntOrString(schema);
            }
            schema.path("properties").values().forEach(PublishedSchema::unfold);
            unfold(schema.path("items"));
            unfold(schema.path("additionalProperties"));
        }
    }

    private static void unfoldIntOrString(ObjectNode schema) {
        ArrayNode either = Json.array();
        either.addObject().put("type", "integer");
        either.addObject().put("type", "string");
        JsonNode first = schema.path("allOf").path(0).path("anyOf");
        if (schema.path("anyOf").equals(either) || first.equals(either)) {
            return;
        }
        if (!schema.has("anyOf")) {
            schema.set("anyOf", either);
            return;
        }
        ArrayNode all = Json.array().add(Json.object().set("anyOf", either));
        schema.path("allOf").values().forEach(all::add);
        schema.set("allOf", all);
    }

    /** Gives embedded resources the fields that every resource has. */
    private static void addEmbedded(JsonNode node) {
        if (!(node instanceof ObjectNode schema)) {
            return;
        }
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            addEmbedded(property.getValue());
        }
        addEmbedded(schema.path("items"));
        addEmbedded(schema.path("additionalProperties"));
        if (schema.path("x-kubernetes-embedded-resource").asBoolean(false)) {
            ObjectNode properties = properties(schema);
            addTypeMeta(properties);
            properties.set("metadata", reference("ObjectMeta", "The metadata of the embedded object.", "metadata"));
            ArrayNode required =
                    schema.get("required") instanceof ArrayNode given ? given : schema.putArray("required");
            addIfMissing(required, "kind");
            addIfMissing(required, "apiVersion");
        }
    }

    private static void addIfMissing(ArrayNode required, String name) {
        if (required.valueStream().noneMatch(node -> node.asString("").equals(name))) {
            required.add(name);
        }
    }

    private static ObjectNode properties(ObjectNode schema) {
        return schema.get("properties") instanceof ObjectNode given ? given : schema.putObject("properties");
    }

    private static void addTypeMeta(ObjectNode properties) {
        properties.set("apiVersion", text("The group and version of the object. See " + CONVENTIONS + "#resources"));
        properties.set("kind", text("The kind of the object. See " + CONVENTIONS + "#types-kinds"));
    }

    private static ObjectNode text(String description) {
        return Json.object().put("description", description).put("type", "string");
    }

    private static ObjectNode reference(String name, String description, String section) {
        ObjectNode property = Json.object().put("description", description + " See " + CONVENTIONS + "#" + section);
        property.set("allOf", Json.array().add(Json.object().put("$ref", META + name)));
        return property;
    }
}
