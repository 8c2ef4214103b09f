package io.fairlead.http.h2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * One side of an HTTP/2 connection (RFC 9113), without I/O. One thread.
 *
 * <p>Whatever a peer sends has one outcome: it is taken, it resets one stream, or it ends the connection with a GOAWAY
 * frame that says why. Nothing is promised to a peer that this side does not bound: see {@link Http2Limits}.
 */
public abstract sealed class Http2Session permits ServerSession, ClientSession {
    private final Http2Owner owner;
    private final Http2Output output;
    private final FrameWriter writer;
    private final Sending sending;
    private final Streams streams;
    private final Inbound inbound;
    private final FrameReader reader;
    private boolean over;

    Http2Session(Http2Owner owner, Http2Output output, Http2Limits limits, Parts parts, Streams streams, Side side) {
        this.owner = owner;
        this.output = output;
        this.writer = parts.writer();
        this.sending = parts.sending();
        this.streams = streams;
        this.inbound = new Inbound(limits, owner, parts, streams, side.tableBytesMax());
        this.reader = new FrameReader(inbound, side.awaitsPreface());
    }

    /** Sends this side's preface (section 3.4). */
    public abstract void start();

    /** Bytes of the peer; takes ownership. Returns whether a frame was completed. */
    public final boolean receive(ByteBufAllocator allocator, ByteBuf bytes) {
        if (over) {
            bytes.release();
            return false;
        }
        try {
            return reader.read(allocator, bytes);
        } catch (ConnectionError error) {
            fail(error);
            return false;
        }
    }

    /** The memory that an incomplete frame or header block takes. */
    public final int heldBytes() {
        return reader.heldBytes() + inbound.heldBytes();
    }

    /** Whether a header block waits for its end. */
    public final boolean isInBlock() {
        return inbound.heldBytes() > 0;
    }

    /** A piece of what is sent on a stream; takes ownership. */
    public final void data(StreamEnd stream, ByteBuf data) {
        sending.data(stream, data);
    }

    /** Ends what is sent on a stream. */
    public final void end(StreamEnd stream) {
        sending.end(stream);
    }

    /** Gives a stream up; what waits to be sent on it is dropped. */
    public final void reset(StreamEnd stream, ErrorCode code) {
        if (!over) {
            streams.reset(stream, code);
        }
    }

    /** Gives room back for data that came on a stream, even if that is over. */
    public final void consumed(StreamEnd stream, int bytes) {
        if (!over) {
            streams.consumed(stream, bytes);
        }
    }

    /** Whether more may be written to a stream. */
    public final boolean isWritable(StreamEnd stream) {
        return sending.isWritable(stream);
    }

    /** What waits to be sent on a stream. */
    public final int queuedBytes(StreamEnd stream) {
        return stream.queuedBytes;
    }

    /** What is queued waits for long, so that it is kept in little more memory than it takes. */
    public final void settle(StreamEnd stream) {
        stream.queue.settle();
    }

    public final int openStreams() {
        return streams.openCount();
    }

    /** Asks the peer to answer at once. */
    public final void ping() {
        if (!over) {
            writer.ping(0, false);
        }
    }

    /** Sends what may be sent. At the end of a turn, and when the output is writable again. */
    public final void flush() {
        sending.writeRound(streams);
        writer.pass();
    }

    /** The output is writable again. */
    public final void writable() {
        for (StreamEnd stream : streams.snapshot()) {
            if (isWritable(stream)) {
                stream.onWritable();
            }
        }
        output.flushSoon();
    }

    /** The connection is closed: streams are lost. */
    public final void closed() {
        over = true;
        reader.close();
        inbound.close();
        streams.lost();
        writer.pass();
    }

    final boolean isOver() {
        return over;
    }

    final void fail(ConnectionError error) {
        over = true;
        String why = String.valueOf(error.getMessage());
        reader.stop();
        writer.goAway(streams.lastId(), error.code(), why);
        writer.pass();
        owner.broken(why, error.flood());
        output.close();
    }
}
