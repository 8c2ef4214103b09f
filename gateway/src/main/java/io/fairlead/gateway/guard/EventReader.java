package io.fairlead.gateway.guard;

import io.fairlead.model.ResourceVersion;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Reads events of a watch in one media type, piece by piece, and writes what the guard puts in their place. Between two events it
 * may be replaced by another one, and may go on with another stream. Positions count from the first byte that it ever read.
 */
interface EventReader {
    /**
     * Reads up to the end of an event.
     *
     * @return the index behind the last byte that was read: of an end, or {@code to}; also {@code to} once it is broken
     */
    int read(byte[] bytes, int from, int to);

    /** The event whose end was read last; null if none ended since the last call. */
    @Nullable
    ReadEvent take();

    /** The position of the next byte. */
    long position();

    /** Where the present event begins; negative between two events. */
    long begun();

    /** Whether the stream cannot be read any more. */
    boolean isBroken();

    /**
     * A copy of an event in which every version below another is replaced by that one.
     *
     * @param event all of its bytes; stays its owner's
     */
    ByteBuf withVersion(ByteBuf event, ReadEvent read, ResourceVersion version);
}
