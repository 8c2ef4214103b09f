package io.fairlead.schema.compare;

import java.util.EnumSet;
import java.util.Set;

/** The types of JSON values that schemas tell apart; an integer is a number too. */
enum ValueType {
    INTEGER,
    FRACTION,
    STRING,
    BOOLEAN,
    OBJECT,
    ARRAY;

    /** Whether all of them are values without parts. */
    static boolean areScalar(Set<ValueType> types) {
        return !types.contains(OBJECT) && !types.contains(ARRAY);
    }

    /** The types that a schema allows: all if it names none; none if it names one that does not exist. */
    static Set<ValueType> of(SchemaNode schema) {
        if (schema.is("x-kubernetes-int-or-string")) {
            return EnumSet.of(INTEGER, STRING);
        }
        return switch (schema.text("type")) {
            case "" -> EnumSet.allOf(ValueType.class);
            case "integer" -> EnumSet.of(INTEGER);
            case "number" -> EnumSet.of(INTEGER, FRACTION);
            case "string" -> EnumSet.of(STRING);
            case "boolean" -> EnumSet.of(BOOLEAN);
            case "object" -> EnumSet.of(OBJECT);
            case "array" -> EnumSet.of(ARRAY);
            default -> EnumSet.noneOf(ValueType.class);
        };
    }
}
