package io.fairlead.net;

import io.netty.buffer.ByteBuf;

/** The way to the server for one call: an HTTP/1.1 connection while it is lent, or an HTTP/2 stream. On its event loop. */
interface CallTransport {
    /** Sends a piece of the body; owns the buffer. */
    void body(ByteBuf data);

    void endBody();

    boolean isWritable();

    void reading(boolean on);

    /** Gives the call up; nothing more is told to it. */
    void abort();
}
