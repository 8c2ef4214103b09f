package io.fairlead.schema.crd;

import io.fairlead.schema.crd.CustomResourceDefinition.PrinterColumn;
import io.fairlead.schema.crd.CustomResourceDefinition.Scale;
import io.fairlead.schema.crd.CustomResourceDefinition.Version;
import io.fairlead.schema.field.FieldErrors;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.field.GoText;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.structural.StructuralSchema;
import io.fairlead.schema.text.Effort;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a version of a definition may be: its schema, subresources, columns and selectable fields. */
final class VersionRules {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final int SCHEMA_BYTES_MAX = 2 * 1024 * 1024;
    private static final int SELECTABLE_FIELDS_MAX = 8;
    private static final int DEPRECATION_WARNING_MAX = 256;
    private static final List<String> COLUMN_TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> COLUMN_FORMATS =
            List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");
    private static final Set<String> ROOT_KEYWORDS_WITH_STATUS = Set.of(
            "description",
            "type",
            "format",
            "title",
            "maximum",
            "exclusiveMaximum",
            "minimum",
            "exclusiveMinimum",
            "maxLength",
            "minLength",
            "pattern",
            "maxItems",
            "minItems",
            "uniqueItems",
            "multipleOf",
            "required",
            "items",
            "properties",
            "externalDocs",
            "example",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-validations");
    private static final String ALLOWED_ROOT_KEYWORDS =
            "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength"
                    + " Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example"
                    + " XPreserveUnknownFields XValidations]";

    private final CustomResourceDefinition definition;
    private final FieldErrors errors;
    private final Effort effort = new Effort();
    /** Of the fields that were asked about: whether all versions have them alike. */
    private final Map<String, Boolean> common = new HashMap<>();

    VersionRules(CustomResourceDefinition definition, FieldErrors errors) {
        this.definition = definition;
        this.errors = errors;
    }

    /** What a version has for itself. */
    void own(Version version, FieldPath path) {
        deprecation(version, path.child("deprecationWarning"));
        if (!isCommon("schema")) {
            schema(version.schema(), version.statusSubresource(), path.child("schema"));
        }
        if (!isCommon("subresources")) {
            scale(version.scale(), path.child("subresources"));
        }
        if (!isCommon("additionalPrinterColumns")) {
            columns(version, path.child("additionalPrinterColumns"));
        }
        if (!isCommon("selectableFields")) {
            selectableFields(version, path.child("selectableFields"));
        }
    }

    /** What all versions have in common. */
    void common() {
        if (definition.versions().isEmpty()) {
            return;
        }
        Version first = definition.versions().getFirst();
        boolean anyStatus = definition.versions().stream().anyMatch(Version::statusSubresource);
        if (isCommon("schema")) {
            schema(first.schema(), anyStatus, SPEC.child("validation"));
        }
        if (isCommon("subresources")) {
            scale(first.scale(), SPEC.child("subresources"));
        }
        if (isCommon("additionalPrinterColumns")) {
            columns(first, SPEC.child("additionalPrinterColumns"));
        }
        if (isCommon("selectableFields")) {
            selectableFields(first, SPEC.child("selectableFields"));
        }
    }

    private boolean isCommon(String field) {
        return common.computeIfAbsent(field, name -> {
            JsonNode first = definition.versions().getFirst().tree().path(name);
            return definition.versions().stream()
                    .allMatch(version -> version.tree().path(name).equals(first));
        });
    }

    private void deprecation(Version version, FieldPath path) {
        JsonNode node = version.tree().get("deprecationWarning");
        if (node == null) {
            return;
        }
        if (!version.deprecated()) {
            errors.invalid(path, node, "can only be set for deprecated versions");
            return;
        }
        String warning = node.stringValue();
        if (warning.length() > DEPRECATION_WARNING_MAX) {
            errors.invalid(path, node, "must be <= 256 characters long");
        }
        if (warning.isEmpty()) {
            errors.invalid(path, node, "must not be an empty string");
        }
        int unprintable = unprintableAt(warning);
        if (unprintable >= 0) {
            errors.invalid(
                    path,
                    node,
                    "must only contain printable UTF-8 characters; non-printable character found at index "
                            + unprintable);
        }
    }

    private static int unprintableAt(String text) {
        for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            String character = Character.toString(text.codePointAt(i));
            boolean escaped = !character.equals("\"") && !character.equals("\\");
            if (escaped && !GoText.quote(character).equals("\"" + character + "\"")) {
                return i;
            }
        }
        return -1;
    }

    private void schema(@Nullable StructuralSchema schema, boolean statusSubresource, FieldPath path) {
        if (schema == null) {
            return;
        }
        FieldPath at = path.child("openAPIV3Schema");
        ObjectNode tree = schema.tree();
        if (Json.write(tree).length > SCHEMA_BYTES_MAX) {
            errors.tooLong(at, SCHEMA_BYTES_MAX);
            return;
        }
        if (statusSubresource) {
            rootWithStatus(tree, at);
        }
        if (tree.path("nullable").asBoolean(false)) {
            errors.forbidden(at.child("nullable"), "nullable cannot be true at the root");
        }
        errors.addAll(schema.problems(at, effort));
    }

