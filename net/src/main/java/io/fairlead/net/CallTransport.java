package io.fairlead.net;

import io.netty.buffer.ByteBuf;

/** The transport of one call: a borrowed HTTP/1.1 connection, or an HTTP/2 stream. On its event loop. */
interface CallTransport {
    /** Sends a piece of the body; owns the buffer. */
    void body(ByteBuf data);

    void endBody();

    boolean isWritable();

    void reading(boolean on);

    /** Cancels the call; it gets no further callbacks. */
    void abort();
}
