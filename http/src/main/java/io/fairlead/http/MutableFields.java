package io.fairlead.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * A block like that of Fields, with the same layout. A removed field keeps its place, marked as gone, until the fields are
 * moved: into larger arrays, or, when the block is made, closer together. What is read from a peer is shared with its
 * Fields: the ids until the first removal, since only they hold the marks, the rest until the first addition. So a head
 * that is passed on is copied once.
 */
/**
 * A block of header fields that is being made or changed. One thread at a time.
 *
 * <p>Names are compared without regard to case and kept as they were given. Values are of ISO-8859-1; other characters
 * become question marks, and control characters, which no field may have (RFC 9110 section 5.5), become spaces.
 */
public final class MutableFields {
    private static final int FIELDS_EXPECTED = 8;
    private static final int BYTES_EXPECTED = 256;
    private static final byte GONE = -1;

    private byte[] bytes;
    private int[] ends;
    private byte[] ids;
    private int size;
    private int length;
    private int goneFields;
    private boolean isShared;
    /** Not unless all are. */
    private boolean areIdsShared;

    /** An empty block. */
    public MutableFields() {
        this(FIELDS_EXPECTED, BYTES_EXPECTED);
    }

    /**
     * An empty block with room for what is expected.
     *
     * @param bytes of all names and values
     */
    public MutableFields(int fields, int bytes) {
        this.bytes = new byte[bytes];
        this.ends = new int[2 * fields];
        this.ids = new byte[fields];
    }

    private MutableFields(byte[] bytes, int[] ends, byte[] ids, int size, int length, int goneFields) {
        this.bytes = bytes;
        this.ends = ends;
        this.ids = ids;
        this.size = size;
        this.length = length;
        this.goneFields = goneFields;
        this.isShared = true;
        this.areIdsShared = true;
    }

    static MutableFields sharing(byte[] bytes, int[] ends, byte[] ids, int size) {
        return new MutableFields(bytes, ends, ids, size, size == 0 ? 0 : ends[2 * size - 1], 0);
    }

    /** A block of its own with the same fields. */
    public MutableFields copy() {
        share();
        return new MutableFields(bytes, ends, ids, size, length, goneFields);
    }

    /** The fields as they are now, which later changes leave alone. */
    public Fields toFields() {
        if (goneFields > 0 && isShared) {
            moveTo(new byte[length], new int[2 * size()], new byte[size()]);
        } else if (goneFields > 0) {
            moveTo(bytes, ends, ids);
        }
        share();
        return Fields.sharing(bytes, ends, ids, size);
    }

    public int size() {
        return size - goneFields;
    }