    /** The status is validated by its property alone, so nothing at the root may say more about it. */
    private void rootWithStatus(ObjectNode tree, FieldPath path) {
        String type = tree.path("type").asString("");
        if (!type.isEmpty() && !type.equals("object")) {
            errors.invalid(
                    path.child("type"),
                    type,
                    "only \"object\" is allowed as the type at the root of the schema if the status subresource is"
                            + " enabled");
        } else if (!ROOT_KEYWORDS_WITH_STATUS.containsAll(tree.propertyNames())) {
            errors.invalid(
                    path,
                    tree,
                    "only " + ALLOWED_ROOT_KEYWORDS
                            + " fields are allowed at the root of the schema if the status subresource is enabled");
        }
    }

    private void scale(@Nullable Scale scale, FieldPath path) {
        if (scale == null) {
            return;
        }
        replicas(scale.specReplicasPath(), ".spec.", path.child("scale.specReplicasPath"));
        replicas(scale.statusReplicasPath(), ".status.", path.child("scale.statusReplicasPath"));
        String selector = scale.labelSelectorPath();
        FieldPath at = path.child("scale.labelSelectorPath");
        if (!selector.isEmpty()
                && isSimplePath(selector, at)
                && !selector.startsWith(".spec.")
                && !selector.startsWith(".status.")) {
            errors.invalid(at, selector, "should be a json path under either .spec or .status");
        }
    }

    private void replicas(String jsonPath, String prefix, FieldPath path) {
        if (jsonPath.isEmpty()) {
            errors.required(path, "");
        } else if (isSimplePath(jsonPath, path) && !jsonPath.startsWith(prefix)) {
            String parent = prefix.substring(0, prefix.length() - 1);
            errors.invalid(path, jsonPath, "should be a json path under " + parent);
        }
    }

    private boolean isSimplePath(String jsonPath, FieldPath path) {
        if (jsonPath.startsWith(".")) {
            return true;
        }
        errors.invalid(path, jsonPath, "must be a simple json path starting with .");
        return false;
    }

    private void columns(Version version, FieldPath path) {
        for (int i = 0; i < version.printerColumns().size(); i++) {
            column(version.printerColumns().get(i), path.index(i));
        }
    }

    private void column(PrinterColumn column, FieldPath path) {
        if (column.name().isEmpty()) {
            errors.required(path.child("name"), "");
        }
        String types = "must be one of " + String.join(",", COLUMN_TYPES);
        if (column.type().isEmpty()) {
            errors.required(path.child("type"), types);
        } else if (!COLUMN_TYPES.contains(column.type())) {
            errors.invalid(path.child("type"), column.type(), types);
        }
        if (!column.format().isEmpty() && !COLUMN_FORMATS.contains(column.format())) {
            errors.invalid(path.child("format"), column.format(), "must be one of " + String.join(",", COLUMN_FORMATS));
        }
        FieldPath jsonPath = path.child("JSONPath");
        if (column.jsonPath().isEmpty()) {
            errors.required(jsonPath, "");
        } else {
            isSimplePath(column.jsonPath(), jsonPath);
        }
    }

    private void selectableFields(Version version, FieldPath path) {
        StructuralSchema schema = version.schema();
        if (version.selectableFields().isEmpty()) {
            return;
        }
        if (schema == null) {
            errors.invalid(path, "", "may only be set when `version.schema.openAPIV3Schema` is not included");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < version.selectableFields().size(); i++) {
            selectableField(
                    version.selectableFields().get(i), schema, path.index(i).child("jsonPath"), seen);
        }
        if (seen.size() > SELECTABLE_FIELDS_MAX) {
            errors.tooMany(path, seen.size(), SELECTABLE_FIELDS_MAX);
        }
    }

    private void selectableField(String jsonPath, StructuralSchema schema, FieldPath path, Set<String> seen) {
        if (jsonPath.isEmpty()) {
            errors.required(path, "");
            return;
        }
        String type;
        try {
            type = schema.typeAt(jsonPath);
        } catch (IllegalArgumentException e) {
            errors.invalid(path, jsonPath, "is an invalid path: " + e.getMessage());
            return;
        }
        if (jsonPath.equals(".metadata") || jsonPath.startsWith(".metadata.")) {
            errors.invalid(path, jsonPath, "must not point to fields in metadata");
        }
        if (!Set.of("string", "boolean", "integer").contains(type)) {
            errors.invalid(
                    path,
                    jsonPath,
                    "must point to a field of type string, boolean or integer. Enum string fields and strings with"
                            + " formats are allowed.");
        }
        if (!seen.add(jsonPath)) {
            errors.duplicate(path, Json.nodes().stringNode(jsonPath));
        }
    }
}
