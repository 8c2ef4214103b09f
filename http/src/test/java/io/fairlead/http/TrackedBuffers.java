package io.fairlead.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Input as a socket gives it: of an allocator whose buffers are missed if they are lost, which those on the heap are not. */
public final class TrackedBuffers {
    public static final ByteBufAllocator ALLOCATOR = ByteBufAllocator.DEFAULT;

    private TrackedBuffers() {}

    public static ByteBuf of(byte[] bytes) {
        return of(bytes, 0, bytes.length);
    }

    public static ByteBuf of(byte[] bytes, int from, int length) {
        return ALLOCATOR.buffer(Math.max(1, length)).writeBytes(bytes, from, length);
    }
}
