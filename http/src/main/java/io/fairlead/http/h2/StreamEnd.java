package io.fairlead.http.h2;

import io.fairlead.http.Fields;
import io.fairlead.http.Pieces;
import io.fairlead.http.hpack.HpackDecoder;
import io.netty.buffer.ByteBuf;

/**
 * This side's end of a stream: what the owner of a session extends, with what the session keeps of the stream.
 *
 * <p>What comes (RFC 9113 section 5.1):
 *
 * <pre>
 * HEAD - the head came -> BODY, with the end of the stream -> END
 * BODY - the end of the stream came -> END
 * </pre>
 *
 * <p>What goes:
 *
 * <pre>
 * HEAD       - the head is written -> BODY, with the end of the stream -> END
 * BODY       - the end is handed in -> END_QUEUED
 * END_QUEUED - everything is written -> END
 * </pre>
 */
public abstract class StreamEnd {
    enum In {
        HEAD,
        BODY,
        END
    }

    enum Out {
        HEAD,
        BODY,
        END_QUEUED,
        END
    }

    In in = In.HEAD;
    Out out = Out.HEAD;

    /** What the peer may still send before more is consumed, and what was consumed since it was told so. */
    int receiveWindow;

    int consumedBytes;

    /** What the body must be, and was so far. */
    long announcedBytes = HeadRules.LENGTH_UNKNOWN;

    long receivedBytes;

    /** What may be sent before the peer opens its window; negative after it made all windows smaller. */
    int sendWindow;

    /** What waits to be sent. */
    final Pieces queue = new Pieces();

    int queuedBytes;

    /** Whether it is in the round of those that may send. */
    boolean isInRound;

    /** Whether the answer to this request has no body, whatever its head announces: it is to HEAD. */
    boolean isAnswerBodiless;

    private int id;

    final void begin(int newId, int newSendWindow, int newReceiveWindow) {
        id = newId;
        sendWindow = newSendWindow;
        receiveWindow = newReceiveWindow;
    }

    final int id() {
        return id;
    }

    /** Whether there is something to send that the stream's own window admits. */
    final boolean mayTrySending() {
        return queuedBytes > 0 ? sendWindow > 0 : out == Out.END_QUEUED;
    }

    final void dropQueue() {
        queue.drop();
        queuedBytes = 0;
    }

    /**
     * A head came: that of the request, or of an answer, before which those of interim answers may come (RFC 9110 section
     * 15.2).
     *
     * @param fields with the pseudo-header fields, which are complete and first; names are in lower case
     * @param last whether there is no body; {@link #onEnd} is not called then
     */
    protected abstract void onHead(Fields fields, boolean last);

    /** A head beyond the limits came; a request may be answered, and the body follows. */
    protected abstract void onHeadTooLarge(HpackDecoder.Excess excess);

    /** A piece of the body; owns it, and gives its room back by {@link Http2Session#consumed}. */
    protected abstract void onData(ByteBuf data);

    /** The body is complete. */
    protected abstract void onEnd();

    /** All that this side sends was handed to the connection, up to its end. */
    protected abstract void onSent();

    /** More may be written. */
    protected abstract void onWritable();

    /**
     * The peer reset the stream; nothing more can be sent.
     *
     * @param code the peer's error code; {@link ErrorCode#text} names it
     */
    protected abstract void onReset(int code);

    /** The peer broke a rule of the stream, which was reset; nothing more can be sent. */
    protected abstract void onBroken(String why);

    /** The connection was lost; nothing more can be sent. */
    protected abstract void onLost();
}
