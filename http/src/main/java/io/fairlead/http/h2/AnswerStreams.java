package io.fairlead.http.h2;

import io.fairlead.http.Fields;
import io.fairlead.http.HttpStatus;
import io.fairlead.http.hpack.HpackDecoder;

/** The streams of a client's side: it begins them, and servers answer. */
final class AnswerStreams extends Streams {
    private static final int LAST_ID = Integer.MAX_VALUE;

    /** What a server allows that does not say. */
    private static final long UNLIMITED = Long.MAX_VALUE;

    private final ClientOwner owner;
    private final FrameWriter writer;

    /** The next request's stream; negative once there is none left (section 5.1.1). */
    private int nextId = 1;

    private boolean isEnding;

    private long streamsMax = UNLIMITED;

    AnswerStreams(ClientOwner owner, Parts parts, Http2Limits limits) {
        super(owner, parts, limits);
        this.owner = owner;
        this.writer = parts.writer();
    }

    @Override
    int lastId() {
        return 0;
    }

    /** Whether the server takes further requests at all. */
    boolean takesMore() {
        return !isEnding && nextId > 0;
    }

    void request(StreamEnd stream, RequestLine line, Fields fields, Fields own, boolean last) {
        int id = nextId;
        nextId = id == LAST_ID ? -1 : id + 2;
        add(stream, id);
        stream.isAnswerBodiless = line.method().equals("HEAD");
        stream.out = last ? StreamEnd.Out.END : StreamEnd.Out.BODY;
        writer.request(id, line, fields, own, last);
    }

    @Override
    void head(int id, HpackDecoder.Decoded head, boolean last) throws ConnectionError, StreamError {
        StreamEnd stream = find(id);
        if (stream == null) {
            requireKnown(id);
        } else if (stream.in != StreamEnd.In.HEAD) {
            trailers(stream, head.fields(), last);
        } else if (head.excess() != null) {
            stream.in = last ? StreamEnd.In.END : StreamEnd.In.BODY;
            stream.onHeadTooLarge(head.excess());
        } else {
            answer(stream, head.fields(), last);
        }
    }

    private void answer(StreamEnd stream, Fields fields, boolean last) throws StreamError {
        int status = HeadRules.requireAnswer(fields);
        if (HttpStatus.isInterim(status)) {
            if (last) {
                throw StreamError.protocol("interim answer that ends the stream");
            }
            stream.onHead(fields, false);
            return;
        }
        stream.in = last ? StreamEnd.In.END : StreamEnd.In.BODY;
        boolean isBodiless = stream.isAnswerBodiless || HttpStatus.hasNoBody(status);
        stream.announcedBytes = isBodiless ? 0 : HeadRules.requireContentLength(fields);
        requireLength(stream, last);
        stream.onHead(fields, last);
        closeIfOver(stream);
    }

    /** An answer that comes too late is dropped. */
    private void requireKnown(int id) throws ConnectionError {
        if (isIdle(id)) {
            throw ConnectionError.protocol("answer on stream " + id + ", which is idle");
        }
        if (!mayBeLate(id)) {
            throw ConnectionError.of(ErrorCode.STREAM_CLOSED, "HEADERS on stream " + id + ", which is closed");
        }
    }

    @Override
    void setting(int id, long value) throws ConnectionError {
        if (id == Frame.SETTING_MAX_CONCURRENT_STREAMS) {
            streamsMax = value;
        } else if (id == Frame.SETTING_ENABLE_PUSH && value != 0) {
            throw ConnectionError.protocol("SETTINGS_ENABLE_PUSH " + value + " of a server");
        }
    }

    @Override
    void settled() {
        owner.settled(streamsMax);
    }

    @Override
    void goAway(int lastTaken) {
        isEnding = true;
        for (StreamEnd stream : snapshot()) {
            if (stream.id() > lastTaken && isOpen(stream)) {
                loseTo(stream, ErrorCode.REFUSED_STREAM.code());
            }
        }
        owner.goneAway();
    }

    @Override
    boolean isIdle(int id) {
        return (id & 1) == 0 || (nextId > 0 && id >= nextId);
    }

    /** Of many streams that ended, this side does not remember who ended them. */
    @Override
    boolean mayBeLate(int id) {
        return recent().wasResetHere(id) || !recent().wasOpen(id);
    }
}
