package io.fairlead.gateway.inprocess;

import org.jspecify.annotations.Nullable;

/** A request's body, counted until the cluster has answered; closing releases it. */
public final class HeldBody implements AutoCloseable {
    private static final HeldBody NONE = new HeldBody(new byte[0], null);

    private final byte[] bytes;
    private final BodyBytes.@Nullable Taken taken;

    private HeldBody(byte[] bytes, BodyBytes.@Nullable Taken taken) {
        this.bytes = bytes;
        this.taken = taken;
    }

    static HeldBody none() {
        return NONE;
    }

    static HeldBody of(byte[] bytes, BodyBytes.Taken taken) {
        return new HeldBody(bytes, taken);
    }

    /** Whether there is none, so that nothing was waited for. */
    public boolean isEmpty() {
        return taken == null;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public void close() {
        if (taken != null) {
            taken.close();
        }
    }
}
