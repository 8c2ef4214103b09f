package io.fairlead.http.h2;

import io.fairlead.http.Fields;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.LongSupplier;

/**
 * The server's side of one HTTP/2 connection (RFC 9113), without I/O. One thread.
 *
 * <p>Whatever a client sends has one outcome: it is taken, it resets one stream, or it ends the connection with a GOAWAY
 * frame that says why. Nothing is promised to a client that this side does not bound: see {@link Http2Limits}.
 */
public final class Http2Session {
    /** What a client may keep of its requests' fields here; the default (section 6.5.2). */
    static final int TABLE_BYTES_MAX = 4096;

    private static final int SETTING_MAX_CONCURRENT_STREAMS = 0x3;
    private static final int SETTING_MAX_HEADER_LIST_SIZE = 0x6;

    /** No stream has a higher one: none is refused yet. */
    private static final int LAST_STREAM = Integer.MAX_VALUE;

    private final Http2Limits limits;
    private final Http2Owner owner;
    private final Http2Output output;
    private final FrameWriter writer;
    private final Sending sending;
    private final Streams streams;
    private final Inbound inbound;
    private final FrameReader reader;
    private boolean over;

    /** The clock is {@code System::nanoTime} except in tests. */
    public Http2Session(Http2Limits limits, Http2Owner owner, Http2Output output, LongSupplier nanoTime) {
        this.limits = limits;
        this.owner = owner;
        this.output = output;
        FloodGuard floods = new FloodGuard(limits, nanoTime);
        this.writer = new FrameWriter(output);
        this.sending = new Sending(writer, output, limits.queueBytesMax());
        this.streams = new Streams(owner, writer, floods, sending, limits.streamsMax());
        this.inbound = new Inbound(limits, owner, writer, floods, streams, sending);
        this.reader = new FrameReader(inbound);
    }

    /** Sends this side's preface (section 3.4). */
    public void start() {
        writer.settings(
                SETTING_MAX_CONCURRENT_STREAMS, limits.streamsMax(),
                SETTING_MAX_HEADER_LIST_SIZE, limits.headBytesMax());
        writer.windowUpdate(0, Streams.CONNECTION_WINDOW - Frame.WINDOW_DEFAULT);
    }

    /** Bytes of the client; takes ownership. Returns whether a frame was completed. */
    public boolean receive(ByteBufAllocator allocator, ByteBuf bytes) {
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
    public int heldBytes() {
        return reader.heldBytes() + inbound.heldBytes();
    }

    /** Whether a header block waits for its end. */
    public boolean isInBlock() {
        return inbound.heldBytes() > 0;
    }

    /** Begins an answer. Names are sent in lower case; fields must be valid ones. */
    public void head(StreamEnd stream, int status, Fields fields, boolean last) {
        streams.head(stream, status, fields, last);
    }

    /** A piece of an answer's body; takes ownership. */
    public void data(StreamEnd stream, ByteBuf data) {
        sending.data(stream, data);
    }

    /** Ends an answer's body. */
    public void end(StreamEnd stream) {
        sending.end(stream);
    }

    /** Gives a stream up; what waits of its answer is dropped. */
    public void reset(StreamEnd stream, ErrorCode code) {
        streams.reset(stream, code);
    }

    /** Gives room back for data that came on a stream, even if that is over. */
    public void consumed(StreamEnd stream, int bytes) {
        if (!over) {
            streams.consumed(stream, bytes);
        }
    }

    /** Whether more of an answer may be written. */
    public boolean isWritable(StreamEnd stream) {
        return sending.isWritable(stream);
    }

    /** What waits of a stream's answer. */
    public int queuedBytes(StreamEnd stream) {
        return stream.queuedBytes;
    }

    public int openStreams() {
        return streams.openCount();
    }

    /** The client may send further requests for a moment, and should begin them elsewhere (section 6.8). */
    public void announceEnd() {
        if (!over) {
            writer.goAway(LAST_STREAM, ErrorCode.NO_ERROR, "");
        }
    }

    /** Asks the client to answer at once. */
    public void ping() {
        if (!over) {
            writer.ping(0, false);
        }
    }

    /** Requests that come from now on are not looked at; the client knows that it may send them again elsewhere. */
    public void takeNoMore() {
        if (!over) {
            streams.takeNoMore();
            writer.goAway(streams.lastId(), ErrorCode.NO_ERROR, "");
        }
    }

    /** Ends the connection, since its client sends too much of something. */
    public void calm(Flood flood) {
        if (!over) {
            fail(ConnectionError.flood(flood));
        }
    }

    /** Sends what may be sent. At the end of a turn, and when the output is writable again. */
    public void flush() {
        sending.writeRound(streams);
        writer.pass();
    }

    /** The output is writable again. */
    public void writable() {
        for (StreamEnd stream : streams.snapshot()) {
            if (isWritable(stream)) {
                stream.onWritable();
            }
        }
        output.flushSoon();
    }

    /** The connection is closed: streams are lost. */
    public void closed() {
        over = true;
        reader.close();
        inbound.close();
        streams.lost();
        writer.pass();
    }

    private void fail(ConnectionError error) {
        over = true;
        reader.stop();
        writer.goAway(streams.lastId(), error.code(), String.valueOf(error.getMessage()));
        writer.pass();
        Flood flood = error.flood();
        if (flood != null) {
            owner.flooded(flood);
        }
        output.close();
    }
}
