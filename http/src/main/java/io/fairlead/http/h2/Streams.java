package io.fairlead.http.h2;

import io.fairlead.http.Fields;
import io.fairlead.http.hpack.HpackDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a connection: how they end (RFC 9113 section 5.1), and what comes in on them. How they begin is a
 * matter of the side.
 */
abstract class Streams {
    private final IntObjectMap<StreamEnd> open = new IntObjectHashMap<>(4);
    private final RecentIds recent = new RecentIds();
    private final Http2Owner owner;
    private final FrameWriter writer;
    private final FloodGuard floods;
    private final Sending sending;
    private final Http2Limits limits;

    private int receiveWindow;
    private int consumedBytes;

    Streams(Http2Owner owner, Parts parts, Http2Limits limits) {
        this.owner = owner;
        this.writer = parts.writer();
        this.floods = parts.floods();
        this.sending = parts.sending();
        this.limits = limits;
        this.receiveWindow = limits.connectionWindow();
    }

    /** The last stream that the peer began; 0 if it begins none. */
    abstract int lastId();

    /** A setting of the peer that only one side knows. */
    void setting(int id, long value) throws ConnectionError {}

    /** The peer's settings are complete, the first or later ones. */
    void settled() {}

    /** The peer begins no further streams, and takes none after this one (section 6.8). */
    void goAway(int lastTaken) {}

    /** A head, or trailers. */
    abstract void head(int id, HpackDecoder.Decoded head, boolean last) throws ConnectionError, StreamError;

    /** Whether no stream of this id can have been open. */
    abstract boolean isIdle(int id);

    /** Whether the peer may not know yet that this stream is over. */
    abstract boolean mayBeLate(int id);

    Iterable<StreamEnd> open() {
        return open.values();
    }

    /** Those that are open now, to call them: a call may end some. */
    List<StreamEnd> snapshot() {
        return List.copyOf(open.values());
    }

    int openCount() {
        return open.size();
    }

    RecentIds recent() {
        return recent;
    }

    @Nullable
    StreamEnd find(int id) {
        return open.get(id);
    }

    void add(StreamEnd stream, int id) {
        stream.begin(id, sending.initialWindow(), limits.streamWindow());
        open.put(id, stream);
    }

    void trailers(StreamEnd stream, Fields fields, boolean last) throws StreamError {
        if (stream.in == StreamEnd.In.END) {
            throw new StreamError(ErrorCode.STREAM_CLOSED, "HEADERS after the end of the stream");
        }
        if (!last) {
            throw StreamError.protocol("trailers that do not end the stream");
        }
        HeadRules.requireTrailers(fields);
        endOfBody(stream);
    }

    /**
     * A DATA frame.
     *
     * @param frameBytes its payload with the padding, which counts for the windows
     */
    void data(int id, ByteBuf data, int frameBytes, boolean last) throws ConnectionError, StreamError {
        receiveWindow -= frameBytes;
        if (receiveWindow < 0) {
            throw ConnectionError.of(ErrorCode.FLOW_CONTROL_ERROR, "more data than the connection's window admits");
        }
        StreamEnd stream = open.get(id);
        if (stream == null || stream.in == StreamEnd.In.END) {
            giveBack(frameBytes);
            requireLate(id, stream);
            return;
        }
        int dataBytes = data.readableBytes();
        stream.receiveWindow -= frameBytes;
        if (stream.receiveWindow < 0) {
            giveBack(frameBytes);
            throw new StreamError(ErrorCode.FLOW_CONTROL_ERROR, "more data than the stream's window admits");
        }
        if (stream.in == StreamEnd.In.HEAD) {
            giveBack(frameBytes);
            throw StreamError.protocol("DATA before the head of the answer");
        }
        stream.receivedBytes += dataBytes;
        consumed(stream, frameBytes - dataBytes);
        try {
            requireLength(stream, last);
        } catch (StreamError e) {
            giveBack(dataBytes);
            throw e;
        }
        if (dataBytes > 0) {
            stream.onData(data.retain());
        }
        if (last) {
            endOfBody(stream);
        }
    }

