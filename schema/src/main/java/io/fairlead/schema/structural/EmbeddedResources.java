package io.fairlead.schema.structural;

import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.meta.MetadataTypes;
import io.fairlead.schema.meta.NameRule;
import io.fairlead.schema.meta.Names;
import io.fairlead.schema.meta.ObjectMetadata;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The apiVersion, kind and metadata of an object and of the objects in it ({@code schema/objectmeta}). */
final class EmbeddedResources {
    private final boolean dropInvalid;
    private final List<String> unknownFields = new ArrayList<>();
    private final FieldErrors errors = new FieldErrors();

    private EmbeddedResources(boolean dropInvalid) {
        this.dropInvalid = dropInvalid;
    }

    /** What coercing found: the paths of unknown metadata fields, sorted, and the problems of malformed ones. */
    record Coerced(List<String> unknownFields, FieldErrors errors) {}

    /**
     * Decodes all metadata in place: unknown fields are dropped and reported, malformed ones are problems, or dropped
     * too.
     */
    static Coerced coerce(JsonNode object, JsonSchema schema, FieldPath path, boolean dropInvalid) {
        EmbeddedResources coercion = new EmbeddedResources(dropInvalid);
        coercion.coerce(object, schema, path);
        Collections.sort(coercion.unknownFields);
        return new Coerced(coercion.unknownFields, coercion.errors);
    }

    private void coerce(JsonNode node, @Nullable JsonSchema schema, FieldPath path) {
        if (schema == null) {
            return;
        }
        switch (node) {
            case ObjectNode object -> coerceObject(object, schema, path);
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    coerce(array.get(i), schema.items, path.index(i));
                }
            }
            default -> {}
        }
    }

    private void coerceObject(ObjectNode object, JsonSchema schema, FieldPath path) {
        if (schema.embeddedResource) {
            coerceString(object, "apiVersion", path);
            coerceString(object, "kind", path);
            coerceMetadata(object, path.child("metadata"));
        }
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            JsonSchema property = schema.properties.get(member.getKey());
            if (property != null) {
                coerce(member.getValue(), property, path.child(member.getKey()));
            } else if (schema.additionalProperties.given()) {
                coerce(member.getValue(), schema.additionalProperties.schema(), path.key(member.getKey()));
            }
        }
    }

    private void coerceString(ObjectNode object, String name, FieldPath path) {
        JsonNode value = object.get(name);
        if (value == null || value.isString()) {
            return;
        }
        if (dropInvalid) {
            object.remove(name);
        } else {
            errors.invalid(path.child(name), value, "must be a string");
        }
    }

    private void coerceMetadata(ObjectNode object, FieldPath path) {
        JsonNode metadata = object.get("metadata");
        if (metadata == null) {
            return;
        }
        if (dropInvalid && !metadata.isObject() && !metadata.isNull()) {
            return;
        }
        TypedDecoder.Decoded decoded = MetadataTypes.decode(metadata, path, dropInvalid);
        unknownFields.addAll(decoded.unknownFields());
        if (decoded.problem() == null) {
            object.set("metadata", decoded.tree());
        } else {
            errors.invalid(path, metadata, decoded.problem());
        }
    }

    /** Checks the objects in an object: apiVersion and kind must be there and well-formed, metadata keep its rules. */
    static void check(JsonNode node, @Nullable JsonSchema schema, FieldPath path, FieldErrors errors) {
        if (schema == null) {
            return;
        }
        switch (node) {
            case ObjectNode object -> checkObject(object, schema, path, errors);
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    check(array.get(i), schema.items, path.index(i), errors);
                }
            }
            default -> {}
        }
    }

    private static void checkObject(ObjectNode object, JsonSchema schema, FieldPath path, FieldErrors errors) {
        if (schema.embeddedResource) {
            checkResource(object, path, errors);
        }
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            JsonSchema property = schema.properties.get(member.getKey());
            if (property != null) {
                check(member.getValue(), property, path.child(member.getKey()), errors);
            } else if (schema.additionalProperties.given()) {
                check(member.getValue(), schema.additionalProperties.schema(), path.key(member.getKey()), errors);
            }
        }
    }

    private static void checkResource(ObjectNode object, FieldPath path, FieldErrors errors) {
        if (isText(object, "apiVersion", path, errors)) {
            checkApiVersion(object.get("apiVersion").stringValue(), path.child("apiVersion"), errors);
        }
        if (isText(object, "kind", path, errors)) {
            checkKind(object.get("kind").stringValue(), path.child("kind"), errors);
        }
        if (object.has("metadata")) {
            checkMetadata(object.get("metadata"), path.child("metadata"), errors);
        }
    }

    private static boolean isText(ObjectNode object, String name, FieldPath path, FieldErrors errors) {
        JsonNode value = object.get(name);
        if (value == null) {
            errors.required(path.child(name), "");
        } else if (!value.isString()) {
            errors.invalid(path.child(name), value, "must be a string");
        } else if (value.stringValue().isEmpty()) {
            errors.invalid(path.child(name), "", "must not be empty");
        } else {
            return true;
        }
        return false;
    }

    private static void checkApiVersion(String apiVersion, FieldPath path, FieldErrors errors) {
        if (apiVersion.split("/", -1).length > 2) {
            errors.invalid(path, apiVersion, "unexpected GroupVersion string: " + apiVersion);
        }
    }

    private static void checkKind(String kind, FieldPath path, FieldErrors errors) {
        List<String> problems = Names.dns1035Label(kind.toLowerCase(Locale.ROOT));
        if (!problems.isEmpty()) {
            errors.invalid(
                    path, kind, "may have mixed case, but should otherwise match: " + String.join(",", problems));
        }
    }

    private static void checkMetadata(JsonNode metadata, FieldPath path, FieldErrors errors) {
        TypedDecoder.Decoded decoded = MetadataTypes.decode(metadata, path, false);
        if (decoded.problem() != null) {
            errors.invalid(path, metadata, decoded.problem());
            return;
        }
        ObjectNode named = decoded.tree();
        if (!named.has("name")) {
            named.put("name", "fakename");
        }
        errors.addAll(ObjectMetadata.forCreate(named, named.has("namespace"), NameRule.PATH_SEGMENT, path));
    }
}
