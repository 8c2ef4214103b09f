package io.fairlead.schema.compare;

import java.util.Collections;
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

    /** Whether a keyword says something of a value that a schema allows: others pass it by, as integers do {@code maxLength}. */
    static boolean isConcerned(SchemaNode schema, String keyword) {
        Set<ValueType> concerned = switch (keyword) {
            case "minLength", "maxLength", "pattern" -> EnumSet.of(STRING);
            case "minimum", "maximum", "multipleOf" -> EnumSet.of(INTEGER, FRACTION);
            case "minItems", "maxItems" -> EnumSet.of(ARRAY);
            case "minProperties", "maxProperties" -> EnumSet.of(OBJECT);
            default -> EnumSet.allOf(ValueType.class);
        };
        return !Collections.disjoint(of(schema), concerned);
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
