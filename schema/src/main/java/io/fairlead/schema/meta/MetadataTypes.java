package io.fairlead.schema.meta;

import io.fairlead.schema.field.FieldPath;
import io.fairlead.schema.json.Json;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of {@code ObjectMeta} and their types ({@code meta/v1}): unknown ones are dropped, empty ones too, and wrong
 * ones are refused, as decoding into the Go type and encoding again would.
 */
public final class MetadataTypes {
    private static final Type STRING = new Scalar("string");
    private static final Type INTEGER = new Scalar("int64");
    private static final Type OPTIONAL_INTEGER = new Scalar("int64", true);
    private static final Type BOOLEAN = new Scalar("bool");
    private static final Type TIME = new Scalar("v1.Time");
    private static final Type STRINGS = new ListOf("[]string", STRING);
    private static final Type STRING_MAP = new MapOf("map[string]string");
    private static final Type RAW = new Scalar("v1.FieldsV1");

    private static final Type OWNER_REFERENCE = new Struct(
            "v1.OwnerReference",
            Map.of(
                    "apiVersion", STRING,
                    "kind", STRING,
                    "name", STRING,
                    "uid", STRING,
                    "controller", BOOLEAN,
                    "blockOwnerDeletion", BOOLEAN),
            List.of("apiVersion", "kind", "name", "uid"));
    private static final Type MANAGED_FIELDS = new Struct(
            "v1.ManagedFieldsEntry",
            Map.of(
                    "manager", STRING,
                    "operation", STRING,
                    "apiVersion", STRING,
                    "time", TIME,
                    "fieldsType", STRING,
                    "fieldsV1", RAW,
                    "subresource", STRING),
            List.of());
    private static final Struct OBJECT_META = new Struct(
            "v1.ObjectMeta",
            Map.ofEntries(
                    Map.entry("name", STRING),
                    Map.entry("generateName", STRING),
                    Map.entry("namespace", STRING),
                    Map.entry("selfLink", STRING),
                    Map.entry("uid", STRING),
                    Map.entry("resourceVersion", STRING),
                    Map.entry("generation", INTEGER),
                    Map.entry("creationTimestamp", TIME),
                    Map.entry("deletionTimestamp", TIME),
                    Map.entry("deletionGracePeriodSeconds", OPTIONAL_INTEGER),
                    Map.entry("labels", STRING_MAP),
                    Map.entry("annotations", STRING_MAP),
                    Map.entry("ownerReferences", new ListOf("[]v1.OwnerReference", OWNER_REFERENCE)),
                    Map.entry("finalizers", STRINGS),
                    Map.entry("managedFields", new ListOf("[]v1.ManagedFieldsEntry", MANAGED_FIELDS))),
            List.of());

    private MetadataTypes() {}

    /**
     * Metadata after decoding.
     *
     * @param tree the known, non-empty fields
     * @param unknownFields the paths of what was dropped ({@code metadata.x})
     * @param problem what cannot be decoded, in upstream's words; null if all could
     */
    public record Decoded(
            ObjectNode tree,
            List<String> unknownFields,
            @Nullable String problem) {}

    /**
     * Decodes the {@code metadata} member of an object; the given tree is not changed.
     *
     * @param path where it is
     * @param dropInvalid whether fields of a wrong type are dropped (reading what is stored) instead of refused
     */
    public static Decoded decode(JsonNode metadata, FieldPath path, boolean dropInvalid) {
        Decoder decoder = new Decoder(dropInvalid);
        try {
            JsonNode tree = metadata.isNull() ? Json.object() : decoder.struct(OBJECT_META, metadata, "", path.text());
            return new Decoded((ObjectNode) tree, decoder.unknownFields, null);
        } catch (Undecodable e) {
            return new Decoded(Json.object(), decoder.unknownFields, e.getMessage());
        }
    }

    /** A type of a field, named as Go names it. */
    private sealed interface Type {
        String goName();
    }

    /** A single value; {@code zeroKept} if it is a pointer in Go, so that zero is not the same as nothing. */
    private record Scalar(String goName, boolean zeroKept) implements Type {
        Scalar(String goName) {
            this(goName, false);
        }
    }

    private record ListOf(String goName, Type element) implements Type {}

    private record MapOf(String goName) implements Type {}

    /** A struct; {@code kept} are fields that are written even when empty. */
    private record Struct(String goName, Map<String, Type> fields, List<String> kept) implements Type {}

    /** A field whose value is of another type. */
    private static final class Undecodable extends Exception {
        private static final long serialVersionUID = 1L;

        Undecodable(String problem) {
            super(problem, null, false, false);
        }
    }

    private static final class Decoder {
        private final boolean dropInvalid;
        private final List<String> unknownFields = new ArrayList<>();

        Decoder(boolean dropInvalid) {
            this.dropInvalid = dropInvalid;
        }

