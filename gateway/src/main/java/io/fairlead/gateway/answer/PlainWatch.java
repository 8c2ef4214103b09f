package io.fairlead.gateway.answer;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;

/**
 * The answer to a watch that asks for a WebSocket: a 200 that has ended, upon which clients watch by plain HTTP.
 *
 * <p>The ordinary answer to a watch would do for clients that look at the status alone. Others, the JDK's among them, read a
 * refusal to its end before they believe it, and a watch has none.
 */
public final class PlainWatch {
    private PlainWatch() {}

    /** Answers; on the request's event loop. */
    public static void suggest(Reply reply) {
        reply.whole(
                200,
                DefaultHttpHeadersFactory.headersFactory()
                        .newHeaders()
                        .set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                        .set(HttpHeaderNames.CACHE_CONTROL, "no-cache, private"),
                new byte[0]);
    }
}
