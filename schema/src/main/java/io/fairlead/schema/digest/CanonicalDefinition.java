package io.fairlead.schema.digest;

import io.fairlead.schema.digest.DefinitionDigests.VersionDigest;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The {@code spec} of a CustomResourceDefinition in the forms of which digests are made, with the defaults that an API
 * server fills in (apiextensions {@code v1/defaults.go}), so that a file and what was read back are alike.
 */
final class CanonicalDefinition {
    private static final Map<String, Shape> OF_SPEC = Map.of(
            "group", Shape.TEXT,
            "names", Shape.OBJECT,
            "scope", Shape.TEXT,
            "versions", Shape.LIST,
            "conversion", Shape.OBJECT,
            "preserveUnknownFields", Shape.FLAG);
    private static final Map<String, Shape> OF_NAMES = Map.of(
            "plural", Shape.TEXT,
            "singular", Shape.TEXT,
            "kind", Shape.TEXT,
            "listKind", Shape.TEXT,
            "shortNames", Shape.TEXTS,
            "categories", Shape.TEXTS);
    private static final Map<String, Shape> OF_VERSION = Map.of(
            "name", Shape.TEXT,
            "served", Shape.FLAG,
            "storage", Shape.FLAG,
            "deprecated", Shape.FLAG,
            "deprecationWarning", Shape.TEXT,
            "schema", Shape.OBJECT,
            "subresources", Shape.OBJECT,
            "additionalPrinterColumns", Shape.LIST,
            "selectableFields", Shape.LIST);
    private static final Map<String, Shape> OF_SUBRESOURCES = Map.of("status", Shape.OBJECT, "scale", Shape.OBJECT);
    private static final Map<String, Shape> OF_SCHEMA = Map.of("openAPIV3Schema", Shape.OBJECT);
    private static final Map<String, Shape> OF_SCALE =
            Map.of("specReplicasPath", Shape.TEXT, "statusReplicasPath", Shape.TEXT, "labelSelectorPath", Shape.TEXT);
    private static final Map<String, Shape> OF_SELECTABLE_FIELD = Map.of("jsonPath", Shape.TEXT);
    private static final Map<String, Shape> OF_CONVERSION = Map.of("strategy", Shape.TEXT, "webhook", Shape.OBJECT);
    private static final Map<String, Shape> OF_WEBHOOK =
            Map.of("clientConfig", Shape.OBJECT, "conversionReviewVersions", Shape.TEXTS);
    private static final Comparator<JsonNode> BY_NAME = Comparator.comparing(version -> text(version, "name"));

    private final ObjectNode spec;
    private final ObjectNode names;
    private final List<Version> versions = new ArrayList<>();
    private final CanonicalSchema meaning = new CanonicalSchema(false);

    /** What is not understood beside the schemas. */
    private final List<String> unknownBeside = new ArrayList<>();

    /** What a member must be to be understood; null says nothing, whatever it must be. */
    private enum Shape {
        TEXT,
        TEXTS,
        FLAG,
        LIST,
        OBJECT;

        boolean has(JsonNode value) {
            return value.isNull()
                    || switch (this) {
                        case TEXT -> value.isString();
                        case TEXTS -> value.isArray() && value.values().stream().allMatch(JsonNode::isString);
                        case FLAG -> value.isBoolean();
                        case LIST -> value.isArray();
                        case OBJECT -> value.isObject();
                    };
        }
    }

    /**
     * A version.
     *
     * @param name its name
     * @param schema its schema in canonical form, null if it has none
     * @param given the version as the definition has it
     */
    record Version(String name, JsonNode schema, JsonNode given) {
        boolean isServed() {
            return given.path("served").booleanValue(false);
        }
    }

    CanonicalDefinition(JsonNode spec) {
        this.spec = object(spec, "spec");
        this.names = object(spec.path("names"), "spec.names");
        for (String name : List.of("group", "scope")) {
            required(spec, name, "spec.");
        }
        for (String name : List.of("kind", "plural")) {
            required(names, name, "spec.names.");
        }
        if (!spec.path("versions").isArray() || spec.path("versions").isEmpty()) {
            throw new UnreadableDocumentException("spec.versions (expected a list of at least one version)");
        }
        for (JsonNode version : spec.path("versions").values()) {
            String path = "spec.versions[" + versions.size() + "]";
            String name = required(object(version, path), "name", path + ".");
            versions.add(new Version(name, schema(version, path), version));
        }
        tellUnknown(this.spec, OF_SPEC, "spec");
        tellUnknown(names, OF_NAMES, "spec.names");
        tellUnknown(spec.path("conversion"), OF_CONVERSION, "spec.conversion");
        tellUnknown(spec.path("conversion").path("webhook"), OF_WEBHOOK, "spec.conversion.webhook");
    }

    String group() {
        return text(spec, "group");
    }

    String kind() {
        return text(names, "kind");
    }

    /** In the order of the definition. */
    List<Version> versions() {
        return versions;
    }

    /** Where something is not understood in the schemas. */
    List<String> notUnderstoodInSchemas() {
        return meaning.notUnderstood();
    }

    /** Where something is not understood beside the schemas; the first 1000 places. */
    List<String> notUnderstoodBeside() {
        return unknownBeside;
    }

