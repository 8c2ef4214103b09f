package io.fairlead.schema.compare;

import io.fairlead.schema.digest.Keyword;
import io.fairlead.schema.json.Numbers;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Looks through a schema in canonical form for what has no meaning that is known here. */
final class NotUnderstood {
    private static final Set<String> FIELDS_OF_RULES = Set.of("rule", "optionalOldSelf");

    private final Differences found;
    private final boolean isOld;

    /**
     * A search.
     *
     * @param isOld whether the schema is the old one of the two that are compared
     */
    NotUnderstood(Differences found, boolean isOld) {
        this.found = found;
        this.isOld = isOld;
    }

    void in(JsonNode schema, Place place) {
        if (!schema.isObject()) {
            tell(place, "schema", schema);
            return;
        }
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            keyword(keyword.getKey(), keyword.getValue(), place);
        }
    }

    private void keyword(String name, JsonNode value, Place place) {
        Keyword keyword = Keyword.of(name, value);
        boolean isKnown = switch (keyword) {
            case UNKNOWN -> false;
            case TEXT -> !name.equals("type") || !typeIsUnknown(value);
            case LEAST_COUNT, GREATEST_COUNT -> isCount(value);
            case SET -> !name.equals("required") || isTexts(value);
            case SEQUENCE -> isTexts(value);
            case RULES -> value.values().stream().allMatch(NotUnderstood::isRule);
            case PROSE, BOUND, FLAG, LIST_TYPE, MAP_TYPE, VALUE, SCHEMA, SCHEMA_OR_FLAG, SCHEMAS, PROPERTIES -> true;
        };
        if (!isKnown || keyword.unkept(value).isPresent()) {
            tell(place, name, value);
            return;
        }
        switch (name) {
            case "properties" ->
                value.properties()
                        .forEach(member -> in(member.getValue(), place.member(member.getKey(), false, false)));
            case "items" -> in(value, place.element(false, false));
            case "additionalProperties" -> {
                if (value.isObject()) {
                    in(value, place.otherMember());
                }
            }
            case "not" -> in(value, place);
            case "allOf", "anyOf", "oneOf" -> value.values().forEach(schema -> in(schema, place));
            default -> {}
        }
    }

    private void tell(Place place, String rule, JsonNode value) {
        found.addNotUnderstood(place.told(), rule, isOld ? value : null, isOld ? null : value);
    }

    private static boolean typeIsUnknown(JsonNode type) {
        return switch (type.stringValue()) {
            case "integer", "number", "string", "boolean", "object", "array" -> false;
            default -> true;
        };
    }

    private static boolean isCount(JsonNode value) {
        return value.decimalValue().signum() >= 0 && Numbers.isInt64(value.decimalValue());
    }

    private static boolean isTexts(JsonNode list) {
        return list.values().stream().allMatch(JsonNode::isString);
    }

    private static boolean isRule(JsonNode rule) {
        return rule.isObject()
                && FIELDS_OF_RULES.containsAll(rule.propertyNames())
                && rule.path("rule").isString();
    }
}
