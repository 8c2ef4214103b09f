package io.fairlead.schema.typed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType.Alternative;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** One decoding of a tree by the description of its type. */
public final class TypedDecoder {
    private static final int UNKNOWN_MAX = 100;
    private static final int NODES_MAX = 250_000;

    private final String root;
    private final Reading reading;
    private final List<String> unknownFields = new ArrayList<>();
    private int nodes;

    private TypedDecoder(Struct type, Reading reading) {
        this.root = type.simpleName();
        this.reading = reading;
    }

    /** How a tree is read. */
    private enum Reading {
        /** As Go decodes JSON. */
        DECODED,
        /** As what is stored: fields of a wrong type are dropped. */
        STORED,
        /** As Go converts a tree of maps and lists (apimachinery {@code runtime/converter.go}). */
        CONVERTED
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
        return read(type, tree, path, dropInvalid ? Reading.STORED : Reading.DECODED);
    }

    /**
     * Converts a tree, which is not changed: the result of an applied configuration or of a strategic merge patch, which is no text
     * again in kube-apiserver. Numbers lose what their fields cannot hold.
     */
    public static Decoded convert(Struct type, JsonNode tree) {
        return read(type, tree, "", Reading.CONVERTED);
    }

    private static Decoded read(Struct type, JsonNode tree, String path, Reading reading) {
        TypedDecoder decoder = new TypedDecoder(type, reading);
        try {
            ObjectNode decoded = tree.isNull() ? empty(type) : decoder.struct(type, tree, TypedPlace.root(path));
            return new Decoded(decoded, decoder.unknownFields, null);
        } catch (Undecodable e) {
            return new Decoded(Json.object(), decoder.unknownFields, e.getMessage());
        }
    }

    /** What a list of structs means, null as an empty one; null if it cannot be decoded. */
    static @Nullable ArrayNode decodeList(Struct element, JsonNode list) {
        TypedDecoder decoder = new TypedDecoder(element, Reading.DECODED);
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
            if (reading == Reading.STORED) {
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
        RefusedEmptiness.keep(type, object, decoded);
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
            if (member.kept() || !isEmpty(member.type(), read)) {
                decoded.set(name, read);
            }
        } catch (Undecodable e) {
            if (reading != Reading.STORED) {
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
        JsonNode given = reading == Reading.CONVERTED ? Scalars.converted(type.shape(), value) : value;
        if (!fits(type.shape(), given)) {
            throw type.shape() == GoType.Shape.QUANTITY ? Scalars.noQuantity() : mismatch(value, place, type);
        }
        try {
            return Scalars.read(type.shape(), given);
        } catch (Undecodable e) {
            throw reading == Reading.CONVERTED && type.shape() == GoType.Shape.BYTES
                    ? new Undecodable("error decoding from json: " + e.getMessage())
                    : e;
        }
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
        return reading == Reading.CONVERTED
                ? Undecodable.converted(type, value)
                : Undecodable.decoded(root, place, type, value);
    }
}
