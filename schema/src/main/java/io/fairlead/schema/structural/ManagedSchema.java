package io.fairlead.schema.structural;

import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.managed.UnknownType;
import io.fairlead.schema.meta.MetadataTypes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A schema as what can be managed: {@code x-kubernetes-list-type}, {@code -list-map-keys} and {@code -map-type} decide
 * (kube-openapi {@code schemaconv/openapi.go}). A view: it takes no memory beyond a request.
 *
 * @param schema the schema
 * @param preserving whether it or one around it preserves unknown fields
 */
record ManagedSchema(JsonSchema schema, boolean preserving)
        implements ManagedType, ManagedType.Members, ManagedType.Items {
    /** The type of the objects of a resource. */
    static ManagedType ofResource(JsonSchema resource) {
        return of(resource, false);
    }

    private static ManagedType of(JsonSchema schema, boolean preserving) {
        return new ManagedSchema(schema, preserving || schema.preserveUnknownFields);
    }

    @Override
    public @Nullable Scalar scalar() {
        return switch (schema.type) {
            case "", "object" -> schema.type.isEmpty() ? Scalar.ANY : null;
            case "array" -> null;
            case "integer", "number" -> Scalar.NUMBER;
            case "boolean" -> Scalar.BOOLEAN;
            case "string" -> schema.format.isEmpty() || schema.format.equals("byte") ? Scalar.STRING : Scalar.ANY;
            default -> Scalar.ANY;
        };
    }

    @Override
    public @Nullable Items items() {
        return schema.type.isEmpty() || schema.type.equals("array") ? this : null;
    }

    @Override
    public @Nullable Members members() {
        return schema.type.isEmpty() || schema.type.equals("object") ? this : null;
    }

    @Override
    public @Nullable JsonNode defaultValue() {
        return schema.defaultValue;
    }

    @Override
    public @Nullable ManagedType declared(String name) {
        if (schema.embeddedResource && name.equals("metadata")) {
            return MetadataTypes.OBJECT_META_MANAGED;
        }
        JsonSchema property = schema.properties.get(name);
        if (property == null && schema.embeddedResource && (name.equals("apiVersion") || name.equals("kind"))) {
            return new ManagedSchema(JsonSchema.EMPTY, false);
        }
        return property == null ? null : of(property, preserving);
    }

    @Override
    public @Nullable ManagedType others() {
        JsonSchema.Additional additional = schema.additionalProperties;
        if (additional.schema() != null) {
            return of(additional.schema(), preserving);
        }
        boolean any = additional.given() ? additional.allowed() : preserving || schema.properties.isEmpty();
        return any && !(schema.embeddedResource && !preserving) ? UnknownType.DEDUCED : null;
    }

    @Override
    public boolean atomic() {
        return schema.mapType.equals("atomic");
    }

    @Override
    public boolean deduced() {
        return schema.properties.isEmpty() && !schema.embeddedResource && others() == UnknownType.DEDUCED;
    }

    @Override
    public ManagedType type() {
        return schema.items == null ? UnknownType.ATOMIC : of(schema.items, preserving);
    }

    @Override
    public boolean associative() {
        return schema.listType.equals("set") || schema.listType.equals("map");
    }

    @Override
    public List<String> keys() {
        return schema.listType.equals("map") ? schema.listMapKeys : List.of();
    }
}
