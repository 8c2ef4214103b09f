package io.fairlead.http.h2;

import io.fairlead.http.Fields;
import io.fairlead.http.hpack.HpackDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The streams of a connection: how they begin and end (RFC 9113 section 5.1), and what comes in on them. */
final class Streams {
    /** A few streams whose readers stall leave room for the others. */
    static final int CONNECTION_WINDOW = 4 * Frame.WINDOW_DEFAULT;

    private final IntObjectMap<StreamEnd> open = new IntObjectHashMap<>(4);
    private final RecentIds recent = new RecentIds();
    private final Http2Owner owner;
    private final FrameWriter writer;
    private final FloodGuard floods;
    private final Sending sending;
    private final int streamsMax;

    private int lastId;
    private int lastTakenId = Integer.MAX_VALUE;
    private int receiveWindow = CONNECTION_WINDOW;
    private int consumedBytes;

    Streams(Http2Owner owner, FrameWriter writer, FloodGuard floods, Sending sending, int streamsMax) {
        this.owner = owner;
        this.writer = writer;
        this.floods = floods;
        this.sending = sending;
        this.streamsMax = streamsMax;
    }

    /** The last one that the peer began. */
    int lastId() {
        return lastId;
    }

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

    /** Streams that begin from now on are not looked at. */
    void takeNoMore() {
        lastTakenId = Math.min(lastTakenId, lastId);
    }

    /** The head of a request, or trailers. */
    void head(int id, HpackDecoder.Decoded head, boolean last) throws ConnectionError, StreamError {
        StreamEnd stream = open.get(id);
        if (stream != null) {
            trailers(stream, head.fields(), last);
            return;
        }
        if (isOver(id) || id > lastTakenId) {
            return;
        }
        lastId = id;
        if (open.size() >= streamsMax) {
            throw new StreamError(ErrorCode.REFUSED_STREAM, "expected at most " + streamsMax + " streams at once");
        }
        if (head.excess() == null) {
            HeadRules.requireRequest(head.fields());
        }
        begin(id, head, last);
    }

    /**
     * Whether a head comes too late for its stream, on which this side gave up.
     *
     * @throws ConnectionError if the peer should have known
     */
    private boolean isOver(int id) throws ConnectionError {
        if ((id & 1) == 0) {
            throw ConnectionError.protocol("request on stream " + id + " (expected an odd one)");
        }
        if (id > lastId) {
            return false;
        }
        if (recent.wasResetHere(id)) {
            return true;
        }
        throw recent.wasOpen(id)
                ? ConnectionError.of(ErrorCode.STREAM_CLOSED, "HEADERS on stream " + id + ", which is closed")
                : ConnectionError.protocol("request on stream " + id + " after one on stream " + lastId);
    }

    private void begin(int id, HpackDecoder.Decoded head, boolean last) throws StreamError {
        StreamEnd stream = owner.opened();
        stream.begin(id, sending.initialWindow());
        open.put(id, stream);
        stream.in = last ? StreamEnd.In.END : StreamEnd.In.BODY;
        stream.announcedBytes = HeadRules.contentLength(head.fields());
        requireLength(stream, last);
        HpackDecoder.Excess excess = head.excess();
        if (excess == null) {
            stream.onHead(head.fields(), last);
        } else {
            stream.onHeadTooLarge(excess);
        }
    }

    private void trailers(StreamEnd stream, Fields fields, boolean last) throws StreamError {
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
            requireReset(id, stream);
            return;
        }
        int dataBytes = data.readableBytes();
        stream.receiveWindow -= frameBytes;
        if (stream.receiveWindow < 0) {
            giveBack(frameBytes);
            throw new StreamError(ErrorCode.FLOW_CONTROL_ERROR, "more data than the stream's window admits");
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
    private void requireReset(int id, @Nullable StreamEnd halfOpen) throws ConnectionError, StreamError {
        if (halfOpen != null) {
            throw new StreamError(ErrorCode.STREAM_CLOSED, "DATA after the end of the stream");
        }
        if (isIdle(id)) {
            throw ConnectionError.protocol("DATA on stream " + id + ", which is idle");
        }
        if (id <= lastTakenId && !recent.wasResetHere(id)) {
            throw ConnectionError.of(ErrorCode.STREAM_CLOSED, "DATA on stream " + id + ", which is closed");
        }
    }

    private static void requireLength(StreamEnd stream, boolean last) throws StreamError {
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
        if (stream.consumedBytes >= Frame.WINDOW_DEFAULT / 2 && stream.in == StreamEnd.In.BODY && isOpen(stream)) {
            writer.windowUpdate(stream.id(), stream.consumedBytes);
            stream.receiveWindow += stream.consumedBytes;
            stream.consumedBytes = 0;
        }
    }

    private void giveBack(int bytes) {
        consumedBytes += bytes;
        if (consumedBytes >= CONNECTION_WINDOW / 2) {
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

    void resetByPeer(int id) throws ConnectionError {
        if (isIdle(id)) {
            throw ConnectionError.protocol("RST_STREAM on stream " + id + ", which is idle");
        }
        floods.reset();
        StreamEnd stream = open.get(id);
        if (stream != null) {
            remove(stream, false);
            stream.onReset(true);
            owner.closed(stream);
        }
    }

    /** The peer broke a rule of the stream. */
    void resetFor(int id, StreamError error) throws ConnectionError {
        floods.reset();
        StreamEnd stream = open.get(id);
        writer.reset(id, error.code());
        if (stream == null) {
            recent.add(id, true);
            return;
        }
        remove(stream, true);
        stream.onReset(false);
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

    void head(StreamEnd stream, int status, Fields fields, boolean last) {
        if (stream.out != StreamEnd.Out.HEAD || !isOpen(stream)) {
            return;
        }
        stream.out = last ? StreamEnd.Out.END : StreamEnd.Out.BODY;
        writer.head(stream.id(), status, fields, last);
        if (last) {
            sent(stream);
        }
    }

    /** The end of an answer was written. */
    void sent(StreamEnd stream) {
        stream.onSent();
        closeIfOver(stream);
    }

    void lost() {
        for (StreamEnd stream : snapshot()) {
            remove(stream, false);
            stream.onLost();
            owner.closed(stream);
        }
    }

    private void closeIfOver(StreamEnd stream) {
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

    private boolean isOpen(StreamEnd stream) {
        return stream.equals(open.get(stream.id()));
    }

    private boolean isIdle(int id) {
        return (id & 1) == 0 || (id > lastId && id <= lastTakenId);
    }
}
