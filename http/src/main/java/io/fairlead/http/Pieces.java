package io.fairlead.http;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that wait, first in, first out. Rarely more than one waits and mostly none does, so that an empty one keeps no
 * array: each of thousands of idle streams has several. One thread at a time.
 *
 * <p>What waits takes little more memory than it has bytes, as those who bound it count bytes, and whose it is chooses the pieces: behind
 * another one, a piece that is small, or a small part of the buffer that it keeps, is copied behind the last.
 */
public final class Pieces {
    /** Below it, the objects of a buffer take more than a copy. */
    private static final int SMALL_BYTES = 512;

    private static final int SMALL_PART = 2;

    /** Many may hold a few small pieces each, so that the first room for copies is small. */
    private static final int FIRST_COPIES_BYTES = 1024;

    private static final int COPIES_BYTES = 4 * 1024;

    private @Nullable ByteBuf first;
    private @Nullable Deque<ByteBuf> others;

    /** Whether the last one has copies and maybe room for more. No reference to it: a released buffer is soon another's. */
    private boolean lastHasCopies;

    /** Takes ownership, and maybe reads it. */
    public void add(ByteBuf piece) {
        if (first == null) {
            first = piece;
        } else if (isSmall(piece)) {
            copy(piece);
        } else {
            lastHasCopies = false;
            append(piece);
        }
    }

    private static boolean isSmall(ByteBuf piece) {
        int bytes = piece.readableBytes();
        return bytes < SMALL_BYTES || bytes < keptBytes(piece) / SMALL_PART;
    }

    private static int keptBytes(ByteBuf piece) {
        ByteBuf whole = piece.unwrap();
        return whole == null ? piece.capacity() : whole.capacity();
    }

    private void copy(ByteBuf piece) {
        try {
            int bytes = piece.readableBytes();
            ByteBuf last = lastHasCopies ? last() : null;
            if (last == null || last.writableBytes() < bytes) {
                last = piece.alloc().buffer(Math.max(bytes, others == null ? FIRST_COPIES_BYTES : COPIES_BYTES));
                append(last);
                lastHasCopies = true;
            }
            last.writeBytes(piece);
        } finally {
            piece.release();
        }
    }

    private @Nullable ByteBuf last() {
        return others == null || others.isEmpty() ? first : others.peekLast();
    }

    private void append(ByteBuf piece) {
        Deque<ByteBuf> behind = others;
        if (behind == null) {
            behind = new ArrayDeque<>();
            others = behind;
        }
        behind.add(piece);
    }

    /** What is there waits for long: the first piece is copied as well if it is small. */
    public void settle() {
        ByteBuf waiting = first;
        if (waiting != null && isSmall(waiting) && keptBytes(waiting) > SMALL_BYTES) {
            first = waiting.alloc().buffer(waiting.readableBytes()).writeBytes(waiting);
            waiting.release();
        }
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
        Deque<ByteBuf> behind = others;
        first = behind == null ? null : behind.poll();
        if (first == null) {
            others = null;
            lastHasCopies = false;
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
