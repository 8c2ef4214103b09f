package io.fairlead.storage;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/*
 * Three families of keys share the database, distinguished by their first byte:
 *
 * 'm' name                      a marker: eight bytes, big-endian 'r' revision                  the log: one LogRecord
 * for each write, deletions included 'v' key 00 (inverted revision) the versions of a key, newest first: one byte, LIVE
 * or DELETED
 *
 * Keys of the store are printable ASCII, so the 00 after them keeps their order and no key is a prefix of another's
 * versions. Values are only in the log: they are written once, in order, and never moved between levels because of an
 * unrelated key.
 */
/** The keys of the database files. */
final class FileKeys {
    static final byte[] HEAD = marker("head");
    static final byte[] COMPACTED = marker("compacted");
    static final byte[] SWEPT = marker("swept");

    static final byte[] LIVE = {1};
    static final byte[] DELETED = {0};

    private static final byte LOG = 'r';
    private static final byte VERSION = 'v';
    private static final int VERSION_SUFFIX_BYTES = 1 + Long.BYTES;

    private FileKeys() {}

    static byte[] log(long revision) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(LOG).putLong(revision).array();
    }

    static boolean isLog(byte[] fileKey) {
        return fileKey.length == 1 + Long.BYTES && fileKey[0] == LOG;
    }

    static long logRevision(byte[] fileKey) {
        return ByteBuffer.wrap(fileKey).getLong(1);
    }

    /** The version of a key written at a revision; sought, it leads to the newest version not above that revision. */
    static byte[] version(String key, long revision) {
        byte[] name = key.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(1 + name.length + VERSION_SUFFIX_BYTES)
                .put(VERSION)
                .put(name)
                .put((byte) 0)
                .putLong(~revision)
                .array();
    }

    /** The start of the versions of all keys with a prefix. */
    static byte[] firstVersion(String prefix) {
        byte[] name = prefix.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(1 + name.length).put(VERSION).put(name).array();
    }

    /** A position after every version of a key and before every greater key. */
    static byte[] behind(String key) {
        byte[] name = key.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(1 + name.length + 1)
                .put(VERSION)
                .put(name)
                .put((byte) 1)
                .array();
    }

    static boolean isVersion(byte[] fileKey) {
        return fileKey.length > 1 + VERSION_SUFFIX_BYTES && fileKey[0] == VERSION;
    }

    static String versionKey(byte[] fileKey) {
        return new String(fileKey, 1, fileKey.length - 1 - VERSION_SUFFIX_BYTES, StandardCharsets.US_ASCII);
    }

    static long versionRevision(byte[] fileKey) {
        return ~ByteBuffer.wrap(fileKey).getLong(fileKey.length - Long.BYTES);
    }

    static boolean isLive(byte[] versionValue) {
        return versionValue.length == 1 && versionValue[0] == LIVE[0];
    }

    static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    static long number(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }

    private static byte[] marker(String name) {
        return ("m" + name).getBytes(StandardCharsets.US_ASCII);
    }
}
