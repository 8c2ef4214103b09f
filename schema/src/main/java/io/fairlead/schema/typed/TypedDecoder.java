package io.fairlead.schema.typed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One decoding of a tree by the description of its type. */
public final class TypedDecoder {
    private final String root;
    private final boolean dropInvalid;
    private final List<String> unknownFields = new ArrayList<>();

    private TypedDecoder(Struct type, boolean dropInvalid) {
        this.root = type.goName().substring(type.goName().lastIndexOf('.') + 1);
        this.dropInvalid = dropInvalid;
    }

    /**
     * What a tree means as a typed object.
     *
     * @param tree the known, non-empty fields, in the order of the text
     * @param unknownFields the paths of what was dropped ({@code spec.x})
     * @param problem what cannot be decoded, in the words of Go's decoder; null if all could
     */
    public record Decoded(
            ObjectNode tree,
            List<String> unknownFields,
            @Nullable String problem) {
        public Decoded {
            unknownFields = List.copyOf(unknownFields);
        }
    }

    /**
     * Decodes a tree, which is not changed.
     *
     * @param path where the tree is in its object, empty at the root; told paths begin with it
     * @param dropInvalid whether fields of a wrong type are dropped (reading what is stored) instead of refused
     */
    public static Decoded decode(Struct type, JsonNode tree, String path, boolean dropInvalid) {
        TypedDecoder decoder = new TypedDecoder(type, dropInvalid);
        try {
            ObjectNode decoded = tree.isNull() ? empty(type) : decoder.struct(type, tree, "", path);
            return new Decoded(decoded, decoder.unknownFields, null);
        } catch (Undecodable e) {
            return new Decoded(Json.object(), decoder.unknownFields, e.getMessage());
        }
    }

