package io.fairlead.http.hpack;

import io.fairlead.http.FieldName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A field of a table.
 *
 * @param bytes the name with the value behind it; not to be changed
 * @param nameLength in bytes
 * @param known the name, if it is a constant
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by parts only.
record TableEntry(byte[] bytes, int nameLength, @Nullable FieldName known) {
    /** What an entry counts for beyond its bytes (RFC 7541 section 4.1). */
    static final int OVERHEAD = 32;

    TableEntry(byte[] bytes, int nameLength) {
        this(bytes, nameLength, FieldName.find(bytes, 0, nameLength));
    }

    int valueLength() {
        return bytes.length - nameLength;
    }

    int size() {
        return bytes.length + OVERHEAD;
    }

    boolean hasNameOf(TableEntry other) {
        return Arrays.equals(bytes, 0, nameLength, other.bytes, 0, other.nameLength);
    }

    boolean hasValue(byte[] value, int start, int length) {
        return Arrays.equals(bytes, nameLength, bytes.length, value, start, start + length);
    }
}
