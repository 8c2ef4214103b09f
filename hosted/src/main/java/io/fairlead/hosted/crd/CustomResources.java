package io.fairlead.hosted.crd;

import io.fairlead.hosted.AdmissionHook;
import io.fairlead.hosted.KindRules;
import io.fairlead.hosted.ResourceType;
import io.fairlead.hosted.ResourceType.PrinterColumn;
import io.fairlead.hosted.StoredDefinition;
import io.fairlead.hosted.TypeEvent.Holding;
import io.fairlead.hosted.TypeEvent.ServedType;
import io.fairlead.hosted.objects.ClusterKeys;
import io.fairlead.hosted.objects.CommitGuard;
import io.fairlead.hosted.objects.Scale;
import io.fairlead.hosted.objects.ServedResource;
import io.fairlead.hosted.objects.StructuralCodec;
import io.fairlead.model.GroupResource;
import io.fairlead.model.Status;
import io.fairlead.schema.crd.CustomResourceDefinition;
import io.fairlead.schema.crd.CustomResourceDefinition.Version;
import io.fairlead.schema.crd.PublishedSchema;
import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.meta.ObjectMetadata;
import io.fairlead.schema.structural.StructuralSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Maps a CustomResourceDefinition to what it serves. */
public final class CustomResources {
    private static final List<String> VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    private static final List<String> VERBS_TERMINATING = List.of("delete", "deletecollection", "get", "list", "watch");
    private static final KindRules RULES = new CustomRules();

    /** For a definition without versions. */
    private static final Version UNKNOWN_VERSION =
            new Version(Json.object(), "v1", false, true, false, null, false, null, List.of(), List.of());

    /** No resource name ends like this, so no object is stored below it. */
    private static final String NAMESAKE = "~";

    private final ClusterKeys keys;
    private final DefinitionGate gate;
    private final List<AdmissionHook> admission;
    private final Set<GroupResource> builtIn;
    private final Converters converters;

    /**
     * For one cluster.
     *
     * @param builtIn the cluster's own resources: a definition may have the name of one, and then owns no objects
     */
    public CustomResources(
            ClusterKeys keys,
            DefinitionGate gate,
            List<AdmissionHook> admission,
            Set<GroupResource> builtIn,
            Converters converters) {
        this.converters = converters;
        this.keys = keys;
        this.gate = gate;
        this.admission = List.copyOf(admission);
        this.builtIn = Set.copyOf(builtIn);
    }

    /**
     * The type that a definition, as stored at a revision, holds: its group and resource, and its versions once it is
     * established.
     */
    public ServedType held(CustomResourceDefinition definition, String uid, StoredDefinition stored, long revision) {
        Set<String> versions = new LinkedHashSet<>();
        if (isServed(definition)) {
            definition.versions().stream()
                    .filter(Version::served)
                    .map(Version::name)
                    .forEach(versions::add);
        }
        return new ServedType(
                Holding.DEFINITION,
                definition.name(),
                uid,
                resource(definition).group(),
                versions,
                Set.of(resource(definition).resource()),
                stored,
                revision);
    }

    /**
     * The prefix of a definition's objects. Those of a built-in resource never belong to a definition with the same
     * name: its deletion keeps them.
     */
    public String prefix(CustomResourceDefinition definition) {
        GroupResource resource = resource(definition);
        return keys.resource(
                isBuiltIn(definition) ? new GroupResource(resource.group(), resource.resource() + NAMESAKE) : resource);
    }

    /** The name equals the spec's, which is empty in some definitions stored by an earlier version. */
    private static GroupResource resource(CustomResourceDefinition definition) {
        String plural = definition.names().plural();
        if (!plural.isEmpty() && !definition.group().isEmpty()) {
            return new GroupResource(definition.group(), plural);
        }
        String name = definition.name();
        int dot = name.indexOf('.');
        return new GroupResource(name.substring(dot + 1), dot < 0 ? name : name.substring(0, dot));
    }

    /** Ignores its status, which a client may write. */
    private boolean isServed(CustomResourceDefinition definition) {
        return definition.status().established() && !isBuiltIn(definition);
    }

    private boolean isBuiltIn(CustomResourceDefinition definition) {
        return builtIn.contains(resource(definition));
    }

    /**
     * What a definition serves: nothing until it is established.
     *
     * @param made identifies this state of the definition, and is passed to the {@link DefinitionGate}
     * @param creatable whether objects may be created
     */
    public List<ServedResource> served(CustomResourceDefinition definition, Object made, BooleanSupplier creatable) {
        if (!isServed(definition)) {
            return List.of();
        }
        List<ServedResource> served = new ArrayList<>();
        Map<String, StructuralSchema> schemas = schemasOf(definition);
        for (Version version : definition.versions()) {
            if (version.served()) {
                served.add(serve(definition, version, schemas, creatable, gate.of(definition.name(), made)));
            }
        }
        return served;
    }