    private ObjectNode struct(Struct type, JsonNode value, String field, String path) throws Undecodable {
        if (!(value instanceof ObjectNode object)) {
            if (dropInvalid) {
                return empty(type);
            }
            throw mismatch(value, field, type);
        }
        ObjectNode decoded = Json.object();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            GoType memberType = type.fields().get(member.getKey());
            if (memberType == null) {
                unknownFields.add(joined(path, member.getKey()));
            } else if (!member.getValue().isNull()) {
                member(type, member.getKey(), memberType, member.getValue(), field, path, decoded);
            }
        }
        type.keptFields().forEach((name, kept) -> {
            if (!decoded.has(name)) {
                decoded.set(name, zero(kept));
            }
        });
        return decoded;
    }

    private void member(
            Struct owner, String name, GoType type, JsonNode value, String field, String path, ObjectNode decoded)
            throws Undecodable {
        try {
            JsonNode member = value(type, value, joined(field, name), joined(path, name));
            if (owner.keptFields().containsKey(name) || !isEmpty(type, member)) {
                decoded.set(name, member);
            }
        } catch (Undecodable e) {
            if (!dropInvalid) {
                throw e;
            }
        }
    }

    private JsonNode value(GoType type, JsonNode value, String field, String path) throws Undecodable {
        return switch (type) {
            case Struct struct -> struct(struct, value, field, path);
            case ListOf list -> list(list, value, field, path);
            case MapOf map -> map(map, value, field, path);
            case Union union -> value(alternative(union, value, field), value, field, path);
            case Scalar scalar -> scalar(scalar, value, field);
        };
    }

    private JsonNode list(ListOf type, JsonNode value, String field, String path) throws Undecodable {
        if (!(value instanceof ArrayNode array)) {
            throw mismatch(value, field, type);
        }
        ArrayNode decoded = Json.array();
        for (JsonNode element : array) {
            decoded.add(element(type.element(), element, field, path + "[" + decoded.size() + "]"));
        }
        return decoded;
    }

    private JsonNode map(MapOf type, JsonNode value, String field, String path) throws Undecodable {
        if (!(value instanceof ObjectNode object)) {
            throw mismatch(value, field, type);
        }
        ObjectNode decoded = Json.object();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            decoded.set(entry.getKey(), element(type.element(), entry.getValue(), field, joined(path, entry.getKey())));
        }
        return decoded;
    }

    private JsonNode element(GoType type, JsonNode element, String field, String path) throws Undecodable {
        return element.isNull() ? zero(type) : value(type, element, field, path);
    }

    private GoType alternative(Union union, JsonNode value, String field) throws Undecodable {
        for (GoType alternative : union.alternatives()) {
            boolean fits = switch (alternative) {
                case Struct struct -> value.isObject();
                case MapOf map -> value.isObject();
                case ListOf list -> value.isArray();
                case Scalar scalar -> fits(scalar.shape(), value);
                case Union nested -> false;
            };
            if (fits) {
                return alternative;
            }
        }
        throw mismatch(value, field, union);
    }

    private JsonNode scalar(Scalar type, JsonNode value, String field) throws Undecodable {
        if (!fits(type.shape(), value) || (type.goName().equals("int32") && !value.canConvertToInt())) {
            throw mismatch(value, field, type);
        }
        return type.shape() == GoType.Shape.TIME ? time(value.stringValue()) : value;
    }

    private static boolean fits(GoType.Shape shape, JsonNode value) {
        return switch (shape) {
            case STRING, TIME -> value.isString();
            case INTEGER -> value.isIntegralNumber();
            case NUMBER -> value.isNumber();
            case BOOLEAN -> value.isBoolean();
            case ANY -> true;
        };
    }

    /** RFC 3339 in UTC with seconds, as {@code metav1.Time} writes it. */
    private static JsonNode time(String text) throws Undecodable {
        if (text.isEmpty()) {
            return Json.nodes().stringNode("");
        }
        try {
            var instant = OffsetDateTime.parse(text).toInstant().truncatedTo(ChronoUnit.SECONDS);
            return Json.nodes().stringNode(DateTimeFormatter.ISO_INSTANT.format(instant));
        } catch (DateTimeException e) {
            throw new Undecodable("parsing time \"" + text + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \""
                    + text + "\" as \"2006\"");
        }
    }

    private static JsonNode zero(GoType type) {
        return switch (type) {
            case Struct struct -> empty(struct);
            case ListOf list -> Json.nodes().nullNode();
            case MapOf map -> Json.nodes().nullNode();
            case Union union -> Json.nodes().nullNode();
            case Scalar scalar ->
                switch (scalar.shape()) {
                    case STRING -> Json.nodes().stringNode("");
                    case INTEGER, NUMBER -> Json.nodes().numberNode(0);
                    case BOOLEAN -> Json.nodes().booleanNode(false);
                    case TIME, ANY -> Json.nodes().nullNode();
                };
        };
    }

    private static ObjectNode empty(Struct struct) {
        ObjectNode object = Json.object();
        struct.keptFields().forEach((name, type) -> object.set(name, zero(type)));
        return object;
    }

    private static boolean isEmpty(GoType type, JsonNode value) {
        return switch (type) {
            case ListOf list -> value.isEmpty();
            case MapOf map -> value.isEmpty();
            case Struct struct -> false;
            case Union union -> false;
            case Scalar scalar -> (!scalar.zeroKept() && value.equals(zero(scalar))) || isEmptyTime(scalar, value);
        };
    }

    private static boolean isEmptyTime(Scalar scalar, JsonNode value) {
        return scalar.shape() == GoType.Shape.TIME && value.stringValue().isEmpty();
    }

    private Undecodable mismatch(JsonNode value, String field, GoType type) {
        String goValue = switch (value.getNodeType()) {
            case BOOLEAN -> "bool";
            case NUMBER ->
                type instanceof Scalar scalar && scalar.shape() == GoType.Shape.INTEGER
                        ? "number " + Json.text(value)
                        : "number";
            default -> value.getNodeType().name().toLowerCase(Locale.ROOT);
        };
        String target = field.isEmpty() ? "Go value" : "Go struct field " + root + "." + field;
        return new Undecodable("json: cannot unmarshal " + goValue + " into " + target + " of type " + type.goName());
    }

    private static String joined(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** A field whose value is of another type. */
    private static final class Undecodable extends Exception {
        private static final long serialVersionUID = 1L;

        Undecodable(String problem) {
            super(problem, null, false, false);
        }
    }
}
