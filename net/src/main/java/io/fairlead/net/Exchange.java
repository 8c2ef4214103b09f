package io.fairlead.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;

/**
 * A request in progress. Methods may be called from any thread and take effect in order on the exchange's event loop.
 */
public interface Exchange {
    EventLoop eventLoop();

    /** Sends a piece of the body; takes ownership of the buffer. */
    void write(ByteBuf data);

    /** Ends the body. */
    void end();

    /** Whether more of the body may be written without queueing beyond the limit. */
    boolean isWritable();

    /** Reads the answer as it arrives, or stops reading so that back-pressure holds it; true at first. */
    void reading(boolean on);

    /** Cancels: closes the connection or resets the stream; the receiver gets no further callbacks. */
    void cancel();
}
