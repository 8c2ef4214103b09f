package io.fairlead.net;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;

/** Decodes answers, knows that one to HEAD has no body, and tells what a reusable connection must not have. */
final class Http1Decoder extends HttpResponseDecoder {
    private static final int INITIAL_LINE_MAX = 8 * 1024;
    private static final int HEADERS_MAX = 64 * 1024;
    private static final int CHUNK_MAX = 64 * 1024;

    private boolean bodiless;

    Http1Decoder() {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(INITIAL_LINE_MAX)
                .setMaxHeaderSize(HEADERS_MAX)
                .setMaxChunkSize(CHUNK_MAX));
    }

    void expectAnswerTo(HttpMethod method) {
        bodiless = method.equals(HttpMethod.HEAD);
    }

    /** Whether bytes came behind the answer. */
    boolean holdsBytes() {
        return actualReadableBytes() > 0;
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        int status = ((HttpResponse) message).status().code();
        // Netty takes what follows some 101s for the body of a WebSocket draft that nobody speaks any more.
        return status < 200 || bodiless || super.isContentAlwaysEmpty(message);
    }
}
