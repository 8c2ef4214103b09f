package io.fairlead.schema.structural;

import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.List;

/** The fields of {@code JSONSchemaProps} (apiextensions {@code v1/types_jsonschema.go}). */
public final class SchemaTypes {
    /** One schema. */
    public static final Struct JSON_SCHEMA_PROPS = new Struct("v1.JSONSchemaProps");

    private static final Struct VALIDATION_RULE = new Struct("v1.ValidationRule")
            .kept("rule", GoType.STRING)
            .field("message", GoType.STRING)
            .field("messageExpression", GoType.STRING)
            .field("reason", GoType.OPTIONAL_STRING)
            .field("fieldPath", GoType.STRING)
            .field("optionalOldSelf", GoType.OPTIONAL_BOOLEAN);
    private static final Struct EXTERNAL_DOCS = new Struct("v1.ExternalDocumentation")
            .field("description", GoType.STRING)
            .field("url", GoType.STRING);

    private SchemaTypes() {}

    static {
        GoType schemas = new ListOf("[]v1.JSONSchemaProps", JSON_SCHEMA_PROPS);
        GoType schemaMap = new MapOf("map[string]v1.JSONSchemaProps", JSON_SCHEMA_PROPS);
        GoType orBool = new Union("v1.JSONSchemaPropsOrBool", List.of(JSON_SCHEMA_PROPS, GoType.OPTIONAL_BOOLEAN));
        GoType orArray = new Union("v1.JSONSchemaPropsOrArray", List.of(JSON_SCHEMA_PROPS, schemas));
        GoType orStrings = new Union("v1.JSONSchemaPropsOrStringArray", List.of(JSON_SCHEMA_PROPS, GoType.STRINGS));
        for (String name : List.of("id", "$schema", "description", "type", "format", "title", "pattern")) {
            JSON_SCHEMA_PROPS.field(name, GoType.STRING);
        }
        for (String name : List.of("maximum", "minimum", "multipleOf")) {
            JSON_SCHEMA_PROPS.field(name, GoType.OPTIONAL_NUMBER);
        }
        for (String name :
                List.of("maxLength", "minLength", "maxItems", "minItems", "maxProperties", "minProperties")) {
            JSON_SCHEMA_PROPS.field(name, GoType.OPTIONAL_INTEGER);
        }
        for (String name : List.of(
                "exclusiveMaximum",
                "exclusiveMinimum",
                "uniqueItems",
                "nullable",
                "x-kubernetes-embedded-resource",
                "x-kubernetes-int-or-string")) {
            JSON_SCHEMA_PROPS.field(name, GoType.BOOLEAN);
        }
        JSON_SCHEMA_PROPS
                .field("$ref", GoType.OPTIONAL_STRING)
                .field("default", GoType.ANY)
                .field("example", GoType.ANY)
                .field("enum", new ListOf("[]v1.JSON", GoType.ANY))
                .field("required", GoType.STRINGS)
                .field("items", orArray)
                .field("allOf", schemas)
                .field("oneOf", schemas)
                .field("anyOf", schemas)
                .field("not", JSON_SCHEMA_PROPS)
                .field("properties", schemaMap)
                .field("additionalProperties", orBool)
                .field("patternProperties", schemaMap)
                .field("dependencies", new MapOf("v1.JSONSchemaDependencies", orStrings))
                .field("additionalItems", orBool)
                .field("definitions", schemaMap)
                .field("externalDocs", EXTERNAL_DOCS)
                .field("x-kubernetes-preserve-unknown-fields", GoType.OPTIONAL_BOOLEAN)
                .field("x-kubernetes-list-map-keys", GoType.STRINGS)
                .field("x-kubernetes-list-type", GoType.OPTIONAL_STRING)
                .field("x-kubernetes-map-type", GoType.OPTIONAL_STRING)
                .field("x-kubernetes-validations", new ListOf("[]v1.ValidationRule", VALIDATION_RULE));
    }
}
