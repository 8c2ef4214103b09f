package io.fairlead.schema.digest;

import io.fairlead.schema.json.Numbers;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** How a keyword of a schema becomes canonical, and what its value must be for that. */
@SuppressWarnings("ImmutableEnumChecker") // the predicates are
public enum Keyword {
    /** Said to people, not to validation. */
    PROSE(_ -> true),
    /** A text; the empty one says nothing. */
    TEXT(JsonNode::isString),
    /** False says nothing. */
    FLAG(JsonNode::isBoolean),
    /** A bound of numbers, which API servers keep as a double. */
    BOUND(JsonNode::isNumber),
    /** A least count; 0 says nothing. */
    LEAST_COUNT(JsonNode::isNumber),
    GREATEST_COUNT(JsonNode::isNumber),
    /** A text whose default says nothing: lists are atomic, maps are granular. */
    LIST_TYPE(JsonNode::isString),
    MAP_TYPE(JsonNode::isString),
    /** A list in which the order counts. */
    SEQUENCE(JsonNode::isArray),
    /** A list of values in which it does not. */
    SET(JsonNode::isArray),
    /** A value as objects have it. */
    VALUE(_ -> true),
    SCHEMA(JsonNode::isObject),
    SCHEMA_OR_FLAG(value -> value.isObject() || value.isBoolean()),
    /** Schemas without an order. */
    SCHEMAS(JsonNode::isArray),
    PROPERTIES(JsonNode::isObject),
    /** Validation rules without an order. */
    RULES(JsonNode::isArray),
    /** Nothing that is known here. */
    UNKNOWN(_ -> false);

    private static final Map<String, Keyword> BY_NAME = Map.ofEntries(
            Map.entry("description", PROSE),
            Map.entry("title", PROSE),
            Map.entry("example", PROSE),
            Map.entry("externalDocs", PROSE),
            Map.entry("type", TEXT),
            Map.entry("format", TEXT),
            Map.entry("pattern", TEXT),
            Map.entry("nullable", FLAG),
            Map.entry("exclusiveMinimum", FLAG),
            Map.entry("exclusiveMaximum", FLAG),
            Map.entry("uniqueItems", FLAG),
            Map.entry("x-kubernetes-embedded-resource", FLAG),
            Map.entry("x-kubernetes-int-or-string", FLAG),
            Map.entry("x-kubernetes-preserve-unknown-fields", FLAG),
            Map.entry("minimum", BOUND),
            Map.entry("maximum", BOUND),
            Map.entry("multipleOf", BOUND),
            Map.entry("maxLength", GREATEST_COUNT),
            Map.entry("maxItems", GREATEST_COUNT),
            Map.entry("maxProperties", GREATEST_COUNT),
            Map.entry("minLength", LEAST_COUNT),
            Map.entry("minItems", LEAST_COUNT),
            Map.entry("minProperties", LEAST_COUNT),
            Map.entry("x-kubernetes-list-type", LIST_TYPE),
            Map.entry("x-kubernetes-map-type", MAP_TYPE),
            Map.entry("x-kubernetes-list-map-keys", SEQUENCE),
            Map.entry("required", SET),
            Map.entry("enum", SET),
            Map.entry("default", VALUE),
            Map.entry("items", SCHEMA),
            Map.entry("not", SCHEMA),
            Map.entry("additionalProperties", SCHEMA_OR_FLAG),
            Map.entry("allOf", SCHEMAS),
            Map.entry("anyOf", SCHEMAS),
            Map.entry("oneOf", SCHEMAS),
            Map.entry("properties", PROPERTIES),
            Map.entry("x-kubernetes-validations", RULES));

    private final Predicate<JsonNode> shape;

    Keyword(Predicate<JsonNode> shape) {
        this.shape = shape;
    }

    /** Whether doubles approximate each number in a value; API servers refuse any other, so its meaning is unknown. */
    public static boolean fitsDoubles(JsonNode value) {
        return value.isNumber()
                ? Double.isFinite(value.decimalValue().doubleValue())
                : value.values().stream().allMatch(Keyword::fitsDoubles);
    }

    /**
     * The first number in a value that API servers refuse, or do not keep as it is written: they keep bounds as
     * doubles, and values of objects as int64 or double. Nested schemas are checked separately.
     */
    public Optional<BigDecimal> unkept(JsonNode value) {
        return switch (this) {
            case BOUND -> first(value, Numbers::isShortest);
            case LEAST_COUNT, GREATEST_COUNT -> first(value, number -> Double.isFinite(number.doubleValue()));
            case SET, VALUE -> first(value, number -> Numbers.isInt64(number) || Numbers.isShortest(number));
            case PROSE,
                    TEXT,
                    FLAG,
                    LIST_TYPE,
                    MAP_TYPE,
                    SEQUENCE,
                    SCHEMA,
                    SCHEMA_OR_FLAG,
                    SCHEMAS,
                    PROPERTIES,
                    RULES,
                    UNKNOWN -> Optional.empty();
        };
    }

    private static Optional<BigDecimal> first(JsonNode value, Predicate<BigDecimal> isKept) {
        if (value.isNumber()) {
            return Optional.of(value.decimalValue()).filter(isKept.negate());
        }
        return value.values().stream()
                .flatMap(part -> first(part, isKept).stream())
                .findFirst();
    }

    /** The keyword of this name if the value is one that it can have, else {@link #UNKNOWN}. */
    public static Keyword of(String name, JsonNode value) {
        Keyword keyword = BY_NAME.getOrDefault(name, UNKNOWN);
        return keyword.shape.test(value) ? keyword : UNKNOWN;
    }
}
