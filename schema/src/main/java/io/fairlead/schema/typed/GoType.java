package io.fairlead.schema.typed;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The type of a field, as far as JSON shows it. */
public sealed interface GoType {
    GoType STRING = new Scalar("string", Shape.STRING, false);
    GoType OPTIONAL_STRING = new Scalar("string", Shape.STRING, true);
    GoType INTEGER = new Scalar("int64", Shape.INTEGER, false);
    GoType OPTIONAL_INTEGER = new Scalar("int64", Shape.INTEGER, true);
    GoType INT32 = new Scalar("int32", Shape.INTEGER, false);
    GoType OPTIONAL_INT32 = new Scalar("int32", Shape.INTEGER, true);
    GoType OPTIONAL_NUMBER = new Scalar("float64", Shape.NUMBER, true);
    GoType BOOLEAN = new Scalar("bool", Shape.BOOLEAN, false);
    GoType OPTIONAL_BOOLEAN = new Scalar("bool", Shape.BOOLEAN, true);
    GoType TIME = new Scalar("string", Shape.TIME, false);
    GoType ANY = new Scalar("json", Shape.ANY, true);
    GoType STRINGS = new ListOf("[]string", STRING);
    GoType STRING_MAP = new MapOf("map[string]string", STRING);

    /** How the type is named in messages ({@code map[string]string}). */
    String goName();

    /** What JSON a scalar may be. */
    enum Shape {
        STRING,
        INTEGER,
        NUMBER,
        BOOLEAN,
        /** An RFC 3339 time, kept in UTC and to the second. */
        TIME,
        ANY
    }

    /** A single value; {@code zeroKept} if it is a pointer in Go, so that zero is not the same as nothing. */
    record Scalar(String goName, Shape shape, boolean zeroKept) implements GoType {}

    /** A list. */
    record ListOf(String goName, GoType element) implements GoType {}

    /** A map. */
    record MapOf(String goName, GoType element) implements GoType {}

    /** One of several types, told apart by the JSON (object, array, boolean). */
    record Union(String goName, List<GoType> alternatives) implements GoType {}

    /** A struct of named fields. Filled once, before anything is decoded with it. */
    final class Struct implements GoType {
        private final String goName;
        private final Map<String, GoType> fields = new HashMap<>();
        private final Map<String, GoType> kept = new HashMap<>();

        public Struct(String goName) {
            this.goName = goName;
        }

        /** A field that is left out when empty. */
        public Struct field(String name, GoType type) {
            fields.put(name, type);
            return this;
        }

        /** A field that is written even when empty. */
        public Struct kept(String name, GoType type) {
            kept.put(name, type);
            return field(name, type);
        }

        @Override
        public String goName() {
            return goName;
        }

        Map<String, GoType> fields() {
            return fields;
        }

        Map<String, GoType> keptFields() {
            return kept;
        }
    }
}
