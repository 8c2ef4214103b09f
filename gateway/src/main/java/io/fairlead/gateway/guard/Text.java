package io.fairlead.gateway.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The text of one string of a stream as it was sent, with its position. Reused for the next one. */
final class Text {
    /** Names of Kubernetes objects are shorter (253 characters), and so are resourceVersions that can be ordered. */
    static final int BYTES_MAX = 512;

    private static final int BYTES_AT_FIRST = 32;

    private byte[] bytes = new byte[BYTES_AT_FIRST];
    private int length;
    private long from;
    private long to;
    private boolean isEscaped;
    private boolean isCut;

    void begin(long position) {
        from = position;
        length = 0;
        isEscaped = false;
        isCut = false;
    }

    /** Adds a part, as far as the limit allows. */
    void append(byte[] source, int begin, int end) {
        int kept = Math.min(end - begin, BYTES_MAX - length);
        if (length + kept > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(BYTES_MAX, Math.max(length + kept, bytes.length * 2)));
        }
        System.arraycopy(source, begin, bytes, length, kept);
        length += kept;
        isCut |= kept < end - begin;
    }

    /** A part of it stands for another character. */
    void escape() {
        isEscaped = true;
    }

    void end(long position) {
        to = position;
    }

    /** Where its first byte stands, behind the quote. */
    long from() {
        return from;
    }

    /** Where it ends, before the quote. */
    long to() {
        return to;
    }

    /** Whether the bytes that were kept are the text: it is short enough, and no part of it is escaped. */
    boolean isPlain() {
        return !isEscaped && !isCut;
    }

    /** Whether a part of it stands for another character. */
    boolean isEscaped() {
        return isEscaped;
    }

    boolean is(byte[] other) {
        return length == other.length && beginsWith(other);
    }

    boolean beginsWith(byte[] other) {
        return isPlain() && length >= other.length && Arrays.equals(bytes, 0, other.length, other, 0, other.length);
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, UTF_8);
    }
}
