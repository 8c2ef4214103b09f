package io.fairlead.schema.crd;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.structural.StructuralSchema;
import io.fairlead.schema.typed.ApiTypes;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.TypedDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A CustomResourceDefinition, read and defaulted. Immutable and safe for any thread; {@link #tree()} must not be changed.
 *
 * <p>That one could be read says nothing about its being allowed: {@link DefinitionRules} do.
 *
 * @param tree the whole object as it is stored and served
 * @param name {@code metadata.name}
 * @param group the group of its resource
 * @param scope where its objects live, as written
 * @param names what its resource is called
 * @param versions its versions, in their order
 * @param conversionStrategy how objects get from one version to another, {@code None} unless said
 * @param status what is known about it
 */
public record CustomResourceDefinition(
        ObjectNode tree,
        String name,
        String group,
        String scope,
        Names names,
        List<Version> versions,
        String conversionStrategy,
        DefinitionStatus status) {
    private static final Struct TYPE = ApiTypes.named("apiextensions/v1.CustomResourceDefinition");

    public CustomResourceDefinition {
        versions = List.copyOf(versions);
    }

    /** What a resource is called; empty where nothing was given. */
    public record Names(
            String plural,
            String singular,
            String kind,
            String listKind,
            List<String> shortNames,
            List<String> categories) {
        public Names {
            shortNames = List.copyOf(shortNames);
            categories = List.copyOf(categories);
        }

        static Names of(JsonNode tree) {
            return new Names(
                    text(tree, "plural"),
                    text(tree, "singular"),
                    text(tree, "kind"),
                    text(tree, "listKind"),
                    strings(tree.path("shortNames")),
                    strings(tree.path("categories")));
        }
    }

    /**
     * One version.
     *
     * @param tree the version's part of the definition
     * @param schema its schema, null if none is given
     * @param scale its scale subresource, null if it has none
     */
    public record Version(
            ObjectNode tree,
            String name,
            boolean served,
            boolean storage,
            boolean deprecated,
            @Nullable StructuralSchema schema,
            boolean statusSubresource,
            @Nullable Scale scale,
            List<PrinterColumn> printerColumns,
            List<String> selectableFields) {
        public Version {
            printerColumns = List.copyOf(printerColumns);
            selectableFields = List.copyOf(selectableFields);
        }

        /** The warning for requests to a deprecated version; empty if it is not deprecated. */
        public String deprecationWarning(CustomResourceDefinition definition) {
            if (!deprecated) {
                return "";
            }
            String kind = " " + definition.names().kind();
            String standard = definition.group() + "/" + name + kind + " is deprecated"
                    + definition.versions().stream()
                            .filter(other -> other.served() && !other.deprecated())
                            .map(Version::name)
                            .filter(other -> VersionOrder.BEST_FIRST.compare(other, name) < 0)
                            .min(VersionOrder.BEST_FIRST)
                            .map(better -> "; use " + definition.group() + "/" + better + kind)
                            .orElse("");
            return tree.path("deprecationWarning").asString(standard);
        }
    }

    /**
     * Where the scale subresource finds its numbers.
     *
     * @param labelSelectorPath the path of the selector, empty if none
     */
    public record Scale(String specReplicasPath, String statusReplicasPath, String labelSelectorPath) {}

    /** A column of tables of the resource. */
    public record PrinterColumn(
            String name, String type, String format, String description, int priority, String jsonPath) {}

    /**
     * What is known about a definition.
     *
     * @param acceptedNames the names that discovery shows
     * @param storedVersions the versions that stored objects may have
     * @param established whether it is served
     * @param terminating whether it is being deleted
     */
    public record DefinitionStatus(
            Names acceptedNames, List<String> storedVersions, boolean established, boolean terminating) {
        public DefinitionStatus {
            storedVersions = List.copyOf(storedVersions);
        }
    }

    /**
     * A parsed body.
     * @param definition the definition; null if {@code problem} is not empty
     * @param unknownFields the paths of unknown fields, which were dropped
     * @param problem why it is not a definition; the request is refused with 400
     */
    public record Reading(@Nullable CustomResourceDefinition definition, List<String> unknownFields, String problem) {
        public Reading {
            unknownFields = List.copyOf(unknownFields);
        }
    }

    /** Parses a body: drops and reports unknown fields, and fills in defaults. */
    public static Reading read(ObjectNode body) {
        TypedDecoder.Decoded decoded = TypedDecoder.decode(TYPE, body, "", false);
        if (decoded.problem() != null) {
            return new Reading(null, decoded.unknownFields(), decoded.problem());
        }
        ObjectNode tree = decoded.tree();
        applyDefaults((ObjectNode) tree.get("spec"));
        return new Reading(ofDefaulted(tree), decoded.unknownFields(), "");
    }

    /** The definition of an object from storage; what it does not know is dropped. */
    public static CustomResourceDefinition stored(ObjectNode object) {
        ObjectNode tree = TypedDecoder.decode(TYPE, object, "", true).tree();
        applyDefaults((ObjectNode) tree.get("spec"));
        return ofDefaulted(tree);
    }

    private static final int HTTPS_PORT = 443;

    private static void applyDefaults(ObjectNode spec) {
        ObjectNode names = (ObjectNode) spec.get("names");
        String kind = text(names, "kind");
        if (text(names, "singular").isEmpty() && !kind.isEmpty()) {
            names.put("singular", kind.toLowerCase(Locale.ROOT));
        }
        if (text(names, "listKind").isEmpty() && !kind.isEmpty()) {
            names.put("listKind", kind + "List");
        }
        if (!spec.has("conversion")) {
            spec.set("conversion", Json.object().put("strategy", "None"));
        }
        if (spec.at("/conversion/webhook/clientConfig/service") instanceof ObjectNode service && !service.has("port")) {
            service.put("port", HTTPS_PORT);
        }
    }

    private static CustomResourceDefinition ofDefaulted(ObjectNode tree) {
        JsonNode spec = tree.path("spec");
        List<Version> versions = new ArrayList<>();
        for (JsonNode version : spec.path("versions").values()) {
            versions.add(version((ObjectNode) version));
        }
        return new CustomResourceDefinition(
                tree,
                text(tree.path("metadata"), "name"),
                text(spec, "group"),
                text(spec, "scope"),
                Names.of(spec.path("names")),
                versions,
                text(spec.path("conversion"), "strategy"),
                status(tree.path("status")));
    }

    private static Version version(ObjectNode tree) {
        JsonNode subresources = tree.path("subresources");
        JsonNode scale = subresources.path("scale");
        return new Version(
                tree,
                text(tree, "name"),
                tree.path("served").asBoolean(false),
                tree.path("storage").asBoolean(false),
                tree.path("deprecated").asBoolean(false),
                tree.path("schema").path("openAPIV3Schema") instanceof ObjectNode schema
                        ? StructuralSchema.of(schema)
                        : null,
                subresources.has("status"),
                scale.isObject()
                        ? new Scale(
                                text(scale, "specReplicasPath"),
                                text(scale, "statusReplicasPath"),
                                text(scale, "labelSelectorPath"))
                        : null,
                tree.path("additionalPrinterColumns").values().stream()
                        .map(CustomResourceDefinition::column)
                        .toList(),
                tree.path("selectableFields").values().stream()
                        .map(field -> text(field, "jsonPath"))
                        .toList());
    }

    private static PrinterColumn column(JsonNode tree) {
        return new PrinterColumn(
                text(tree, "name"),
                text(tree, "type"),
                text(tree, "format"),
                text(tree, "description"),
                tree.path("priority").asInt(0),
                text(tree, "jsonPath"));
    }

    private static DefinitionStatus status(JsonNode tree) {
        return new DefinitionStatus(
                Names.of(tree.path("acceptedNames")),
                strings(tree.path("storedVersions")),
                isTrue(tree, "Established"),
                isTrue(tree, "Terminating"));
    }

    private static boolean isTrue(JsonNode status, String condition) {
        return status.path("conditions").values().stream()
                .anyMatch(c ->
                        text(c, "type").equals(condition) && text(c, "status").equals("True"));
    }

    /** Whether objects live in namespaces. */
    public boolean isNamespaced() {
        return scope.equals("Namespaced");
    }

    /** The version with a name. */
    public Optional<Version> version(String versionName) {
        return versions.stream().filter(v -> v.name().equals(versionName)).findFirst();
    }

    /** The version that objects are stored in. */
    public Optional<Version> storageVersion() {
        return versions.stream().filter(Version::storage).findFirst();
    }

    /** The unknown and therefore not enforced formats in its schemas, as warnings for its creator. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        for (Version version : versions) {
            StructuralSchema schema = version.schema();
            if (schema != null) {
                schema.unrecognizedFormats().stream()
                        .map(format -> "unrecognized format \"" + format + "\"")
                        .filter(warning -> !warnings.contains(warning))
                        .forEach(warnings::add);
            }
        }
        return warnings;
    }

    private static String text(JsonNode tree, String name) {
        return tree.path(name).asString("");
    }

    private static List<String> strings(JsonNode list) {
        return list.values().stream().map(node -> node.asString("")).toList();
    }
}
