package io.fairlead.schema.typed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.text.Quantities;
import io.fairlead.schema.typed.GoType.Alternative;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One decoding of a tree by the description of its type. */
public final class TypedDecoder {
    /** Up to here every integer is a double. */
    private static final long EXACT_INTEGER_MAX = 1L << 53;

    private static final Pattern QUANTITY = Pattern.compile("^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$");
    private static final Pattern NUMBER_AND_SUFFIX =
            Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)[eEinumkKMGTP]*[-+]?[0-9]*");

    private static final String NO_QUANTITY = "quantities must match the regular expression '" + QUANTITY + "'";
    private static final int UNKNOWN_MAX = 100;
    private static final int NODES_MAX = 250_000;

    private final String root;
    private final boolean dropInvalid;
    private final List<String> unknownFields = new ArrayList<>();
    private int nodes;

    private TypedDecoder(Struct type, boolean dropInvalid) {
        this.root = type.simpleName();
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
     * @param path where the tree is in its object, empty at the root; reported paths begin with it
     * @param dropInvalid whether fields of a wrong type are dropped (reading what is stored) instead of refused
     */
    public static Decoded decode(Struct type, JsonNode tree, String path, boolean dropInvalid) {
        TypedDecoder decoder = new TypedDecoder(type, dropInvalid);
        try {
            ObjectNode decoded = tree.isNull() ? empty(type) : decoder.struct(type, tree, TypedPlace.root(path));
            return new Decoded(decoded, decoder.unknownFields, null);
        } catch (Undecodable e) {
            return new Decoded(Json.object(), decoder.unknownFields, e.getMessage());
        }
    }

    /** What a list of structs means, null as an empty one; null if it cannot be decoded. */
    static @Nullable ArrayNode decodeList(Struct element, JsonNode list) {
        TypedDecoder decoder = new TypedDecoder(element, false);
        try {
            return list.isNull()
                    ? Json.array()
                    : (ArrayNode) decoder.list(new ListOf("", element), list, TypedPlace.root(""));
        } catch (Undecodable e) {
            return null;
        }
    }

    private ObjectNode struct(Struct type, JsonNode value, TypedPlace place) throws Undecodable {
        if (!(value instanceof ObjectNode object)) {
            if (dropInvalid) {
                return empty(type);
            }
            throw mismatch(value, place, type);
        }
        ObjectNode decoded = Json.object();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            Field memberField = type.field(member.getKey());
            if (memberField == null) {
                addUnknown(place.child(member.getKey()));
            } else if (!member.getValue().isNull() && !isPassedOver(memberField.type(), member.getValue())) {
                member(type, memberField, member.getValue(), place, decoded);
            }
        }
        count(decoded.size());
        return completed(type, decoded);
    }

    /** What {@code JSONSchemaPropsOrArray} reads is an object or an array; nothing else is even looked at. */
    private static boolean isPassedOver(GoType type, JsonNode value) {
        return type instanceof Union union
                && union.goName().equals("v1.JSONSchemaPropsOrArray")
                && !value.isContainer();
    }

    /** What a client writes in three characters is an object with all that it may be completed with. */
    private void count(int more) throws Undecodable {
        nodes += more + 1;
        if (nodes > NODES_MAX) {
            throw new Undecodable("the object has more than " + NODES_MAX + " fields");
        }
    }

    /** As many as Go's decoder tells of. */
    private void addUnknown(TypedPlace place) {
        if (unknownFields.size() < UNKNOWN_MAX) {
            unknownFields.add(place.path());
        }
    }

    private void member(Struct type, Field member, JsonNode value, TypedPlace place, ObjectNode decoded)
            throws Undecodable {
        try {
            String name = member.name();
            TypedPlace of = place;
            for (Struct in = type.embedding(name); in != null; in = in.embedding(name)) {
                of = of.embedded(in);
            }
            JsonNode read = value(member.type(), value, of.child(name, type));
            if (member.kept() || !isEmpty(member.type(), read) || isSaidEmpty(type, member)) {
                decoded.set(name, read);
            }
        } catch (Undecodable e) {
            if (!dropInvalid) {
                throw e;
            }
        }
    }

    private JsonNode value(GoType type, JsonNode value, TypedPlace place) throws Undecodable {
        return switch (type) {
            case Struct struct -> struct(struct, value, place);
            case ListOf list -> list(list, value, place);
            case MapOf map -> map(map, value, place);
            case Union union -> value(alternative(union, value, place), value, place);
            case Scalar scalar -> scalar(scalar, value, place);
        };
    }

    private JsonNode list(ListOf type, JsonNode value, TypedPlace place) throws Undecodable {
        if (!(value instanceof ArrayNode array)) {
            throw mismatch(value, place, type);
        }
        ArrayNode decoded = Json.array();
        for (JsonNode element : array) {
            decoded.add(element(type.element(), element, place.item(decoded.size())));
        }
        count(decoded.size());
        return decoded;
    }

    private JsonNode map(MapOf type, JsonNode value, TypedPlace place) throws Undecodable {
        if (!(value instanceof ObjectNode object)) {
            throw mismatch(value, place, type);
        }
        ObjectNode decoded = Json.object();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            decoded.set(entry.getKey(), element(type.element(), entry.getValue(), place.entry(entry.getKey())));
        }
        return decoded;
    }

    private JsonNode element(GoType type, JsonNode element, TypedPlace place) throws Undecodable {
        return element.isNull() ? zero(type) : value(type, element, place);
    }

    private GoType alternative(Union union, JsonNode value, TypedPlace place) throws Undecodable {
        for (Alternative one : union.alternatives()) {
            GoType alternative = one.type();
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
        throw mismatch(value, place, union);
    }

    private JsonNode scalar(Scalar type, JsonNode value, TypedPlace place) throws Undecodable {
        if (!fits(type.shape(), value)) {
            throw type.shape() == GoType.Shape.QUANTITY ? noQuantity() : mismatch(value, place, type);
        }
        return switch (type.shape()) {
            case TIME -> time(value.stringValue(), false);
            case MICRO_TIME -> time(value.stringValue(), true);
            case BYTES -> bytes(value);
            case QUANTITY -> quantity(value);
            case NUMBER -> float64(value);
            case STRING, INT32, INT64, BOOLEAN, INT_OR_STRING, ANY -> value;
        };
    }

    private static boolean fits(GoType.Shape shape, JsonNode value) {
        return switch (shape) {
            case STRING, TIME, MICRO_TIME, BYTES -> value.isString();
            case INT32 -> value.isIntegralNumber() && value.canConvertToInt();
            case INT64 -> value.isIntegralNumber();
            case NUMBER -> value.isNumber();
            case BOOLEAN -> value.isBoolean();
            case QUANTITY -> value.isString() || value.isNumber();
            case INT_OR_STRING -> value.isString() || (value.isIntegralNumber() && value.canConvertToInt());
            case ANY -> true;
        };
    }

    /** An integer beyond 53 bits is the nearest double from here on, as in a field of Go's that is one. */
    private static JsonNode float64(JsonNode value) {
        if (!value.isIntegralNumber()) {
            return value;
        }
        long integer = value.longValue();
        boolean isExact = integer >= -EXACT_INTEGER_MAX && integer <= EXACT_INTEGER_MAX;
        return isExact ? value : Json.nodes().numberNode((double) integer);
    }

    /** As {@code metav1.Time} and {@code metav1.MicroTime} are read and written: their zero time is null. */
    private static JsonNode time(String text, boolean micros) throws Undecodable {
        try {
            return Times.node(GoTime.parse(text, micros), micros);
        } catch (DateTimeException e) {
            throw new Undecodable(String.valueOf(e.getMessage()));
        }
    }

    /** As Go reads and writes bytes ({@code encoding/base64}): lines may be broken, and padding must be there. */
    private static JsonNode bytes(JsonNode base64) throws Undecodable {
        String text = base64.stringValue();
        String joined = text.replace("\n", "").replace("\r", "");
        try {
            if (joined.length() % 4 == 0) {
                String canonical =
                        Base64.getEncoder().encodeToString(Base64.getDecoder().decode(joined));
                return canonical.equals(text) ? base64 : Json.nodes().stringNode(canonical);
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        throw new Undecodable("illegal base64 data at input byte " + firstIllegal(text, joined.length()));
    }

    /**
     * The position where Go's decoder would stop: at the first character outside of the alphabet, or in the last, short
     * group.
     *
     * @param joined how many characters there are without the ends of lines
     */
    private static int firstIllegal(String text, int joined) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!letter && c != '+' && c != '/' && c != '\n' && c != '\r') {
                return i;
            }
        }
        return text.length() - joined % 4;
    }

    private static Undecodable noQuantity() {
        return new Undecodable(NO_QUANTITY);
    }

    private static JsonNode quantity(JsonNode value) throws Undecodable {
        String text = value.isString() ? value.stringValue().strip() : Json.text(value);
        if (text.length() > Quantities.CHARS_MAX) {
            throw new Undecodable("quantities must have at most " + Quantities.CHARS_MAX + " characters");
        }
        String canonical = Quantities.canonical(text)
                .orElseThrow(() -> new Undecodable(
                        NUMBER_AND_SUFFIX.matcher(text).matches() ? "unable to parse quantity's suffix" : NO_QUANTITY));
        return Json.nodes().stringNode(canonical);
    }

    private static JsonNode zero(GoType type) {
        return switch (type) {
            case Struct struct -> empty(struct);
            case ListOf list -> Json.nodes().nullNode();
            case MapOf map -> Json.nodes().nullNode();
            case Union union -> Json.nodes().nullNode();
            case Scalar scalar ->
                switch (scalar.shape()) {
                    case STRING, BYTES -> Json.nodes().stringNode("");
                    case INT32, INT64, NUMBER, INT_OR_STRING -> Json.nodes().numberNode(0);
                    case BOOLEAN -> Json.nodes().booleanNode(false);
                    case QUANTITY -> Json.nodes().stringNode("0");
                    case TIME, MICRO_TIME, ANY -> Json.nodes().nullNode();
                };
        };
    }

    private static ObjectNode empty(Struct struct) {
        return completed(struct, Json.object());
    }

    /** The object with what is written even when empty. */
    private static ObjectNode completed(Struct struct, ObjectNode object) {
        for (Field field : struct.fields()) {
            if (field.kept() && !object.has(field.name())) {
                object.set(field.name(), field.pointer() ? Json.nodes().nullNode() : zero(field.type()));
            }
        }
        return object;
    }

    /** Whether an empty list is not the same as none: the first is refused, the second completed. */
    private static boolean isSaidEmpty(Struct type, Field member) {
        return type.name().equals("autoscaling/v2.HPAScalingRules")
                && member.name().equals("policies");
    }

    private static boolean isEmpty(GoType type, JsonNode value) {
        return switch (type) {
            case ListOf list -> value.isEmpty();
            case MapOf map -> value.isEmpty();
            case Struct struct -> false;
            case Union union -> false;
            case Scalar scalar -> !scalar.zeroKept() && value.equals(zero(scalar));
        };
    }

    private Undecodable mismatch(JsonNode value, TypedPlace place, GoType type) {
        String field = place.field();
        String goValue = switch (value.getNodeType()) {
            case BOOLEAN -> "bool";
            case NUMBER ->
                type instanceof Scalar(String _, GoType.Shape shape, boolean _) && isInteger(shape)
                        ? "number " + Json.text(value)
                        : "number";
            default -> value.getNodeType().name().toLowerCase(Locale.ROOT);
        };
        String struct = place.struct().isEmpty() ? root : place.struct();
        String target = field.isEmpty() ? "Go value" : "Go struct field " + struct + "." + field;
        return new Undecodable(
                "json: cannot unmarshal " + goValue + " into " + target + " of type " + readAs(type, value));
    }

    private static boolean isInteger(GoType.Shape shape) {
        return shape == GoType.Shape.INT32 || shape == GoType.Shape.INT64 || shape == GoType.Shape.INT_OR_STRING;
    }

    /** What Go reads a value as: a time as a text first, a number that may also be a text as an integer. */
    private static String readAs(GoType type, JsonNode value) {
        return switch (type) {
            case Scalar(String _, GoType.Shape shape, boolean _)
            when shape == GoType.Shape.TIME || shape == GoType.Shape.MICRO_TIME -> "string";
            case Scalar(String _, GoType.Shape shape, boolean _)
            when shape == GoType.Shape.INT_OR_STRING && value.isNumber() -> "int32";
            default -> type.goName();
        };
    }

    /** A field whose value is of another type. */
    private static final class Undecodable extends Exception {
        private static final long serialVersionUID = 1L;

        Undecodable(String problem) {
            super(problem, null, false, false);
        }
    }
}