    /** The bytes that names and values take, those of removed fields included. */
    public int length() {
        return length;
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    /** The first value of a name, or null. */
    public @Nullable String get(FieldName name) {
        int field = next(name, 0);
        return field < 0 ? null : value(field);
    }

    public String get(FieldName name, String otherwise) {
        String value = get(name);
        return value == null ? otherwise : value;
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

    public boolean contains(FieldName name) {
        return next(name, 0) >= 0;
    }

    /** Whether there is one field of a name, with this value. */
    public boolean hasOnly(FieldName name, String value) {
        int field = next(name, 0);
        return field >= 0 && isValue(field, value) && next(name, field + 1) < 0;
    }

    private boolean isValue(int field, String value) {
        int start = ends[2 * field];
        boolean isEqual = ends[2 * field + 1] - start == value.length();
        for (int i = 0; i < value.length() && isEqual; i++) {
            isEqual = (bytes[start + i] & 0xff) == value.charAt(i);
        }
        return isEqual;
    }

    /** Whether a list of a name has a member, without regard to case (RFC 9110 section 5.6.1). */
    public boolean lists(FieldName name, String member) {
        for (String list : all(name)) {
            for (String one : list.split(",", -1)) {
                if (one.strip().equalsIgnoreCase(member)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Adds a field behind all others. */
    public MutableFields add(FieldName name, String value) {
        return add(name.id(), name.bytes(), value);
    }

    /** Adds a field behind all others, with its name as it is. */
    public MutableFields add(String name, String value) {
        byte[] text = name.getBytes(ISO_8859_1);
        FieldName known = FieldName.find(text, 0, text.length);
        return add(known == null ? 0 : known.id(), text, value);
    }

    /** Adds a field in place of all of its name. */
    public MutableFields set(FieldName name, String value) {
        return remove(name).add(name, value);
    }

    /** Adds a field in place of all of its name. */
    public MutableFields set(String name, String value) {
        return remove(FieldName.of(name)).add(name, value);
    }

    /** Takes over a field of a block. */
    public MutableFields add(Fields from, int field) {
        int nameLength = from.nameLength(field);
        int fieldLength = nameLength + from.valueLength(field);
        reserve(fieldLength);
        System.arraycopy(from.bytes(), from.nameStart(field), bytes, length, fieldLength);
        added(from.id(field), nameLength, fieldLength);
        return this;
    }

    /** Takes over all fields of a block. */
    public MutableFields addAll(Fields from) {
        for (int field = 0; field < from.size(); field++) {
            add(from, field);
        }
        return this;
    }

    /** Removes all fields of a name. */
    public MutableFields remove(FieldName name) {
        for (int field = next(name, 0); field >= 0; field = next(name, field + 1)) {
            markGone(field);
        }
        return this;
    }

    /** Removes all fields of these names. */
    public MutableFields removeAll(FieldNames names) {
        for (int field = 0; field < size; field++) {
            if (ids[field] != GONE && names.contains(ids[field], bytes, nameStart(field), nameLength(field))) {
                markGone(field);
            }
        }
        return this;
    }

    /** Removes all fields whose names begin with one of these, without regard to case. */
    public MutableFields removeBeginningWith(FieldName... prefixes) {
        for (int field = 0; field < size; field++) {
            if (ids[field] != GONE && beginsWithOneOf(field, prefixes)) {
                markGone(field);
            }
        }
        return this;
    }

    private boolean beginsWithOneOf(int field, FieldName... prefixes) {
        for (FieldName prefix : prefixes) {
            if (prefix.begins(bytes, nameStart(field), nameLength(field))) {
                return true;
            }
        }
        return false;
    }

    /** One {@code name: value} a line, for tests and debuggers: values may be secrets. */
    @Override
    public String toString() {
        return copy().toFields().toString();
    }

    private MutableFields add(int id, byte[] name, String value) {
        byte[] text = value.getBytes(ISO_8859_1);
        for (int i = FieldRules.endOfValue(text, 0, text.length);
                i < text.length;
                i = FieldRules.endOfValue(text, i, text.length)) {
            text[i] = ' ';
        }
        append(id, name, text);
        return this;
    }

    private void append(int id, byte[] name, byte[] value) {
        int nameLength = name.length;
        int fieldLength = nameLength + value.length;
        reserve(fieldLength);
        System.arraycopy(name, 0, bytes, length, nameLength);
        System.arraycopy(value, 0, bytes, length + nameLength, value.length);
        added(id, nameLength, fieldLength);
    }

    private void added(int id, int nameLength, int fieldLength) {
        ends[2 * size] = length + nameLength;
        length += fieldLength;
        ends[2 * size + 1] = length;
        ids[size] = (byte) id;
        size++;
    }

    /** Room for one more field, in arrays of its own. */
    private void reserve(int more) {
        if (isShared || size == ids.length || length + more > bytes.length) {
            int fields = size() + Math.max(FIELDS_EXPECTED, isShared ? 0 : size());
            int room = length + more + Math.max(BYTES_EXPECTED, isShared ? 0 : length);
            moveTo(new byte[room], new int[2 * fields], new byte[fields]);
            isShared = false;
            areIdsShared = false;
        }
    }

    private void share() {
        isShared = true;
        areIdsShared = true;
    }

    private void markGone(int field) {
        if (areIdsShared) {
            ids = ids.clone();
            areIdsShared = false;
        }
        ids[field] = GONE;
        goneFields++;
    }

    /** Moves the fields that are left, those that stand together at once; the arrays may be the present ones. */
    private void moveTo(byte[] newBytes, int[] newEnds, byte[] newIds) {
        int newSize = 0;
        int newLength = 0;
        for (int field = 0; field < size; ) {
            if (ids[field] == GONE) {
                field++;
                continue;
            }
            int start = nameStart(field);
            int shift = newLength - start;
            int end = start;
            for (; field < size && ids[field] != GONE; field++) {
                end = ends[2 * field + 1];
                newEnds[2 * newSize] = ends[2 * field] + shift;
                newEnds[2 * newSize + 1] = end + shift;
                newIds[newSize] = ids[field];
                newSize++;
            }
            System.arraycopy(bytes, start, newBytes, newLength, end - start);
            newLength = end + shift;
        }
        bytes = newBytes;
        ends = newEnds;
        ids = newIds;
        size = newSize;
        length = newLength;
        goneFields = 0;
    }

    private int next(FieldName name, int from) {
        for (int field = from; field < size; field++) {
            if (ids[field] == name.id() && (name.id() != 0 || matches(field, name))) {
                return field;
            }
        }
        return -1;
    }

    private boolean matches(int field, FieldName name) {
        return name.matches(bytes, nameStart(field), nameLength(field));
    }

    private int nameStart(int field) {
        return field == 0 ? 0 : ends[2 * field - 1];
    }

    private int nameLength(int field) {
        return ends[2 * field] - nameStart(field);
    }

    @SuppressWarnings("deprecation") // The one conversion that looks at no byte: ISO-8859-1 without a decoder.
    private String value(int field) {
        return new String(bytes, 0, ends[2 * field], ends[2 * field + 1] - ends[2 * field]);
    }
}
