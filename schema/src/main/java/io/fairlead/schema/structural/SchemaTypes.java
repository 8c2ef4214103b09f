package io.fairlead.schema.structural;

import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;

/** The fields of {@code JSONSchemaProps} (apiextensions {@code v1/types_jsonschema.go}). */
public final class SchemaTypes {
    /** One schema. */
    public static final Struct JSON_SCHEMA_PROPS = ApiTypes.named("apiextensions/v1.JSONSchemaProps");

    private SchemaTypes() {}
}
