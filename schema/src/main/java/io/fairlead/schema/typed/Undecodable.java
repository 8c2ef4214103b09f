package io.fairlead.schema.typed;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Shape;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** A value of another type than its field, in the words of Go. */
final class Undecodable extends Exception {
    private static final long serialVersionUID = 1L;

    Undecodable(String problem) {
        super(problem, null, false, false);
    }

    /**
     * As {@code encoding/json} tells it.
     *
     * @param root the type of the whole object
     */
    static Undecodable decoded(String root, TypedPlace place, GoType type, JsonNode value) {
        String field = place.field();
        String struct = place.struct().isEmpty() ? root : place.struct();
        return unmarshalled(type, value, field.isEmpty() ? "Go value" : "Go struct field " + struct + "." + field);
    }

    private static Undecodable unmarshalled(GoType type, JsonNode value, String target) {
        String goValue = switch (value.getNodeType()) {
            case BOOLEAN -> "bool";
            case NUMBER ->
                type instanceof Scalar scalar && isInteger(scalar.shape()) ? "number " + Json.text(value) : "number";
            default -> value.getNodeType().name().toLowerCase(Locale.ROOT);
        };
        return new Undecodable(
                "json: cannot unmarshal " + goValue + " into " + target + " of type " + readAs(type, value));
    }

    private static boolean isInteger(Shape shape) {
        return shape == Shape.INT32 || shape == Shape.INT64 || shape == Shape.INT_OR_STRING;
    }

    /** What Go reads a value as: a time as a text first, a number that may also be a text as an integer. */
    private static String readAs(GoType type, JsonNode value) {
        return switch (type) {
            case Scalar scalar when scalar.shape() == Shape.TIME || scalar.shape() == Shape.MICRO_TIME -> "string";
            case Scalar scalar when scalar.shape() == Shape.INT_OR_STRING && value.isNumber() -> "int32";
            default -> type.goName();
        };
    }

    /** As apimachinery tells it of a tree that it converts ({@code runtime/converter.go}); types that read JSON themselves do so. */
    static Undecodable converted(GoType type, JsonNode value) {
        return switch (type) {
            case Struct _ -> new Undecodable("cannot restore struct from: " + kind(value));
            case MapOf _ -> new Undecodable("cannot restore map from " + kind(value));
            case ListOf _ -> new Undecodable("cannot restore slice from " + kind(value));
            case Union union -> unmarshalled(union, value, "Go value");
            case Scalar scalar ->
                switch (scalar.shape()) {
                    case BYTES -> new Undecodable("cannot restore slice from " + kind(value));
                    case STRING -> value.isIntegralNumber() ? unlike(scalar, value) : unrecognized("string");
                    case INT32 -> value.isNumber() ? unlike(scalar, value) : unrecognized("int32");
                    case INT64 -> value.isNumber() ? unlike(scalar, value) : unrecognized("int64");
                    case NUMBER -> unrecognized("float64");
                    case BOOLEAN -> unrecognized("bool");
                    case TIME, MICRO_TIME, QUANTITY, INT_OR_STRING, ANY -> unmarshalled(scalar, value, "Go value");
                };
        };
    }

    /** Of types between which Go could convert. */
    private static Undecodable unlike(Scalar type, JsonNode value) {
        return new Undecodable("cannot convert " + kind(value) + " to " + type.goName());
    }

    private static Undecodable unrecognized(String kind) {
        return new Undecodable("unrecognized type: " + kind);
    }

    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "map";
            case ARRAY -> "slice";
            case BOOLEAN -> "bool";
            case NUMBER -> value.isIntegralNumber() && value.canConvertToLong() ? "int64" : "float64";
            default -> "string";
        };
    }
}
