package io.fairlead.net;

import io.fairlead.http.MutableFields;
import io.netty.buffer.ByteBuf;

/**
 * Receives an answer: {@code onHead}, any number of {@code onData}, then exactly one of {@code onEnd} and
 * {@code onFailure}; a failure may occur at any point. Always on the exchange's event loop.
 */
public interface ResponseReceiver {
    /** The final head; interim 1xx answers are not reported. Hop-by-hop headers are already dropped. */
    void onHead(int status, MutableFields headers);

    /** A piece of the body; the receiver owns the buffer. */
    void onData(ByteBuf data);

    /** The body ended by its framing. */
    void onEnd();

    /** There is no answer, or its rest is missing. */
    void onFailure(UpstreamFailure failure);

    /**
     * So many bytes of the body wait until they are read, at most those of a flow-control window. Told whenever the number
     * changes, but not behind the last of the other callbacks.
     */
    default void onWaiting(int bytes) {}

    /** The exchange took back-pressure or is writable again. */
    default void onWritabilityChanged(boolean writable) {}
}
