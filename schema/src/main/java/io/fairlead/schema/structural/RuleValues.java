package io.fairlead.schema.structural;

import io.fairlead.schema.cel.Identifiers;
import io.fairlead.schema.cel.library.GoDuration;
import io.fairlead.schema.cel.library.TimeFunctions;
import io.fairlead.schema.cel.value.Bytes;
import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListKind;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.MapValue;
import io.fairlead.schema.cel.value.Null;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import java.util.ArrayList;
import java.util.Base64;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values of one object as rules see them, by their schema (apiserver {@code cel/common/valuesunstructured.go}). Texts of a format
 * are read once each, since they may be long and rules may look at them often. One thread.
 */
final class RuleValues {
    private final IdentityHashMap<JsonNode, Object> read = new IdentityHashMap<>();

    /** The value of a node; a list's elements and an object's members are made when they are read. */
    Object of(JsonNode node, JsonSchema schema, boolean resource) {
        if (node.isNull()) {
            return schema.nullable ? Null.VALUE : new CelError("invalid data, got null for schema with nullable=false");
        }
        if (schema.intOrString) {
            return node.isString()
                    ? node.stringValue()
                    : node.isIntegralNumber()
                            ? (Object) node.longValue()
                            : new CelError(
                                    "invalid data, expected XIntOrString value to be either a string or integer");
        }
        return switch (node) {
            case ObjectNode object when schema.type.equals("object") -> new Members(object, schema, resource);
            case ArrayNode array
            when schema.type.equals("array") && schema.items != null -> list(array, schema, schema.items);
            default -> scalar(node, schema);
        };
    }

    private ListValue list(ArrayNode array, JsonSchema schema, JsonSchema items) {
        ListKind kind = switch (schema.listType) {
            case "set" -> ListKind.SET;
            case "map" ->
                new ListKind.Keyed(schema.listMapKeys.stream()
                        .map(key -> Identifiers.escape(key).orElse(key))
                        .toList());
            default -> ListKind.ATOMIC;
        };
        return ListValue.lazy(array.size(), kind, i -> of(array.get(i), items, items.embeddedResource));
    }

    private Object scalar(JsonNode node, JsonSchema schema) {
        return switch (schema.type) {
            case "string" -> node.isString() ? text(node, schema.format) : unexpected("string");
            case "boolean" -> node.isBoolean() ? (Object) node.booleanValue() : unexpected("bool");
            case "integer" ->
                node.isIntegralNumber()
                        ? (Object) node.longValue()
                        : unexpected(node.isNumber() ? "int, got float64" : "int");
            case "number" -> node.isNumber() ? (Object) node.doubleValue() : unexpected("float");
            default -> unexpected(schema.type);
        };
    }

    private static CelError unexpected(String type) {
        return new CelError("invalid data, expected " + type);
    }

    private Object text(JsonNode node, String format) {
        return switch (format) {
            case "duration", "date", "date-time", "byte" ->
                read.computeIfAbsent(node, text -> read(text.stringValue(), format));
            default -> node.stringValue();
        };
    }

    private static Object read(String text, String format) {
        return switch (format) {
            case "duration" ->
                GoDuration.parse(text).<Object>map(duration -> duration).orElse(invalid("duration", text));
            case "date" ->
                TimeFunctions.parse(text + "T00:00:00Z")
                        .<Object>map(instant -> instant)
                        .orElse(invalid("date formatted string", text));
            case "date-time" ->
                TimeFunctions.parse(text)
                        .<Object>map(instant -> instant)
                        .orElse(invalid("date-time formatted string", text));
            case "byte" -> bytes(text);
            default -> text;
        };
    }

    private static Object bytes(String text) {
        try {
            return new Bytes(Base64.getUrlDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            int at = Math.max(0, text.replaceAll("[+/].*", "").length());
            return new CelError("Invalid byte formatted string " + Values.shown(text)
                    + ": illegal base64 data at input byte " + at);
        }
    }

    private static CelError invalid(String what, String text) {
        return new CelError("Invalid " + what + " " + Values.shown(text));
    }

    /** An object: its members by the identifiers of its properties, or by their names if it is a map. */
    private final class Members implements MapValue {
        private final ObjectNode object;
        private final Map<String, JsonSchema> properties;
        private final @Nullable JsonSchema values;

        Members(ObjectNode object, JsonSchema schema, boolean resource) {
            this.object = object;
            this.properties = RuleTypes.properties(schema, resource);
            this.values = properties.isEmpty() ? schema.additionalProperties.schema() : null;
        }

        @Override
        public int size() {
            return object.size();
        }

        @Override
        public @Nullable Object find(Object key) {
            if (!(key instanceof String identifier)) {
                return CelError.NO_SUCH_OVERLOAD;
            }
            Optional<String> name = properties.isEmpty() ? Optional.of(identifier) : Identifiers.unescape(identifier);
            JsonNode value = name.map(object::get).orElse(null);
            if (name.isEmpty() || value == null || (value.isNull() && !properties.isEmpty())) {
                return null;
            }
            JsonSchema schema = schema(name.get());
            return schema == null ? null : of(value, schema, schema.embeddedResource);
        }

        private @Nullable JsonSchema schema(String name) {
            return values == null ? properties.get(name) : values;
        }

        @Override
        public List<Object> keys() {
            List<Object> keys = new ArrayList<>();
            for (String name : object.propertyNames()) {
                if (schema(name) != null) {
                    keys.add(
                            properties.isEmpty()
                                    ? name
                                    : Identifiers.escape(name).orElse(name));
                }
            }
            return keys;
        }

        private static void compare(JsonNode value, Work work) {
            work.read(value.isString() ? value.stringValue().length() : 1);
            value.values().forEach(inner -> compare(inner, work));
        }

        @Override
        public boolean sameUnseen(MapValue other, Work work) {
            if (!(other instanceof Members members)) {
                return true;
            }
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                work.spend(1);
                JsonNode theirs = members.object.get(member.getKey());
                if (schema(member.getKey()) == null && theirs != null) {
                    compare(theirs, work);
                    if (!theirs.equals(member.getValue())) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
