package io.fairlead.schema.protobuf;

import io.fairlead.schema.json.Json;
import io.fairlead.schema.typed.GoType;
import io.fairlead.schema.typed.GoType.Field;
import io.fairlead.schema.typed.GoType.ListOf;
import io.fairlead.schema.typed.GoType.MapOf;
import io.fairlead.schema.typed.GoType.Scalar;
import io.fairlead.schema.typed.GoType.Shape;
import io.fairlead.schema.typed.GoType.Struct;
import io.fairlead.schema.typed.GoType.Union;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes one message. Encodes an object as Go's generated code does: fields ordered by number, maps by key, and fields
 * that are not pointers in Go even if they are zero.
 */
public final class ProtobufWriter {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int DELIMITED = 2;
    private static final int FIXED32 = 5;

    private byte[] bytes = new byte[64];
    private int size;

    /** What was written so far. */
    public byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }

    int size() {
        return size;
    }

    void struct(Struct type, JsonNode object) {
        for (Field field : type.wireFields()) {
            JsonNode member = field.isEmbedded() ? object : object.get(field.name());
            JsonNode value = member == null || member.isNull() ? null : member;
            if (value != null || isAlwaysWritten(field)) {
                field(field.number(), field.type(), value);
            }
        }
    }

    private static boolean isAlwaysWritten(Field field) {
        return !field.pointer()
                && switch (field.type()) {
                    case Struct struct -> true;
                    case Scalar scalar -> scalar.shape() != Shape.BYTES;
                    case ListOf list -> false;
                    case MapOf map -> false;
                    case Union union -> false;
                };
    }

    private void field(int number, GoType type, @Nullable JsonNode value) {
        switch (type) {
            case ListOf list -> {
                for (JsonNode element : value == null ? Json.array() : value) {
                    single(number, list.element(), element);
                }
            }
            case MapOf map -> entries(number, map.element(), value == null ? Json.object() : value);
            case Struct struct -> single(number, struct, value);
            case Scalar scalar -> single(number, scalar, value);
            case Union union -> single(number, union, value);
        }
    }

    void single(int number, GoType type, @Nullable JsonNode value) {
        switch (type) {
            case Struct struct ->
                message(number, nested -> nested.struct(struct, value == null ? Json.object() : value));
            case ListOf list -> message(number, nested -> nested.field(1, list, value));
            case Union union -> message(number, nested -> nested.union(union, value));
            case Scalar scalar -> scalar(number, scalar, value);
            case MapOf map -> throw new IllegalStateException("a map of " + map.goName() + " stands in no list");
        }
    }

    private void entries(int number, GoType type, JsonNode map) {
        Map<String, JsonNode> sorted = new TreeMap<>(ProtobufWriter::compareUtf8);
        map.forEachEntry(sorted::put);
        sorted.forEach((name, value) -> message(number, entry -> {
            entry.text(1, name);
            entry.single(2, type, value.isNull() ? null : value);
        }));
    }

    /** Go's order of strings, that of their bytes. */
    private static int compareUtf8(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private void union(Union union, @Nullable JsonNode value) {
        for (GoType.Alternative one : union.alternatives().stream()
                .sorted(Comparator.comparingInt(GoType.Alternative::number))
                .toList()) {
            switch (one.type()) {
                case Scalar scalar ->
                    number(one.number(), value == null || !value.isBoolean() || value.booleanValue() ? 1 : 0);
                case ListOf list when value != null && value.isArray() -> field(one.number(), list, value);
                case Struct struct when value != null && value.isObject() -> single(one.number(), struct, value);
                case ListOf list -> {}
                case Struct struct -> {}
                case MapOf map -> {}
                case Union nested -> {}
            }
        }
    }

    private void scalar(int number, Scalar type, @Nullable JsonNode value) {
        switch (type.shape()) {
            case STRING -> text(number, value == null ? "" : value.asString(""));
            case INT32, INT64 -> number(number, value == null ? 0 : value.asLong(0));
            case BOOLEAN -> number(number, value != null && value.asBoolean(false) ? 1 : 0);
            case NUMBER -> decimal(number, value == null ? 0 : value.asDouble(0));
            case BYTES ->
                bytes(number, value == null ? new byte[0] : Base64.getDecoder().decode(value.asString("")));
            case TIME, MICRO_TIME -> message(number, nested -> nested.time(value == null ? "" : value.asString("")));
            case QUANTITY -> message(number, nested -> nested.text(1, value == null ? "0" : value.asString("")));
            case INT_OR_STRING -> message(number, nested -> nested.intOrString(value));
            case ANY -> message(number, nested -> nested.json(value));
        }
    }

    private void time(String text) {
        if (!text.isEmpty()) {
            Instant instant = Instant.parse(text);
            number(1, instant.getEpochSecond());
            number(2, instant.getNano());
        }
    }

    private void intOrString(@Nullable JsonNode value) {
        JsonNode given = value == null ? Json.nodes().numberNode(0) : value;
        number(1, given.isString() ? 1 : 0);
        number(2, given.isNumber() ? given.asLong(0) : 0);
        text(3, given.isString() ? given.stringValue() : "");
    }

    private void json(@Nullable JsonNode value) {
        if (value != null) {
            bytes(1, Json.write(value));
        }
    }

    /** Writes a text. */
    public void text(int number, String text) {
        bytes(number, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes bytes. */
    public void bytes(int number, byte[] content) {
        varint(((long) number << 3) | DELIMITED);
        varint(content.length);
        raw(content);
    }

    void message(int number, ProtobufWriter content) {
        begin(number, content, 0);
    }

    /** Writes the beginning of a message, of which so many bytes are still to come. */
    void begin(int number, ProtobufWriter content, long bytesToCome) {
        varint(((long) number << 3) | DELIMITED);
        varint(content.size + bytesToCome);
        raw(content.bytes, content.size);
    }

    /** Writes a message that is filled meanwhile. */
    public void message(int number, Consumer<ProtobufWriter> filling) {
        ProtobufWriter content = new ProtobufWriter();
        filling.accept(content);
        message(number, content);
    }

    /** Writes fields that are encoded already. */
    public void raw(byte[] content) {
        raw(content, content.length);
    }

    private void raw(byte[] content, int length) {
        reserve(length);
        System.arraycopy(content, 0, bytes, size, length);
        size += length;
    }

    void int32BigEndian(int value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            add(value >>> shift);
        }
    }

    /** Writes an integer or, as 0 or 1, a boolean. */
    public void number(int number, long value) {
        varint(((long) number << 3) | VARINT);
        varint(value);
    }

    /** Writes a double. */
    public void decimal(int number, double value) {
        fixed64(number, Double.doubleToLongBits(value));
    }

    /** Writes an integer of 64 bits. */
    public void fixed64(int number, long value) {
        varint(((long) number << 3) | FIXED64);
        for (int shift = 0; shift < 64; shift += 8) {
            add((int) (value >>> shift));
        }
    }

    /** Writes an integer of 32 bits. */
    public void fixed32(int number, int value) {
        varint(((long) number << 3) | FIXED32);
        for (int shift = 0; shift < 32; shift += 8) {
            add(value >>> shift);
        }
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            add(((int) rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        add((int) rest);
    }

    private void add(int value) {
        reserve(1);
        bytes[size++] = (byte) value;
    }

    private void reserve(int count) {
        if (bytes.length - size < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + count));
        }
    }
}
