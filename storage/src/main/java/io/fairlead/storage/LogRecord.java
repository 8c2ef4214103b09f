package io.fairlead.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One write as stored in the log: kind (one byte), create revision, previous revision (eight bytes each), length of the
 * key (two bytes), key, value.
 *
 * @param key the key written
 * @param value the new value, or null for a deletion
 * @param createRevision the revision at which the key was created
 * @param previousRevision the revision of the value replaced or deleted, 0 if there was none
 */
record LogRecord(String key, byte @Nullable [] value, long createRevision, long previousRevision) {
    private static final byte PUT = 1;
    private static final byte DELETE = 2;
    private static final int HEADER_BYTES = 1 + Long.BYTES + Long.BYTES + Short.BYTES;

    static LogRecord parse(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte kind = in.get();
        long createRevision = in.getLong();
        long previousRevision = in.getLong();
        byte[] name = new byte[in.getShort()];
        in.get(name);
        byte[] value = new byte[in.remaining()];
        in.get(value);
        return new LogRecord(
                new String(name, StandardCharsets.US_ASCII),
                kind == DELETE ? null : value,
                createRevision,
                previousRevision);
    }

    byte[] bytes() {
        byte[] name = key.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES + name.length + (value == null ? 0 : value.length))
                .put(value == null ? DELETE : PUT)
                .putLong(createRevision)
                .putLong(previousRevision)
                .putShort((short) name.length)
                .put(name);
        return value == null ? out.array() : out.put(value).array();
    }
}
