package io.fairlead.schema.compare;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.JsonKey;
import java.math.BigDecimal;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DecimalNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON values that are the same value, whatever nodes they are made of. */
final class Values {
    private Values() {}

    static boolean same(@Nullable JsonNode one, @Nullable JsonNode other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        if (one.getNodeType() != other.getNodeType()) {
            return false;
        }
        return switch (one.getNodeType()) {
            case OBJECT -> sameObject(one, other);
            case ARRAY -> sameArray(one, other);
            case NUMBER -> one.decimalValue().compareTo(other.decimalValue()) == 0;
            case STRING, BOOLEAN, NULL, MISSING, BINARY, POJO -> one.equals(other);
        };
    }

    private static boolean sameObject(JsonNode one, JsonNode other) {
        return one.size() == other.size()
                && one.properties().stream().allMatch(member -> same(member.getValue(), other.get(member.getKey())));
    }

    private static boolean sameArray(JsonNode one, JsonNode other) {
        if (one.size() != other.size()) {
            return false;
        }
        Iterator<JsonNode> others = other.values().iterator();
        return one.values().stream().allMatch(element -> same(element, others.next()));
    }

    /** A value as the key of a map: equal keys are the same value. */
    static JsonKey key(JsonNode value) {
        return new JsonKey(normal(value));
    }

    private static JsonNode normal(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> {
                ObjectNode members = Json.object();
                value.properties().forEach(member -> members.set(member.getKey(), normal(member.getValue())));
                yield members;
            }
            case ARRAY ->
                Json.array().addAll(value.values().stream().map(Values::normal).toList());
            case NUMBER -> DecimalNode.valueOf(normal(value.decimalValue()));
            case STRING, BOOLEAN, NULL, MISSING, BINARY, POJO -> value;
        };
    }

    private static BigDecimal normal(BigDecimal number) {
        return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    }
}
