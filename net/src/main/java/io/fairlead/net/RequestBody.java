package io.fairlead.net;

import io.fairlead.http.Pieces;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request's body: how much of it is to come, and what of it waits for a connection.
 *
 * <p>Threads: the call's event loop.
 */
final class RequestBody {
    /** The writer is asked to wait when so many bytes are held. */
    private static final int HELD_MAX = 64 * 1024;

    private final long length;
    private final Pieces held = new Pieces();
    private long heldBytes;
    private long left;
    private boolean ended;

    /** @param length in bytes, negative if it is not known */
    RequestBody(long length) {
        this.length = length;
        this.left = length;
        this.ended = length == 0;
    }

    /** The declared length; negative if there is none. */
    long length() {
        return length;
    }

    /** Whether all of the body has been given. */
    boolean isEnded() {
        return ended;
    }

    /** How many bytes are still to come; not positive if that is not known. */
    long left() {
        return left;
    }

    void end() {
        ended = true;
    }

    /** Counts a piece; false if it is more than was declared, or comes after the end. */
    boolean takes(int bytes) {
        if (length >= 0) {
            left -= bytes;
        }
        return !ended && (length < 0 || left >= 0);
    }

    /** Keeps a piece for the connection to come; false if the writer is to wait. */
    boolean hold(ByteBuf data) {
        heldBytes += data.readableBytes();
        held.add(data);
        return heldBytes < HELD_MAX;
    }

    /** The next piece that was held, null after the last. */
    @Nullable
    ByteBuf take() {
        ByteBuf data = held.poll();
        heldBytes = data == null ? 0 : heldBytes - data.readableBytes();
        return data;
    }

    /** Releases what is held. */
    void drop() {
        held.drop();
        heldBytes = 0;
    }
}
