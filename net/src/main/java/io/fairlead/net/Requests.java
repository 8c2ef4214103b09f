package io.fairlead.net;

import io.fairlead.http.Fields;
import io.fairlead.http.NettyFields;
import io.fairlead.http.h1.RequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;

/** Builds the message for the upstream from a head: framing is always built here, never copied. */
final class Requests {
    private static final int HEAD_BYTES_EXPECTED = 1024;

    private Requests() {}

    /** The head, as it goes out. */
    static ByteBuf http1(RequestHead head, Endpoint endpoint, UpstreamSpec spec, ByteBufAllocator allocator) {
        HttpHeaders headers = endToEnd(head, endpoint, spec);
        if (head.contentLength() < 0) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        return written(head, endpoint, headers, allocator);
    }

    /** The fields; the request's line says the rest. */
    static Fields http2(RequestHead head, Endpoint endpoint, UpstreamSpec spec) {
        HttpHeaders headers = endToEnd(head, endpoint, spec);
        headers.remove(HttpHeaderNames.HOST);
        return NettyFields.of(headers);
    }

    /** Requests an upgrade to other protocols, as {@code Upgrade} lists them (RFC 9110 section 7.8). */
    static ByteBuf upgrade(
            RequestHead head, String protocols, Endpoint endpoint, UpstreamSpec spec, ByteBufAllocator allocator) {
        HttpHeaders headers = endToEnd(head, endpoint, spec);
        headers.set(HttpHeaderNames.CONNECTION, "Upgrade");
        headers.set(HttpHeaderNames.UPGRADE, protocols);
        return written(head, endpoint, headers, allocator);
    }

    private static HttpHeaders endToEnd(RequestHead head, Endpoint endpoint, UpstreamSpec spec) {
        HttpHeaders headers = head.headers().copy();
        Answer.removeHopByHop(headers);
        headers.remove(HttpHeaderNames.EXPECT);
        headers.remove(HttpHeaderNames.CONTENT_LENGTH);
        headers.set(HttpHeaderNames.HOST, endpoint.authority());
        authorize(headers, spec);
        if (head.contentLength() > 0 || (head.contentLength() == 0 && expectsBody(head.method()))) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, head.contentLength());
        }
        return headers;
    }

    /** The head may come from an older specification, whose token must not reach these endpoints. */
    private static void authorize(HttpHeaders headers, UpstreamSpec spec) {
        if (spec.hasCredential()) {
            headers.remove(HttpHeaderNames.AUTHORIZATION);
        }
        if (spec.bearerToken() != null) {
            headers.set(HttpHeaderNames.AUTHORIZATION, "Bearer " + spec.bearerToken());
        }
    }

    /** Methods whose empty body has an explicit length (RFC 9110 section 8.6). */
    private static boolean expectsBody(HttpMethod method) {
        return method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT) || method.equals(HttpMethod.PATCH);
    }

    private static ByteBuf written(
            RequestHead head, Endpoint endpoint, HttpHeaders headers, ByteBufAllocator allocator) {
        ByteBuf out = allocator.buffer(HEAD_BYTES_EXPECTED);
        try {
            RequestWriter.head(out, head.method().name(), endpoint.target(head.target()), NettyFields.of(headers));
            return out;
        } catch (RuntimeException | Error e) {
            out.release();
            throw e;
        }
    }
}
