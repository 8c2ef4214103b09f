package io.fairlead.http.h2;

import io.fairlead.http.Fields;
import java.util.function.LongSupplier;

/** The client's side of a connection. One thread. */
public final class ClientSession extends Http2Session {
    private final Http2Limits limits;
    private final FrameWriter writer;
    private final AnswerStreams streams;

    /** The clock is {@code System::nanoTime} except in tests. */
    public ClientSession(Http2Limits limits, ClientOwner owner, Http2Output output, LongSupplier nanoTime) {
        Parts parts = Parts.of(limits, output, nanoTime);
        AnswerStreams answers = new AnswerStreams(owner, parts, limits);
        super(owner, output, limits, parts, answers, Side.CLIENT);
        this.limits = limits;
        this.writer = parts.writer();
        this.streams = answers;
    }

    @Override
    public void start() {
        writer.preface();
        writer.settings(
                Frame.SETTING_HEADER_TABLE_SIZE, Side.CLIENT.tableBytesMax(),
                Frame.SETTING_ENABLE_PUSH, 0,
                Frame.SETTING_INITIAL_WINDOW_SIZE, limits.streamWindow(),
                Frame.SETTING_MAX_HEADER_LIST_SIZE, limits.headBytesMax());
        writer.windowUpdate(0, limits.connectionWindow() - Frame.WINDOW_DEFAULT);
    }

    /** Whether a request may begin at all; how many at once is the owner's matter. */
    public boolean takesMore() {
        return !isOver() && streams.takesMore();
    }

    /**
     * Begins a request, if {@link #takesMore}. Names are sent in lower case; fields must be valid ones.
     *
     * @param own further fields, which stand behind the others
     * @param last whether it has no body
     */
    public void request(StreamEnd stream, RequestLine line, Fields fields, Fields own, boolean last) {
        streams.request(stream, line, fields, own, last);
    }
}
