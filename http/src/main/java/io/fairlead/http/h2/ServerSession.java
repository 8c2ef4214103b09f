package io.fairlead.http.h2;

import io.fairlead.http.Fields;
import java.util.function.LongSupplier;

/** The server's side of a connection. One thread. */
public final class ServerSession extends Http2Session {
    /** No stream has a higher one: none is refused yet. */
    private static final int LAST_STREAM = Integer.MAX_VALUE;

    private final Http2Limits limits;
    private final FrameWriter writer;
    private final RequestStreams streams;

    /** The clock is {@code System::nanoTime} except in tests. */
    public ServerSession(Http2Limits limits, ServerOwner owner, Http2Output output, LongSupplier nanoTime) {
        Parts parts = Parts.of(limits, output, nanoTime);
        RequestStreams requests = new RequestStreams(owner, parts, limits);
        super(owner, output, limits, parts, requests, Side.SERVER);
        this.limits = limits;
        this.writer = parts.writer();
        this.streams = requests;
    }

    @Override
    public void start() {
        writer.settings(
                Frame.SETTING_MAX_CONCURRENT_STREAMS, limits.streamsMax(),
                Frame.SETTING_INITIAL_WINDOW_SIZE, limits.streamWindow(),
                Frame.SETTING_MAX_HEADER_LIST_SIZE, limits.headBytesMax());
        writer.windowUpdate(0, limits.connectionWindow() - Frame.WINDOW_DEFAULT);
    }

    /** Tells a client that expects a 100 to send the body, unless the answer has begun (RFC 9110 section 15.2.1). */
    public void proceed(StreamEnd stream) {
        streams.proceed(stream);
    }

    /** Begins an answer. Names are sent in lower case; fields must be valid ones. */
    public void answer(StreamEnd stream, int status, Fields fields, boolean last) {
        streams.answer(stream, status, fields, last);
    }

    /** The client may send further requests for a moment, and should begin them elsewhere (RFC 9113 section 6.8). */
    public void announceEnd() {
        if (!isOver()) {
            writer.goAway(LAST_STREAM, ErrorCode.NO_ERROR, "");
        }
    }

    /** Requests that come from now on are not looked at; the client knows that it may send them again elsewhere. */
    public void takeNoMore() {
        if (!isOver()) {
            streams.takeNoMore();
            writer.goAway(streams.lastId(), ErrorCode.NO_ERROR, "");
        }
    }

    /** Ends the connection, since its client sends too much of something. */
    public void calm(Flood flood) {
        if (!isOver()) {
            fail(ConnectionError.flood(flood));
        }
    }
}
