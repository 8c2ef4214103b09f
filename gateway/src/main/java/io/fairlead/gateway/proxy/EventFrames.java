package io.fairlead.gateway.proxy;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/**
 * Splits the bytes of a watch into events. Bytes pass through unchanged; subclasses can inspect or hold single events.
 */
interface EventFrames {
    /** Passes every piece on at once. */
    EventFrames PASS_THROUGH = (data, onward) -> onward.accept(data);

    /** Takes ownership of a piece, and passes complete events on. */
    void accept(ByteBuf data, Consumer<ByteBuf> onward);
}
