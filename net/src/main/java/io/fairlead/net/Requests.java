package io.fairlead.net;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpVersion;

/** Builds the message for the upstream from a head: framing is always built here, never copied. */
final class Requests {
    private Requests() {}

    static HttpObject http1(RequestHead head, Endpoint endpoint, UpstreamSpec spec) {
        HttpHeaders headers = endToEnd(head, endpoint, spec);
        if (head.contentLength() < 0) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        return message(head, endpoint, headers);
    }

    static HttpObject http2(RequestHead head, Endpoint endpoint, UpstreamSpec spec) {
        return message(head, endpoint, endToEnd(head, endpoint, spec));
    }

    /** Requests an upgrade to other protocols, as {@code Upgrade} lists them (RFC 9110 section 7.8). */
    static HttpObject upgrade(RequestHead head, String protocols, Endpoint endpoint, UpstreamSpec spec) {
        HttpHeaders headers = endToEnd(head, endpoint, spec);
        headers.set(HttpHeaderNames.CONNECTION, "Upgrade");
        headers.set(HttpHeaderNames.UPGRADE, protocols);
        return withoutBody(head, endpoint, headers);
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

    private static HttpObject message(RequestHead head, Endpoint endpoint, HttpHeaders headers) {
        return head.contentLength() == 0
                ? withoutBody(head, endpoint, headers)
                : new DefaultHttpRequest(HttpVersion.HTTP_1_1, head.method(), endpoint.target(head.target()), headers);
    }

    private static FullHttpRequest withoutBody(RequestHead head, Endpoint endpoint, HttpHeaders headers) {
        return new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                head.method(),
                endpoint.target(head.target()),
                Unpooled.EMPTY_BUFFER,
                headers,
                DefaultHttpHeadersFactory.trailersFactory().newEmptyHeaders());
    }
}
