package io.fairlead.schema.cel.value;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Values of JSON by its own form. Those of elements and members are made when they are read. */
final class JsonValues {
    private JsonValues() {}

    static Object of(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> new Members((ObjectNode) node);
            case ARRAY -> list((ArrayNode) node);
            case STRING -> node.stringValue();
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> number(node);
            case NULL, MISSING -> Null.VALUE;
            case BINARY, POJO -> new CelError("invalid data, got " + node.getNodeType() + " which JSON has not");
        };
    }

    private static ListValue list(ArrayNode array) {
        return ListValue.lazy(array.size(), ListKind.ATOMIC, i -> of(array.get(i)));
    }

    /** Trees whose numbers are decimals have integers among them. */
    private static Object number(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return node.longValue();
        }
        if (!node.isBigDecimal()) {
            return node.isBigInteger() ? node.bigIntegerValue().doubleValue() : node.doubleValue();
        }
        BigDecimal decimal = node.decimalValue();
        boolean integer = decimal.scale() == 0 && decimal.unscaledValue().bitLength() < Long.SIZE;
        return integer ? (Object) decimal.longValue() : (Object) decimal.doubleValue();
    }

    /** An object: its members by their names. */
    private record Members(ObjectNode object) implements MapValue {
        @Override
        public int size() {
            return object.size();
        }

        @Override
        public @Nullable Object find(Object key) {
            JsonNode member = key instanceof String name ? object.get(name) : null;
            return member == null ? null : of(member);
        }

        @Override
        public List<Object> keys() {
            return new ArrayList<>(object.propertyNames());
        }
    }
}
