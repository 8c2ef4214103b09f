package io.fairlead.schema.json;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A value of a client as the key of a map. Keys are equal if their values are; see {@link RandomHash}. */
public final class JsonKey {
    private static final int ORDERED = 31;

    private final JsonNode value;
    private final int hash;

    /** @param value not to be changed from now on */
    public JsonKey(JsonNode value) {
        this.value = value;
        this.hash = hash(value);
    }

    public JsonNode value() {
        return value;
    }

    private static int hash(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> members(object);
            case ArrayNode array -> elements(array);
            default -> scalar(value);
        };
    }

    private static int scalar(JsonNode value) {
        if (value.isNumber() && !value.isIntegralNumber()) {
            return RandomHash.of(Double.doubleToLongBits(value.asDouble(0))); // equal ones may be written differently
        }
        return RandomHash.of(value.isString() ? value.stringValue() : value.toString());
    }

    private static int members(ObjectNode object) {
        int sum = object.size();
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            long name = RandomHash.of(member.getKey());
            sum += RandomHash.of((name << Integer.SIZE) | Integer.toUnsignedLong(hash(member.getValue())));
        }
        return sum;
    }

    private static int elements(ArrayNode array) {
        int hash = array.size();
        for (JsonNode element : array.values()) {
            hash = ORDERED * hash + hash(element);
        }
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonKey key && hash == key.hash && value.equals(key.value);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
