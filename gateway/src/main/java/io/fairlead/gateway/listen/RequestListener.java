package io.fairlead.gateway.listen;

import io.netty.buffer.ByteBuf;

/** Receives a request's body and its client's departure, on the stream's event loop. */
public interface RequestListener {
    /** A piece of the body, in answer to {@link ClientStream#read()}; the listener owns the buffer. */
    void onData(ByteBuf data);

    /** The body is complete. */
    void onEnd();

    /** The answer may be written again. */
    default void onWritable() {}

    /** The client disconnected before the answer was complete; no further calls follow. */
    void onGone();
}