    /** Data on a stream that is over comes in time only if this side ended it. */
    private void requireLate(int id, @Nullable StreamEnd halfOpen) throws ConnectionError, StreamError {
        if (halfOpen != null) {
            throw new StreamError(ErrorCode.STREAM_CLOSED, "DATA after the end of the stream");
        }
        if (isIdle(id)) {
            throw ConnectionError.protocol("DATA on stream " + id + ", which is idle");
        }
        if (!mayBeLate(id)) {
            throw ConnectionError.of(ErrorCode.STREAM_CLOSED, "DATA on stream " + id + ", which is closed");
        }
    }

    static void requireLength(StreamEnd stream, boolean last) throws StreamError {
        long announced = stream.announcedBytes;
        if (announced == HeadRules.LENGTH_UNKNOWN) {
            return;
        }
        if (stream.receivedBytes > announced || (last && stream.receivedBytes < announced)) {
            throw StreamError.protocol("body of another length than announced");
        }
    }

    private void endOfBody(StreamEnd stream) throws StreamError {
        requireLength(stream, true);
        stream.in = StreamEnd.In.END;
        stream.onEnd();
        closeIfOver(stream);
    }

    /** Data was read, or dropped, by the stream that got it, which may be over by now. */
    void consumed(StreamEnd stream, int bytes) {
        giveBack(bytes);
        stream.consumedBytes += bytes;
        if (stream.consumedBytes >= limits.streamWindow() / 2 && stream.in == StreamEnd.In.BODY && isOpen(stream)) {
            writer.windowUpdate(stream.id(), stream.consumedBytes);
            stream.receiveWindow += stream.consumedBytes;
            stream.consumedBytes = 0;
        }
    }

    private void giveBack(int bytes) {
        consumedBytes += bytes;
        if (consumedBytes >= limits.streamWindow()) {
            writer.windowUpdate(0, consumedBytes);
            receiveWindow += consumedBytes;
            consumedBytes = 0;
        }
    }

    void opened(int id, int bytes) throws ConnectionError, StreamError {
        StreamEnd stream = open.get(id);
        if (stream != null) {
            sending.open(stream, bytes);
        } else if (isIdle(id)) {
            throw ConnectionError.protocol("WINDOW_UPDATE on stream " + id + ", which is idle");
        }
    }

    void resetByPeer(int id, int code) throws ConnectionError {
        if (isIdle(id)) {
            throw ConnectionError.protocol("RST_STREAM on stream " + id + ", which is idle");
        }
        floods.reset();
        StreamEnd stream = open.get(id);
        if (stream != null) {
            loseTo(stream, code);
        }
    }

    /** The peer ended a stream. */
    void loseTo(StreamEnd stream, int code) {
        remove(stream, false);
        stream.onReset(code);
        owner.closed(stream);
    }

    /** The peer broke a rule of the stream. */
    void resetFor(int id, StreamError error) throws ConnectionError {
        floods.reset();
        floods.reply(writer.isRead());
        StreamEnd stream = open.get(id);
        writer.reset(id, error.code());
        if (stream == null) {
            recent.add(id, true);
            return;
        }
        remove(stream, true);
        stream.onBroken(String.valueOf(error.getMessage()));
        owner.closed(stream);
    }

    /** This side gives up. */
    void reset(StreamEnd stream, ErrorCode code) {
        if (isOpen(stream)) {
            writer.reset(stream.id(), code);
            remove(stream, true);
            owner.closed(stream);
        }
    }

    /** The end of what this side sends was written. */
    void sent(StreamEnd stream) {
        stream.onSent();
        closeIfOver(stream);
    }

    /** Tells all, also if one of them throws: none hears anything later. */
    void lost() {
        Throwable failure = null;
        for (StreamEnd stream : snapshot()) {
            if (isOpen(stream)) {
                remove(stream, false);
                try {
                    stream.onLost();
                } catch (RuntimeException | Error thrown) {
                    failure = thrown;
                }
                owner.closed(stream);
            }
        }
        switch (failure) {
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            case null, default -> {}
        }
    }

    boolean isOpen(StreamEnd stream) {
        return stream.equals(open.get(stream.id()));
    }

    void closeIfOver(StreamEnd stream) {
        if (stream.in == StreamEnd.In.END && stream.out == StreamEnd.Out.END && isOpen(stream)) {
            remove(stream, false);
            owner.closed(stream);
        }
    }

    private void remove(StreamEnd stream, boolean wasResetHere) {
        open.remove(stream.id());
        recent.add(stream.id(), wasResetHere);
        stream.out = StreamEnd.Out.END;
        stream.dropQueue();
    }
}
