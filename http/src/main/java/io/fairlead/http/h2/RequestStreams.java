package io.fairlead.http.h2;

import io.fairlead.http.Fields;
import io.fairlead.http.hpack.HpackDecoder;

/** The streams of a server's side: clients begin them with requests. */
final class RequestStreams extends Streams {
    private static final int CONTINUE = 100;

    private final ServerOwner owner;
    private final FrameWriter writer;
    private final int streamsMax;

    private int lastId;
    private int lastTakenId = Integer.MAX_VALUE;

    RequestStreams(ServerOwner owner, Parts parts, Http2Limits limits) {
        super(owner, parts, limits);
        this.owner = owner;
        this.writer = parts.writer();
        this.streamsMax = limits.streamsMax();
    }

    @Override
    int lastId() {
        return lastId;
    }

    /** Streams that begin from now on are not looked at. */
    void takeNoMore() {
        lastTakenId = Math.min(lastTakenId, lastId);
    }

    @Override
    void head(int id, HpackDecoder.Decoded head, boolean last) throws ConnectionError, StreamError {
        StreamEnd stream = find(id);
        if (stream != null) {
            trailers(stream, head.fields(), last);
            return;
        }
        if (isOver(id) || id > lastTakenId) {
            return;
        }
        lastId = id;
        if (openCount() >= streamsMax) {
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
        if (recent().wasResetHere(id)) {
            lastId = Math.max(lastId, Math.min(id, lastTakenId)); // An idle stream can be reset, for its priority.
            return true;
        }
        if (id > lastId) {
            return false;
        }
        throw recent().wasOpen(id)
                ? ConnectionError.of(ErrorCode.STREAM_CLOSED, "HEADERS on stream " + id + ", which is closed")
                : ConnectionError.protocol("request on stream " + id + " after one on stream " + lastId);
    }

    private void begin(int id, HpackDecoder.Decoded head, boolean last) throws StreamError {
        StreamEnd stream = owner.opened();
        add(stream, id);
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

    void proceed(StreamEnd stream) {
        if (stream.out == StreamEnd.Out.HEAD && isOpen(stream)) {
            writer.answer(stream.id(), CONTINUE, Fields.EMPTY, false);
        }
    }

    /** Begins an answer. */
    void answer(StreamEnd stream, int status, Fields fields, boolean last) {
        if (stream.out != StreamEnd.Out.HEAD || !isOpen(stream)) {
            return;
        }
        stream.out = last ? StreamEnd.Out.END : StreamEnd.Out.BODY;
        writer.answer(stream.id(), status, fields, last);
        if (last) {
            sent(stream);
        }
    }

    @Override
    boolean isIdle(int id) {
        return (id & 1) == 0 || (id > lastId && id <= lastTakenId);
    }

    @Override
    boolean mayBeLate(int id) {
        return id > lastTakenId || recent().wasResetHere(id);
    }
}
