package io.fairlead.hosted.verbs;

import java.util.ArrayDeque;
import java.util.Arrays;

/** Bytes collected in pieces and handed out together. */
final class Pieces {
    private final ArrayDeque<byte[]> parts = new ArrayDeque<>();
    private int bytes;

    void add(byte[] part) {
        parts.addLast(part);
        bytes = Math.addExact(bytes, part.length);
    }

    void addFirst(byte[] part) {
        parts.addFirst(part);
        bytes = Math.addExact(bytes, part.length);
    }

    int bytes() {
        return bytes;
    }

    /** All bytes in one array; nothing remains. */
    byte[] take() {
        byte[] joined = parts.isEmpty() ? new byte[0] : Arrays.copyOf(parts.removeFirst(), bytes);
        int at = joined.length;
        for (byte[] part : parts.reversed()) {
            at -= part.length;
            System.arraycopy(part, 0, joined, at, part.length);
        }
        parts.clear();
        bytes = 0;
        return joined;
    }
}
