package io.fairlead.schema.meta;

import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.managed.ManagedType;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.TypedDecoder;
import tools.jackson.databind.JsonNode;

/**
 * The fields of {@code ObjectMeta} and their types ({@code meta/v1}): unknown ones are dropped, empty ones too, and wrong
 * ones are refused, as decoding into the Go type and encoding again would.
 */
public final class MetadataTypes {
    /** {@code ObjectMeta}, for the descriptions of kinds. */
    public static final Struct OBJECT_META = ApiTypes.named("meta/v1.ObjectMeta");

    /** {@code ObjectMeta}, as what can be managed. */
    public static final ManagedType OBJECT_META_MANAGED = OBJECT_META.managed();

    private MetadataTypes() {}

    /**
     * Decodes the {@code metadata} member of an object; the given tree is not changed.
     *
     * @param path where it is
     * @param dropInvalid whether fields of a wrong type are dropped (reading what is stored) instead of refused
     */
    public static TypedDecoder.Decoded decode(JsonNode metadata, FieldPath path, boolean dropInvalid) {
        return TypedDecoder.decode(OBJECT_META, metadata, path.text(), dropInvalid);
    }
}
