package io.fairlead.schema.meta;

import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.TypedDecoder;
import tools.jackson.databind.JsonNode;

/**
 * The fields of {@code ObjectMeta} and their types ({@code meta/v1}): unknown ones are dropped, empty ones too, and wrong
 * ones are refused, as decoding into the Go type and encoding again would.
 */
public final class MetadataTypes {
    private static final Struct OWNER_REFERENCE = new Struct("v1.OwnerReference")
            .kept("apiVersion", GoType.STRING)
            .kept("kind", GoType.STRING)
            .kept("name", GoType.STRING)
            .kept("uid", GoType.STRING)
            .field("controller", GoType.OPTIONAL_BOOLEAN)
            .field("blockOwnerDeletion", GoType.OPTIONAL_BOOLEAN);
    private static final Struct MANAGED_FIELDS = new Struct("v1.ManagedFieldsEntry")
            .field("manager", GoType.STRING)
            .field("operation", GoType.STRING)
            .field("apiVersion", GoType.STRING)
            .field("time", GoType.TIME)
            .field("fieldsType", GoType.STRING)
            .field("fieldsV1", GoType.ANY)
            .field("subresource", GoType.STRING);

    /** {@code ObjectMeta}, for the descriptions of kinds. */
    public static final Struct OBJECT_META = new Struct("v1.ObjectMeta")
            .field("name", GoType.STRING)
            .field("generateName", GoType.STRING)
            .field("namespace", GoType.STRING)
            .field("selfLink", GoType.STRING)
            .field("uid", GoType.STRING)
            .field("resourceVersion", GoType.STRING)
            .field("generation", GoType.INTEGER)
            .field("creationTimestamp", GoType.TIME)
            .field("deletionTimestamp", GoType.TIME)
            .field("deletionGracePeriodSeconds", GoType.OPTIONAL_INTEGER)
            .field("labels", GoType.STRING_MAP)
            .field("annotations", GoType.STRING_MAP)
            .field("ownerReferences", new ListOf("[]v1.OwnerReference", OWNER_REFERENCE))
            .field("finalizers", GoType.STRINGS)
            .field("managedFields", new ListOf("[]v1.ManagedFieldsEntry", MANAGED_FIELDS));

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
