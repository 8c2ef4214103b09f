package io.fairlead.schema.crd;

import io.fairlead.schema.meta.MetadataTypes;
import io.fairlead.schema.structural.SchemaTypes;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.Struct;

/** The fields of a CustomResourceDefinition (apiextensions {@code v1/types.go}). */
final class DefinitionTypes {
    private static final Struct NAMES = new Struct("v1.CustomResourceDefinitionNames")
            .kept("plural", GoType.STRING)
            .field("singular", GoType.STRING)
            .field("shortNames", GoType.STRINGS)
            .kept("kind", GoType.STRING)
            .field("listKind", GoType.STRING)
            .field("categories", GoType.STRINGS);
    private static final Struct COLUMN = new Struct("v1.CustomResourceColumnDefinition")
            .kept("name", GoType.STRING)
            .kept("type", GoType.STRING)
            .field("format", GoType.STRING)
            .field("description", GoType.STRING)
            .field("priority", GoType.INT32)
            .kept("jsonPath", GoType.STRING);
    private static final Struct SCALE = new Struct("v1.CustomResourceSubresourceScale")
            .kept("specReplicasPath", GoType.STRING)
            .kept("statusReplicasPath", GoType.STRING)
            .field("labelSelectorPath", GoType.OPTIONAL_STRING);
    private static final Struct SUBRESOURCES = new Struct("v1.CustomResourceSubresources")
            .field("status", new Struct("v1.CustomResourceSubresourceStatus"))
            .field("scale", SCALE);
    private static final Struct VERSION = new Struct("v1.CustomResourceDefinitionVersion")
            .kept("name", GoType.STRING)
            .kept("served", GoType.BOOLEAN)
            .kept("storage", GoType.BOOLEAN)
            .field("deprecated", GoType.BOOLEAN)
            .field("deprecationWarning", GoType.OPTIONAL_STRING)
            .field(
                    "schema",
                    new Struct("v1.CustomResourceValidation").field("openAPIV3Schema", SchemaTypes.JSON_SCHEMA_PROPS))
            .field("subresources", SUBRESOURCES)
            .field("additionalPrinterColumns", new ListOf("[]v1.CustomResourceColumnDefinition", COLUMN))
            .field(
                    "selectableFields",
                    new ListOf(
                            "[]v1.SelectableField", new Struct("v1.SelectableField").kept("jsonPath", GoType.STRING)));
    private static final Struct SERVICE = new Struct("v1.ServiceReference")
            .kept("namespace", GoType.STRING)
            .kept("name", GoType.STRING)
            .field("path", GoType.OPTIONAL_STRING)
            .field("port", GoType.OPTIONAL_INT32);
    private static final Struct CONVERSION = new Struct("v1.CustomResourceConversion")
            .kept("strategy", GoType.STRING)
            .field(
                    "webhook",
                    new Struct("v1.WebhookConversion")
                            .field(
                                    "clientConfig",
                                    new Struct("v1.WebhookClientConfig")
                                            .field("url", GoType.OPTIONAL_STRING)
                                            .field("service", SERVICE)
                                            .field("caBundle", GoType.STRING))
                            .kept("conversionReviewVersions", GoType.STRINGS));
    private static final Struct SPEC = new Struct("v1.CustomResourceDefinitionSpec")
            .kept("group", GoType.STRING)
            .kept("names", NAMES)
            .kept("scope", GoType.STRING)
            .kept("versions", new ListOf("[]v1.CustomResourceDefinitionVersion", VERSION))
            .field("conversion", CONVERSION)
            .field("preserveUnknownFields", GoType.BOOLEAN);
    private static final Struct CONDITION = new Struct("v1.CustomResourceDefinitionCondition")
            .kept("type", GoType.STRING)
            .kept("status", GoType.STRING)
            .field("lastTransitionTime", GoType.TIME)
            .field("reason", GoType.STRING)
            .field("message", GoType.STRING)
            .field("observedGeneration", GoType.INTEGER);
    private static final Struct STATUS = new Struct("v1.CustomResourceDefinitionStatus")
            .kept("conditions", new ListOf("[]v1.CustomResourceDefinitionCondition", CONDITION))
            .kept("acceptedNames", NAMES)
            .kept("storedVersions", GoType.STRINGS)
            .field("observedGeneration", GoType.INTEGER);

    static final Struct DEFINITION = new Struct("v1.CustomResourceDefinition")
            .field("apiVersion", GoType.STRING)
            .field("kind", GoType.STRING)
            .kept("metadata", MetadataTypes.OBJECT_META)
            .kept("spec", SPEC)
            .field("status", STATUS);

    private DefinitionTypes() {}
}
