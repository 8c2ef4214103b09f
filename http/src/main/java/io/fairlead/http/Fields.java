package io.fairlead.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * All names and values stand one behind the other in one array: field i has its name from end 2i-1 to end 2i, and its
 * value from there to end 2i+1. A value becomes a String only when it is asked for.
 */
/**
 * A block of header fields in their order, with pseudo-header fields if it came over HTTP/2, as bytes. Immutable; any
 * thread.
 *
 * <p>Names keep the case in which they came and are compared without it. Values are read as ISO-8859-1, one character
 * for each byte (RFC 9110 section 5.5). Nothing is checked here: what reads a block from a peer does that.
 */
public final class Fields {
    public static final Fields EMPTY = builder(0, 0).build();

    private final byte[] bytes;
    private final int[] ends;
    private final byte[] ids;
    private final int size;

    private Fields(byte[] bytes, int[] ends, byte[] ids, int size) {
        this.bytes = bytes;
        this.ends = ends;
        this.ids = ids;
        this.size = size;
    }

    static Fields sharing(byte[] bytes, int[] ends, byte[] ids, int size) {
        return new Fields(bytes, ends, ids, size);
    }

    /** A block that may be changed; this one stays as it is. */
    public MutableFields toMutable() {
        return MutableFields.sharing(bytes, ends, ids, size);
    }

    /** Starts a block; both sizes are estimates. */
    public static Builder builder(int fields, int bytes) {
        return new Builder(fields, bytes);
    }

    public int size() {
        return size;
    }

    /** The bytes of all names and values. */
    public int length() {
        return size == 0 ? 0 : ends[2 * size - 1];
    }

    /** The id of a field's name; 0 if it is not a constant of {@link FieldName}. */
    int id(int field) {
        return ids[field];
    }

    /** The known name of a field; null if it is another. */
    public @Nullable FieldName known(int field) {
        return FieldName.ofId(ids[field]);
    }

    /** As it came. */
    @SuppressWarnings("deprecation") // The one conversion that looks at no byte: ISO-8859-1 without a decoder.
    public String name(int field) {
        return new String(bytes, 0, nameStart(field), nameLength(field));
    }

    @SuppressWarnings("deprecation")
    public String value(int field) {
        return new String(bytes, 0, valueStart(field), valueLength(field));
    }

    /** The first value of a name, or null. */
    public @Nullable String get(FieldName name) {
        int field = next(name, 0);
        return field < 0 ? null : value(field);
    }

    public boolean contains(FieldName name) {
        return next(name, 0) >= 0;
    }

    /** All values of a name, in their order. */
    public List<String> all(FieldName name) {
        int first = next(name, 0);
        if (first < 0) {
            return List.of();
        }
        List<String> values = new ArrayList<>(1);
        for (int field = first; field >= 0; field = next(name, field + 1)) {
            values.add(value(field));
        }
        return values;
    }

    /** The first field of a name at or behind a position; -1 if there is none. */
    public int next(FieldName name, int from) {
        for (int field = from; field < size; field++) {
            if (is(field, name)) {
                return field;
            }
        }
        return -1;
    }

    /** Whether a field's name is a constant, in lower case as that is. */
    public boolean isKnownInLowerCase(int field) {
        FieldName known = FieldName.ofId(ids[field]);
        if (known == null) {
            return false;
        }
        byte[] name = known.bytes();
        int start = nameStart(field);
        return Arrays.equals(bytes, start, start + name.length, name, 0, name.length);
    }

    /** Whether it is a pseudo-header field of HTTP/2 (RFC 9113 section 8.3). */
    public boolean isPseudo(int field) {
        return nameLength(field) > 0 && bytes[nameStart(field)] == ':';
    }

    public boolean is(int field, FieldName name) {
        return ids[field] == name.id() && (ids[field] != 0 || name.matches(bytes, nameStart(field), nameLength(field)));
    }

    /** Whether a field's name begins so. */
    public boolean beginsWith(int field, FieldName prefix) {
        return prefix.begins(bytes, nameStart(field), nameLength(field));
    }

    /** What all positions refer to; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public int nameStart(int field) {
        return field == 0 ? 0 : ends[2 * field - 1];
    }

    public int nameLength(int field) {
        return ends[2 * field] - nameStart(field);
    }

    public int valueStart(int field) {
        return ends[2 * field];
    }

    public int valueLength(int field) {
        return ends[2 * field + 1] - ends[2 * field];
    }

    /** One {@code name: value} a line, for tests and debuggers: values may be secrets. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < size; i++) {
            text.append(name(i)).append(": ").append(value(i)).append('\n');
        }
        return text.toString();
    }

    /** Collects a block. One thread. */
    public static final class Builder {
        private byte[] bytes;
        private int[] ends;
        private byte[] ids;
        private int size;
        private int length;

        private Builder(int fields, int bytes) {
            this.bytes = new byte[bytes];
            this.ends = new int[2 * fields];
            this.ids = new byte[fields];
        }

        /** Copies a name and a value, which may stand in different arrays. */
        public Builder add(byte[] name, int nameStart, int nameLength, byte[] value, int valueStart, int valueLength) {
            return add(
                    FieldName.find(name, nameStart, nameLength),
                    name,
                    nameStart,
                    nameLength,
                    value,
                    valueStart,
                    valueLength);
        }

        /** The same, where it is known whether the name is a constant, and which. */
        public Builder add(
                @Nullable FieldName known,
                byte[] name,
                int nameStart,
                int nameLength,
                byte[] value,
                int valueStart,
                int valueLength) {
            return add(known == null ? 0 : known.id(), name, nameStart, nameLength, value, valueStart, valueLength);
        }

        /** The value must have no character beyond ISO-8859-1. */
        public Builder add(FieldName name, String value) {
            byte[] text = value.getBytes(ISO_8859_1);
            return add(name.id(), name.bytes(), 0, name.bytes().length, text, 0, text.length);
        }

        public Builder add(String name, String value) {
            byte[] nameBytes = name.getBytes(ISO_8859_1);
            byte[] text = value.getBytes(ISO_8859_1);
            return add(nameBytes, 0, nameBytes.length, text, 0, text.length);
        }

        public int size() {
            return size;
        }

        /** The builder is not used any more. */
        public Fields build() {
            return new Fields(bytes, ends, ids, size);
        }

        private Builder add(
                int id, byte[] name, int nameStart, int nameLength, byte[] value, int valueStart, int valueLength) {
            reserve(nameLength + valueLength);
            System.arraycopy(name, nameStart, bytes, length, nameLength);
            length += nameLength;
            ends[2 * size] = length;
            System.arraycopy(value, valueStart, bytes, length, valueLength);
            length += valueLength;
            ends[2 * size + 1] = length;
            ids[size] = (byte) id;
            size++;
            return this;
        }

        private void reserve(int more) {
            if (length + more > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
            }
            if (size == ids.length) {
                ids = Arrays.copyOf(ids, 2 * size + 8);
                ends = Arrays.copyOf(ends, 2 * ids.length);
            }
        }
    }
}
