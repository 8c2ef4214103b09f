package io.fairlead.http.h2;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Queue;

/*
 * Data waits with its stream until the turn's end. Then each stream that has some writes one frame after the other has
 * written one, as far as its window, the connection's window and the socket admit. A stream whose own window is closed
 * leaves the round until the peer opens it.
 */
/** What goes out on streams: queues, windows (RFC 9113 section 5.2) and turns. */
final class Sending {
    private final FrameWriter writer;
    private final Http2Output output;
    private final int queueBytesMax;
    private final Queue<StreamEnd> round = new ArrayDeque<>();
    private int window = Frame.WINDOW_DEFAULT;
    private int initialWindow = Frame.WINDOW_DEFAULT;

    Sending(FrameWriter writer, Http2Output output, int queueBytesMax) {
        this.writer = writer;
        this.output = output;
        this.queueBytesMax = queueBytesMax;
    }

    int initialWindow() {
        return initialWindow;
    }

    boolean isWritable(StreamEnd stream) {
        return stream.queuedBytes < queueBytesMax && output.isWritable();
    }

    /** Takes ownership. */
    void data(StreamEnd stream, ByteBuf data) {
        if (stream.out != StreamEnd.Out.BODY || !data.isReadable()) {
            data.release();
            return;
        }
        stream.queuedBytes += data.readableBytes();
        stream.queue.add(data);
        enter(stream);
    }

    void end(StreamEnd stream) {
        if (stream.out == StreamEnd.Out.BODY) {
            stream.out = StreamEnd.Out.END_QUEUED;
            enter(stream);
        }
    }

    /** Writes what may go; {@link StreamEnd#onSent} and {@link StreamEnd#onWritable} are called meanwhile. */
    void writeRound(Streams streams) {
        int blocked = 0;
        while (blocked < round.size() && output.isWritable()) {
            StreamEnd stream = round.remove();
            boolean wrote = writeFrame(stream);
            if (!stream.mayTrySending()) {
                stream.isInRound = false;
            } else {
                round.add(stream);
                blocked++;
            }
            blocked = wrote ? 0 : blocked;
            if (wrote && stream.out == StreamEnd.Out.END) {
                streams.sent(stream);
            }
        }
    }

    /** The peer lets more be sent on a stream. */
    void open(StreamEnd stream, int bytes) throws StreamError {
        if (bytes == 0) {
            throw StreamError.protocol("WINDOW_UPDATE of 0 bytes");
        }
        long opened = (long) stream.sendWindow + bytes;
        if (opened > Integer.MAX_VALUE) {
            throw new StreamError(ErrorCode.FLOW_CONTROL_ERROR, "window of more than 2^31-1 bytes");
        }
        stream.sendWindow = (int) opened;
        enter(stream);
    }

    /** The peer lets more be sent on the connection. */
    void open(int bytes) throws ConnectionError {
        if (bytes == 0) {
            throw ConnectionError.protocol("WINDOW_UPDATE of 0 bytes");
        }
        if (window + (long) bytes > Integer.MAX_VALUE) {
            throw ConnectionError.of(ErrorCode.FLOW_CONTROL_ERROR, "window of more than 2^31-1 bytes");
        }
        window += bytes;
        output.flushSoon();
    }

    /** The peer's setting for all streams (section 6.9.2). */
    void initialWindow(int bytes, Iterable<StreamEnd> open) throws ConnectionError {
        int more = bytes - initialWindow;
        initialWindow = bytes;
        for (StreamEnd stream : open) {
            long opened = (long) stream.sendWindow + more;
            if (opened > Integer.MAX_VALUE) {
                throw ConnectionError.of(ErrorCode.FLOW_CONTROL_ERROR, "window of more than 2^31-1 bytes");
            }
            stream.sendWindow = (int) opened;
            enter(stream);
        }
    }

    private void enter(StreamEnd stream) {
        if (!stream.isInRound && stream.mayTrySending()) {
            stream.isInRound = true;
            round.add(stream);
            output.flushSoon();
        }
    }

    /** Writes one frame; false if the connection's window is closed, or the stream is over. */
    private boolean writeFrame(StreamEnd stream) {
        ByteBuf data = stream.queue.peek();
        if (data == null) {
            return writeEnd(stream);
        }
        int length =
                Math.min(Math.min(data.readableBytes(), Frame.PAYLOAD_BYTES_MAX), Math.min(stream.sendWindow, window));
        if (length <= 0) {
            return false;
        }
        boolean isWhole = length == data.readableBytes();
        ByteBuf piece = isWhole ? data : data.readRetainedSlice(length);
        if (isWhole) {
            stream.queue.poll();
        }
        boolean wasFull = stream.queuedBytes >= queueBytesMax;
        stream.queuedBytes -= length;
        stream.sendWindow -= length;
        window -= length;
        boolean last = stream.out == StreamEnd.Out.END_QUEUED && stream.queue.isEmpty();
        if (last) {
            stream.out = StreamEnd.Out.END;
        }
        writer.data(stream.id(), piece, last);
        if (wasFull && stream.queuedBytes < queueBytesMax) {
            stream.onWritable();
        }
        return true;
    }

    private boolean writeEnd(StreamEnd stream) {
        if (stream.out != StreamEnd.Out.END_QUEUED) {
            return false;
        }
        stream.out = StreamEnd.Out.END;
        writer.end(stream.id());
        return true;
    }
}
