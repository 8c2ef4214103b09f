package io.fairlead.gateway.proxy;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/**
 * Where the bytes of a watch become its events. They pass through as they come; whoever wants to see or hold single events
 * does it here.
 */
interface EventFrames {
    /** Every piece goes on at once. */
    EventFrames PASS_THROUGH = (data, onward) -> onward.accept(data);

    /** Takes a piece, which it owns, and hands on what is complete. */
    void accept(ByteBuf data, Consumer<ByteBuf> onward);
}