        JsonNode struct(Struct type, JsonNode value, String field, String path) throws Undecodable {
            if (!(value instanceof ObjectNode object)) {
                if (dropInvalid) {
                    return Json.object();
                }
                throw mismatch(value, field, type);
            }
            Map<String, JsonNode> members = new LinkedHashMap<>();
            type.kept.forEach(name -> members.put(name, Json.nodes().stringNode("")));
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                String name = member.getKey();
                Type memberType = type.fields.get(name);
                if (memberType == null) {
                    unknownFields.add(path.isEmpty() ? name : path + "." + name);
                } else if (!member.getValue().isNull()) {
                    decodeMember(type, name, memberType, member.getValue(), field, path, members);
                }
            }
            return Json.object().setAll(members);
        }

        private void decodeMember(
                Struct owner,
                String name,
                Type type,
                JsonNode value,
                String field,
                String path,
                Map<String, JsonNode> members)
                throws Undecodable {
            String memberField = field.isEmpty() ? name : field + "." + name;
            try {
                JsonNode decoded = value(type, value, memberField, path.isEmpty() ? name : path + "." + name);
                if (!isEmpty(type, decoded) || owner.kept.contains(name)) {
                    members.put(name, decoded);
                }
            } catch (Undecodable e) {
                if (!dropInvalid) {
                    throw e;
                }
            }
        }

        private JsonNode value(Type type, JsonNode value, String field, String path) throws Undecodable {
            return switch (type) {
                case Struct struct -> struct(struct, value, field, path);
                case ListOf list -> list(list, value, field, path);
                case MapOf map -> map(map, value, field);
                case Scalar scalar -> scalar(scalar, value, field);
            };
        }

        private JsonNode list(ListOf type, JsonNode value, String field, String path) throws Undecodable {
            if (!(value instanceof ArrayNode array)) {
                throw mismatch(value, field, type);
            }
            ArrayNode decoded = Json.array();
            for (JsonNode element : array) {
                String at = path + "[" + decoded.size() + "]";
                decoded.add(element.isNull() ? zero(type.element) : value(type.element, element, field, at));
            }
            return decoded;
        }

        private static JsonNode map(MapOf type, JsonNode value, String field) throws Undecodable {
            if (!(value instanceof ObjectNode object)) {
                throw mismatch(value, field, type);
            }
            ObjectNode decoded = Json.object();
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                JsonNode element = entry.getValue();
                if (!element.isNull() && !element.isString()) {
                    throw mismatch(element, field, STRING);
                }
                decoded.put(entry.getKey(), element.asString(""));
            }
            return decoded;
        }

        private static JsonNode scalar(Scalar type, JsonNode value, String field) throws Undecodable {
            boolean fits = switch (type.goName) {
                case "string" -> value.isString();
                case "int64" -> value.isIntegralNumber();
                case "bool" -> value.isBoolean();
                case "v1.Time" -> value.isString();
                default -> true;
            };
            if (!fits) {
                throw mismatch(value, field, type.goName.equals("v1.Time") ? STRING : type);
            }
            return type.goName.equals("v1.Time") ? time(value.stringValue()) : value;
        }

        /** RFC 3339 in UTC with seconds, as {@code metav1.Time} writes it. */
        private static JsonNode time(String text) throws Undecodable {
            try {
                OffsetDateTime time = OffsetDateTime.parse(text);
                return Json.nodes()
                        .stringNode(DateTimeFormatter.ISO_INSTANT.format(
                                time.toInstant().truncatedTo(ChronoUnit.SECONDS)));
            } catch (DateTimeParseException e) {
                throw new Undecodable("parsing time \"" + text + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \""
                        + text + "\" as \"2006\"");
            }
        }

        private static JsonNode zero(Type type) {
            return type instanceof Struct struct ? empty(struct) : Json.nodes().stringNode("");
        }

        private static ObjectNode empty(Struct struct) {
            ObjectNode object = Json.object();
            struct.kept.forEach(name -> object.put(name, ""));
            return object;
        }

        private static boolean isEmpty(Type type, JsonNode value) {
            return switch (type) {
                case ListOf list -> value.isEmpty();
                case MapOf map -> value.isEmpty();
                case Struct struct -> false;
                case Scalar scalar ->
                    (value.isString() && value.stringValue().isEmpty())
                            || (scalar.goName.equals("int64") && !scalar.zeroKept && value.longValue() == 0)
                            || value.isNull();
            };
        }

        private static Undecodable mismatch(JsonNode value, String field, Type type) {
            String goValue = switch (value.getNodeType()) {
                case BOOLEAN -> "bool";
                case NUMBER -> value.isIntegralNumber() ? "number" : "number " + Json.text(value);
                default -> value.getNodeType().name().toLowerCase(Locale.ROOT);
            };
            String target = field.isEmpty() ? "Go value" : "Go struct field ObjectMeta." + field;
            return new Undecodable(
                    "json: cannot unmarshal " + goValue + " into " + target + " of type " + type.goName());
        }
    }
}
