package io.fairlead.http;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that wait, first in, first out. Rarely more than one waits and mostly none does, so that an empty one keeps no
 * array: each of thousands of idle streams has several. One thread at a time.
 */
public final class Pieces {
    private @Nullable ByteBuf first;
    private @Nullable Queue<ByteBuf> others;

    /** Takes ownership. */
    public void add(ByteBuf piece) {
        if (first == null) {
            first = piece;
            return;
        }
        Queue<ByteBuf> behind = others;
        if (behind == null) {
            behind = new ArrayDeque<>();
            others = behind;
        }
        behind.add(piece);
    }

    public boolean isEmpty() {
        return first == null;
    }

    /** The next one, which stays; null if none waits. */
    public @Nullable ByteBuf peek() {
        return first;
    }

    /** The next one, which is the caller's; null if none waits. */
    public @Nullable ByteBuf poll() {
        ByteBuf next = first;
        Queue<ByteBuf> behind = others;
        first = behind == null ? null : behind.poll();
        if (first == null) {
            others = null;
        }
        return next;
    }

    /** Releases all. */
    public void drop() {
        for (ByteBuf piece = poll(); piece != null; piece = poll()) {
            piece.release();
        }
    }
}