    /** What clients and stored objects depend on. */
    JsonNode api(List<VersionDigest> digests) {
        ObjectNode api = Json.object();
        api.put("group", group());
        api.put("scope", text(spec, "scope"));
        api.set("names", names());
        api.set("conversion", conversion());
        set(api, "preserveUnknownFields", spec.path("preserveUnknownFields"));
        List<JsonNode> served = new ArrayList<>();
        for (int i = 0; i < versions.size(); i++) {
            if (versions.get(i).isServed()) {
                served.add(api(versions.get(i).given, digests.get(i)));
            }
        }
        api.set("versions", sortedByName(served));
        return api;
    }

    private static ObjectNode api(JsonNode version, VersionDigest digest) {
        ObjectNode api = Json.object().put("name", digest.name());
        api.put("schema", digest.schema().text());
        set(api, "storage", version.path("storage"));
        set(api, "subresources", withoutSilence(version.path("subresources")));
        set(api, "selectableFields", selectableFields(version));
        return api;
    }

    /** Everything except the address of the conversion webhook. */
    JsonNode full() {
        ObjectNode full = Json.object();
        spec.properties().forEach(field -> set(full, field.getKey(), withoutSilence(field.getValue())));
        full.set("names", names());
        full.set("conversion", conversion());
        List<JsonNode> all =
                versions.stream().map(version -> full(version.given)).toList();
        full.set("versions", sortedByName(all));
        return full;
    }

    private static JsonNode full(JsonNode version) {
        ObjectNode full = Json.object();
        version.properties().forEach(field -> set(full, field.getKey(), withoutSilence(field.getValue())));
        set(full, "selectableFields", selectableFields(version));
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        if (!isAbsent(schema)) {
            full.set("schema", new CanonicalSchema(true).of(schema, ""));
        }
        return full;
    }

    private ObjectNode names() {
        ObjectNode filled = (ObjectNode) withoutSilence(names);
        if (!filled.has("singular")) {
            filled.put("singular", kind().toLowerCase(Locale.ROOT));
        }
        if (!filled.has("listKind")) {
            filled.put("listKind", kind() + "List");
        }
        return filled;
    }

    private JsonNode conversion() {
        JsonNode given = spec.path("conversion");
        if (isAbsent(given)) {
            return Json.object().put("strategy", "None");
        }
        ObjectNode conversion = (ObjectNode) withoutSilence(object(given, "spec.conversion"));
        if (conversion.get("webhook") instanceof ObjectNode webhook) {
            webhook.remove("clientConfig");
        }
        return conversion;
    }

    private JsonNode schema(JsonNode version, String path) {
        tellUnknown(version, OF_VERSION, path);
        tellUnknown(version.path("schema"), OF_SCHEMA, path + ".schema");
        JsonNode subresources = version.path("subresources");
        tellUnknown(subresources, OF_SUBRESOURCES, path + ".subresources");
        tellUnknown(subresources.path("status"), Map.of(), path + ".subresources.status");
        tellUnknown(subresources.path("scale"), OF_SCALE, path + ".subresources.scale");
        for (JsonNode field : version.path("selectableFields").values()) {
            if (field.isObject()) {
                tellUnknown(field, OF_SELECTABLE_FIELD, path + ".selectableFields[]");
            } else {
                tell(path + ".selectableFields[]");
            }
        }
        JsonNode schema = version.path("schema").path("openAPIV3Schema");
        return isAbsent(schema) ? Json.nodes().nullNode() : meaning.of(schema, path + ".schema.openAPIV3Schema");
    }

    private void tellUnknown(JsonNode object, Map<String, Shape> known, String path) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            Shape shape = known.get(field.getKey());
            if (shape == null || !shape.has(field.getValue())) {
                tell(path + "." + field.getKey());
            }
        }
    }

    private void tell(String path) {
        if (unknownBeside.size() < CanonicalSchema.TOLD_MAX) {
            unknownBeside.add(path);
        }
    }

    private static JsonNode selectableFields(JsonNode version) {
        return CanonicalSchema.sorted(version.path("selectableFields").values());
    }

    private static ArrayNode sortedByName(List<JsonNode> versions) {
        return Json.array().addAll(versions.stream().sorted(BY_NAME).toList());
    }

    private static void set(ObjectNode object, String name, JsonNode value) {
        if (!OmitEmpty.isEmpty(value)) {
            object.set(name, value);
        }
    }

    /** A copy without members that say nothing, at any depth; elements of lists stay. */
    private static JsonNode withoutSilence(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                object.properties().forEach(field -> set(copy, field.getKey(), withoutSilence(field.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = Json.array();
                array.forEach(element -> copy.add(withoutSilence(element)));
                yield copy;
            }
            default -> value;
        };
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static ObjectNode object(JsonNode value, String path) {
        if (value instanceof ObjectNode object) {
            return object;
        }
        throw new UnreadableDocumentException(path + " (expected an object)");
    }

    private static String required(JsonNode object, String name, String path) {
        String text = text(object, name);
        if (text.isEmpty()) {
            throw new UnreadableDocumentException(path + name + " (expected a text that is not empty)");
        }
        return text;
    }

    private static String text(JsonNode object, String name) {
        JsonNode text = object.path(name);
        return text.isString() ? text.stringValue() : "";
    }
}
