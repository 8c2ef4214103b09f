package io.fairlead.gateway.guard;

import io.fairlead.model.ResourceVersion;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** A media type of which the guard reads nothing, or one that is encoded. */
enum OpaqueEvents implements EventFormat {
    INSTANCE;

    @Override
    public int read(byte[] bytes, int from, int to) {
        return to;
    }

    @Override
    public @Nullable ReadEvent take() {
        return null;
    }

    @Override
    public long begun() {
        return -1;
    }

    @Override
    public boolean isBroken() {
        return true;
    }

    @Override
    public ByteBuf withVersion(ByteBuf event, ReadEvent read, ResourceVersion version) {
        throw new IllegalStateException("no event was read");
    }

    @Override
    public ByteBuf error(Status status) {
        throw new IllegalStateException("no event was read");
    }

    @Override
    public boolean isFiller(byte b) {
        return false;
    }
}
