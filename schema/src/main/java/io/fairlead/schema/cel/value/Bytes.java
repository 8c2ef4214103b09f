package io.fairlead.schema.cel.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A sequence of bytes. */
public final class Bytes implements Comparable<Bytes> {
    private final byte[] content;

    /** The bytes themselves, which must not change. */
    public Bytes(byte[] content) {
        this.content = content;
    }

    /** A text in UTF-8. */
    public static Bytes of(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The bytes, which must not be changed. */
    public byte[] content() {
        return content;
    }

    /** How many there are. */
    public int size() {
        return content.length;
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(content, other.content);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(content);
    }
}
