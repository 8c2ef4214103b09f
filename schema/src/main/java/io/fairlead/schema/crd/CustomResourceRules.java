package io.fairlead.schema.crd;

import io.fairlead.schema.crd.CustomResourceDefinition.Scale;
import io.fairlead.schema.crd.CustomResourceDefinition.Version;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.NameRule;
import io.fairlead.schema.meta.ObjectMetadata;
import io.fairlead.schema.structural.StructuralSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an object of a custom resource may be (apiextensions {@code registry/customresource}): metadata, values, replicas,
 * embedded resources, keys of lists, in this order.
 *
 * <p>Objects are given as {@link StructuralSchema#read} left them.
 */
public final class CustomResourceRules {
    private static final FieldPath METADATA = FieldPath.of("metadata");

    private final CustomResourceDefinition definition;
    private final Version version;

    public CustomResourceRules(CustomResourceDefinition definition, Version version) {
        this.definition = definition;
        this.version = version;
    }

    /** The rules for a new object, whose name has been generated if it was to be. */
    public FieldErrors forCreate(ObjectNode object) {
        FieldErrors errors = typeMeta(object);
        if (errors.isEmpty()) {
            errors.addAll(ObjectMetadata.forCreate(
                    object.path("metadata"), definition.isNamespaced(), NameRule.DNS_SUBDOMAIN, METADATA));
            values(object, null, errors);
        }
        return errors;
    }

    /** The rules for an object that replaces {@code old}. */
    public FieldErrors forUpdate(ObjectNode object, ObjectNode old) {
        FieldErrors errors = typeMeta(object);
        if (errors.isEmpty()) {
            errors.addAll(ObjectMetadata.forUpdate(object.path("metadata"), old.path("metadata"), METADATA));
            values(object, old, errors);
        }
        return errors;
    }

    /** The rules for an object of which only the status replaces that of {@code old}. */
    public FieldErrors forStatusUpdate(ObjectNode object, ObjectNode old) {
        FieldErrors errors = typeMeta(object);
        if (errors.isEmpty()) {
            errors.addAll(ObjectMetadata.forUpdate(object.path("metadata"), old.path("metadata"), METADATA));
            StructuralSchema schema = version.schema();
            if (schema != null) {
                schema.statusValues(object, old, errors);
            }
            statusReplicas(object, errors);
            if (schema != null) {
                schema.structure(object, old, errors);
                schema.rules(object, old, errors);
            }
        }
        return errors;
    }

    private void values(ObjectNode object, @Nullable ObjectNode old, FieldErrors errors) {
        StructuralSchema schema = version.schema();
        if (schema != null) {
            schema.values(object, old, errors);
        }
        Scale scale = version.scale();
        if (scale != null) {
            replicas(object, scale.specReplicasPath(), errors);
        }
        statusReplicas(object, errors);
        if (schema != null) {
            schema.structure(object, old, errors);
            schema.rules(object, old, errors);
        }
    }

    private FieldErrors typeMeta(ObjectNode object) {
        FieldErrors errors = new FieldErrors();
        mustBe(object, "kind", definition.names().kind(), errors);
        mustBe(object, "apiVersion", definition.group() + "/" + version.name(), errors);
        return errors;
    }

    private static void mustBe(ObjectNode object, String name, String expected, FieldErrors errors) {
        String actual = object.path(name).asString("");
        if (!actual.equals(expected)) {
            errors.invalid(FieldPath.of(name), actual, "must be " + expected);
        }
    }

    private void statusReplicas(ObjectNode object, FieldErrors errors) {
        Scale scale = version.scale();
        if (scale == null) {
            return;
        }
        replicas(object, scale.statusReplicasPath(), errors);
        JsonNode selector = at(object, scale.labelSelectorPath());
        if (!scale.labelSelectorPath().isEmpty() && !selector.isMissingNode() && !selector.isString()) {
            errors.invalid(FieldPath.of(scale.labelSelectorPath()), "", "must be a string");
        }
    }

    private static void replicas(ObjectNode object, String jsonPath, FieldErrors errors) {
        JsonNode replicas = at(object, jsonPath);
        FieldPath path = FieldPath.of(jsonPath);
        if (replicas.isMissingNode()) {
            return;
        }
        if (!replicas.isIntegralNumber()) {
            errors.invalid(path, Json.nodes().numberNode(0), "must be an integer");
        } else if (replicas.longValue() < 0) {
            errors.invalid(path, replicas, "should be a non-negative integer");
        } else if (replicas.longValue() > Integer.MAX_VALUE) {
            errors.invalid(path, replicas, "should be less than or equal to " + Integer.MAX_VALUE);
        }
    }

    private static JsonNode at(ObjectNode object, String jsonPath) {
        JsonNode node = object;
        for (String name : List.of(jsonPath.replaceFirst("^\\.", "").split("\\."))) {
            node = node.path(name);
        }
        return node;
    }
}
