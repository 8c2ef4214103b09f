package io.fairlead.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;

/** A request under way. Methods may be called from any thread and take effect in order on the exchange's event loop. */
public interface Exchange {
    EventLoop eventLoop();

    /** Sends a piece of the body; takes ownership of the buffer. */
    void write(ByteBuf data);

    /** Ends the body. */
    void end();

    /** Whether more of the body may be written without queueing beyond the limit. */
    boolean isWritable();

    /** Reads the answer as it comes, or lets the transport's back-pressure hold it; true at first. */
    void reading(boolean on);

    /** Gives up: the connection is closed or the stream reset, and the receiver hears nothing more. */
    void cancel();
}
