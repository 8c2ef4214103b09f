package io.fairlead.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;

/**
 * Decodes answers, knows that one to HEAD has no body, and detects what makes a connection unusable for another call.
 */
final class Http1Decoder extends HttpResponseDecoder {
    private static final int INITIAL_LINE_MAX = 8 * 1024;
    private static final int HEADERS_MAX = 64 * 1024;
    private static final int CHUNK_MAX = 64 * 1024;

    private boolean bodiless;
    /** Whether an answer has begun, and not ended. */
    private boolean amidAnswer;

    Http1Decoder() {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(INITIAL_LINE_MAX)
                .setMaxHeaderSize(HEADERS_MAX)
                .setMaxChunkSize(CHUNK_MAX));
    }

    void expectAnswerTo(HttpMethod method) {
        bodiless = method.equals(HttpMethod.HEAD);
    }

    /** Whether bytes followed the answer: buffered, or decoded as the start of another answer. */
    boolean holdsBytes() {
        return amidAnswer || actualReadableBytes() > 0;
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) {
        amidAnswer = true;
        return super.createMessage(initialLine);
    }

    /** Ends at most one answer. */
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf buffer, List<Object> out) throws Exception {
        super.decode(ctx, buffer, out);
        if (!out.isEmpty() && out.getLast() instanceof LastHttpContent) {
            amidAnswer = false;
        }
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        int status = ((HttpResponse) message).status().code();
        // Netty takes the bytes after some 101s for the body of an obsolete WebSocket draft.
        return status < 200 || bodiless || super.isContentAlwaysEmpty(message);
    }
}