    /** The objects of a definition as stored, whether served or not, for deletion. */
    public ServedResource stored(CustomResourceDefinition definition) {
        Version version = definition.storageVersion().orElse(UNKNOWN_VERSION);
        return serve(definition, version, schemasOf(definition), () -> false, CommitGuard.NONE)
                .asStored();
    }

    private ServedResource serve(
            CustomResourceDefinition definition,
            Version version,
            Map<String, StructuralSchema> schemas,
            BooleanSupplier creatable,
            CommitGuard guard) {
        ResourceType type = type(definition, version);
        String deprecation = version.deprecationWarning(definition);
        return new ServedResource(
                type,
                prefix(definition),
                new StructuralCodec(type, schemaOf(version), schemas, converters.of(definition)),
                RULES,
                admission,
                selectable(version),
                scaleOf(version),
                creatable,
                guard,
                deprecation.isEmpty() ? null : deprecation);
    }

    private static ResourceType type(CustomResourceDefinition definition, Version version) {
        CustomResourceDefinition.Names accepted = definition.status().acceptedNames();
        CustomResourceDefinition.Names names = accepted.kind().isEmpty() ? definition.names() : accepted;
        List<PrinterColumn> columns = version.printerColumns().stream()
                .map(column -> new PrinterColumn(
                        column.name(),
                        column.type(),
                        column.format(),
                        column.description(),
                        column.priority(),
                        column.jsonPath()))
                .toList();
        return new ResourceType(
                resource(definition).group(),
                version.name(),
                resource(definition).resource(),
                names.singular(),
                names.kind(),
                names.listKind(),
                names.shortNames(),
                names.categories(),
                // Without one in the list, each object names its own.
                definition.isNamespaced() || definition.scope().isEmpty(),
                definition.status().terminating() ? VERBS_TERMINATING : VERBS,
                subresources(version),
                definition.storageVersion().map(Version::name).orElse(version.name()),
                true,
                published(version),
                columns);
    }

    private static ObjectNode published(Version version) {
        ObjectNode schema = schemaOf(version).tree();
        if (version.selectableFields().isEmpty()) {
            return schema;
        }
        ObjectNode published = schema.objectNode();
        published.setAll(schema);
        PublishedSchema.addSelectableFields(published, version);
        return published;
    }

    private static Set<String> subresources(Version version) {
        Set<String> subresources = new LinkedHashSet<>();
        if (version.statusSubresource()) {
            subresources.add("status");
        }
        if (version.scale() != null) {
            subresources.add(Scale.SUBRESOURCE);
        }
        return subresources;
    }

    private static @Nullable Scale scaleOf(Version version) {
        CustomResourceDefinition.Scale scale = version.scale();
        return scale == null
                ? null
                : new Scale(scale.specReplicasPath(), scale.statusReplicasPath(), scale.labelSelectorPath(), false);
    }

    /**
     * By their apiVersions; one map for all versions, of which there may be thousands. The definition itself, which is larger, is not
     * kept.
     */
    private static Map<String, StructuralSchema> schemasOf(CustomResourceDefinition definition) {
        Map<String, StructuralSchema> schemas = new HashMap<>();
        definition
                .versions()
                .forEach(version -> schemas.putIfAbsent(definition.group() + "/" + version.name(), schemaOf(version)));
        return schemas;
    }

    private static StructuralSchema schemaOf(Version version) {
        return Objects.requireNonNullElseGet(version.schema(), CustomResources::anything);
    }

    private static StructuralSchema anything() {
        ObjectNode schema = Json.object().put("type", "object");
        return StructuralSchema.of(schema.put("x-kubernetes-preserve-unknown-fields", true));
    }

    private static Map<String, String> selectable(Version version) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String path : version.selectableFields()) {
            String field = path.startsWith(".") ? path.substring(1) : path;
            fields.put(field, "/" + field.replace('.', '/'));
        }
        return fields;
    }

    /** The rules of custom resources beyond their schemas. */
    private static final class CustomRules implements KindRules {
        @Override
        public List<String> warnings(ObjectNode object) {
            return ObjectMetadata.finalizerWarnings(object.path("metadata"), FieldPath.of("metadata"));
        }

        /** Of the finalizers that were not there before. */
        @Override
        public List<String> updateWarnings(ObjectNode object, ObjectNode old) {
            List<String> warnings = new ArrayList<>(warnings(object));
            warnings.removeAll(warnings(old));
            return warnings;
        }

        /** A write to the scale arrives here as the whole resulting object. */
        @Override
        public ObjectNode merge(String subresource, ObjectNode sent, ObjectNode stored) {
            return subresource.equals(Scale.SUBRESOURCE)
                    ? sent.deepCopy()
                    : KindRules.super.merge(subresource, sent, stored);
        }

        @Override
        public List<Status.Cause> validateStatusUpdate(String subresource, ObjectNode object, ObjectNode old) {
            return List.of();
        }
    }
}
