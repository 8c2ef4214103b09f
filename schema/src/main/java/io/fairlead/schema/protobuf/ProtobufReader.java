package io.fairlead.schema.protobuf;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import io.fairlead.schema.typed.Times;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads one message, which is part of an array of bytes. */
final class ProtobufReader {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int DELIMITED = 2;
    private static final int FIXED32 = 5;

    private final byte[] bytes;
    private final int end;
    private int position;

    ProtobufReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.position = start;
        this.end = end;
    }

    static UnreadableDocumentException malformed(String why) {
        return new UnreadableDocumentException("invalid protobuf: " + why);
    }

    /** Adds the fields of a struct to an object; what the struct does not know is passed over. */
    ObjectNode struct(Struct type, ObjectNode object, int depth) {
        if (depth > Json.DEPTH_MAX) {
            throw malformed("messages nest deeper than " + Json.DEPTH_MAX + " levels");
        }
        while (hasNext()) {
            int key = key();
            Field field = type.field(key >>> 3);
            if (field == null) {
                skip(key);
            } else if (field.isEmbedded()) {
                nested(key).struct((Struct) field.type(), object, depth + 1);
            } else {
                member(object, field.name(), field.type(), key, depth);
            }
        }
        return object;
    }

    private void member(ObjectNode object, String name, GoType type, int key, int depth) {
        switch (type) {
            case ListOf list -> array(object, name).add(value(list.element(), key, depth));
            case MapOf map -> nested(key).entry(objectIn(object, name), map.element(), depth);
            case Struct struct -> nested(key).struct(struct, objectIn(object, name), depth + 1);
            case Scalar scalar -> object.set(name, scalar(scalar, key));
            case Union union -> object.set(name, nested(key).union(union, depth));
        }
    }

    private JsonNode value(GoType type, int key, int depth) {
        return switch (type) {
            case Struct struct -> nested(key).struct(struct, Json.object(), depth + 1);
            case ListOf list -> nested(key).items(list, depth);
            case Union union -> nested(key).union(union, depth);
            case Scalar scalar -> scalar(scalar, key);
            case MapOf map -> throw new IllegalStateException("a map of " + map.goName() + " stands in no list");
        };
    }

    /** An entry of a map: field 1 is the key, field 2 the value; absent, they are empty. */
    private void entry(ObjectNode map, GoType type, int depth) {
        String name = "";
        JsonNode value = null;
        while (hasNext()) {
            int key = key();
            switch (key >>> 3) {
                case 1 -> name = nested(key).text();
                case 2 -> value = value(type, key, depth);
                default -> skip(key);
            }
        }
        map.set(name, value == null ? Json.nodes().nullNode() : value);
    }

    /** A list where protobuf can have none, wrapped in a message. */
    private ArrayNode items(ListOf type, int depth) {
        ArrayNode items = Json.array();
        while (hasNext()) {
            int key = key();
            if (key >>> 3 == 1) {
                items.add(value(type.element(), key, depth));
            } else {
                skip(key);
            }
        }
        return items;
    }

    /** The last alternative that is there, but a boolean only if it is alone. */
    private JsonNode union(Union union, int depth) {
        ObjectNode found = Json.object();
        while (hasNext()) {
            int key = key();
            boolean known = false;
            for (GoType.Alternative one : union.alternatives()) {
                if (one.number() == key >>> 3) {
                    member(found, one.type() instanceof Scalar ? "scalar" : "value", one.type(), key, depth);
                    known = true;
                }
            }
            if (!known) {
                skip(key);
            }
        }
        return found.has("value")
                ? found.path("value")
                : found.has("scalar") ? found.path("scalar") : Json.nodes().nullNode();
    }

    private JsonNode scalar(Scalar type, int key) {
        return switch (type.shape()) {
            case STRING -> Json.nodes().stringNode(nested(key).text());
            case INT32, INT64 -> Json.nodes().numberNode(number(key));
            case BOOLEAN -> Json.nodes().booleanNode(number(key) != 0);
            case NUMBER -> Json.nodes().numberNode(Double.longBitsToDouble(fixed64(key)));
            case BYTES -> Json.nodes().stringNode(nested(key).base64());
            case TIME -> nested(key).time(false);
            case MICRO_TIME -> nested(key).time(true);
            case QUANTITY -> Json.nodes().stringNode(nested(key).wrappedText());
            case INT_OR_STRING -> nested(key).intOrString();
            case ANY -> nested(key).json();
        };
    }

    private JsonNode time(boolean micros) {
        if (!hasNext()) {
            return Json.nodes().nullNode();
        }
        long seconds = 0;
        int nanos = 0;
        while (hasNext()) {
            int key = key();
            switch (key >>> 3) {
                case 1 -> seconds = number(key);
                case 2 -> nanos = (int) number(key);
                default -> skip(key);
            }
        }
        try {
            // Without what its type does not have, before it is asked whether it is Go's zero time (time_proto.go).
            return Times.node(Instant.ofEpochSecond(seconds, micros ? nanos / 1000 * 1000 : 0), micros);
        } catch (DateTimeException | ArithmeticException e) {
            throw malformed("a time of " + seconds + " seconds is out of range");
        }
    }

    private JsonNode intOrString() {
        boolean string = false;
        long number = 0;
        String text = "";
        while (hasNext()) {
            int key = key();
            switch (key >>> 3) {
                case 1 -> string = number(key) == 1;
                case 2 -> number = number(key);
                case 3 -> text = nested(key).text();
                default -> skip(key);
            }
        }
        return string ? Json.nodes().stringNode(text) : Json.nodes().numberNode(number);
    }

    /** JSON in a message of its own. */
    private JsonNode json() {
        ProtobufReader raw = wrapped();
        return raw.hasNext()
                ? Json.read(Arrays.copyOfRange(raw.bytes, raw.position, raw.end))
                : Json.nodes().nullNode();
    }

    private String wrappedText() {
        return wrapped().text();
    }

    private ProtobufReader wrapped() {
        ProtobufReader content = new ProtobufReader(bytes, end, end);
        while (hasNext()) {
            int key = key();
            if (key >>> 3 == 1) {
                content = nested(key);
            } else {
                skip(key);
            }
        }
        return content;
    }

    boolean hasNext() {
        return position < end;
    }

    /** A field's number and wire type. */
    int key() {
        long key = varint();
        if (key >>> 3 == 0 || key > 0xffff_ffffL) {
            throw malformed("field " + (key >>> 3) + " is not a field number");
        }
        return (int) key;
    }

    String text() {
        return new String(bytes, position, end - position, StandardCharsets.UTF_8);
    }

    private String base64() {
        return Base64.getEncoder().encodeToString(Arrays.copyOfRange(bytes, position, end));
    }

    /** The content of a length-delimited field, and steps over it. */
    ProtobufReader nested(int key) {
        require(key, DELIMITED);
        int length = length();
        ProtobufReader nested = new ProtobufReader(bytes, position, position + length);
        position += length;
        return nested;
    }

    private long number(int key) {
        require(key, VARINT);
        return varint();
    }

    private long fixed64(int key) {
        require(key, FIXED64);
        int start = position;
        advance(8);
        long value = 0;
        for (int i = 7; i >= 0; i--) {
            value = (value << 8) | (bytes[start + i] & 0xff);
        }
        return value;
    }

    private static void require(int key, int wireType) {
        if ((key & 7) != wireType) {
            throw malformed("field " + (key >>> 3) + " has wire type " + (key & 7) + " (expected " + wireType + ")");
        }
    }

    void skip(int key) {
        switch (key & 7) {
            case VARINT -> varint();
            case FIXED64 -> advance(8);
            case DELIMITED -> advance(length());
            case FIXED32 -> advance(4);
            default -> throw malformed("field " + (key >>> 3) + " has the unknown wire type " + (key & 7));
        }
    }

    private int length() {
        long length = varint();
        if (length < 0 || length > end - position) {
            throw malformed("a field reaches beyond its message");
        }
        return (int) length;
    }

    private void advance(int count) {
        if (count > end - position) {
            throw malformed("a field reaches beyond its message");
        }
        position += count;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (position == end) {
                throw malformed("a number is cut off");
            }
            byte b = bytes[position++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw malformed("a number is longer than 64 bits");
    }

    private static ObjectNode objectIn(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode object ? object : parent.putObject(name);
    }

    private static ArrayNode array(ObjectNode parent, String name) {
        return parent.get(name) instanceof ArrayNode array ? array : parent.putArray(name);
    }
}
