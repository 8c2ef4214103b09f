package io.fairlead.net;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.MutableFields;
import io.fairlead.http.h1.RequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpMethod;

/** Builds the message for the upstream from a head: framing is always built here, never copied. */
final class Requests {
    private static final int HEAD_BYTES_EXPECTED = 1024;

    private Requests() {}

    /** The head, as it goes out. */
    static ByteBuf http1(RequestHead head, Endpoint endpoint, UpstreamSpec spec, ByteBufAllocator allocator) {
        MutableFields headers = endToEnd(head, endpoint, spec);
        if (head.contentLength() < 0) {
            headers.set(FieldName.TRANSFER_ENCODING, "chunked");
        }
        return written(head, endpoint, headers, allocator);
    }

    /** The fields; the request's line says the rest. */
    static Fields http2(RequestHead head, Endpoint endpoint, UpstreamSpec spec) {
        MutableFields headers = endToEnd(head, endpoint, spec);
        headers.remove(FieldName.HOST);
        return headers.toFields();
    }

    /** Requests an upgrade to other protocols, as {@code Upgrade} lists them (RFC 9110 section 7.8). */
    static ByteBuf upgrade(
            RequestHead head, String protocols, Endpoint endpoint, UpstreamSpec spec, ByteBufAllocator allocator) {
        MutableFields headers = endToEnd(head, endpoint, spec);
        headers.set(FieldName.CONNECTION, "Upgrade");
        headers.set(FieldName.UPGRADE, protocols);
        return written(head, endpoint, headers, allocator);
    }

    private static MutableFields endToEnd(RequestHead head, Endpoint endpoint, UpstreamSpec spec) {
        MutableFields headers = head.fields().toMutable();
        Answer.removeHopByHop(headers);
        headers.remove(FieldName.EXPECT);
        headers.remove(FieldName.CONTENT_LENGTH);
        headers.set(FieldName.HOST, endpoint.authority());
        authorize(headers, spec);
        if (head.contentLength() > 0 || (head.contentLength() == 0 && expectsBody(head.method()))) {
            headers.set(FieldName.CONTENT_LENGTH, Long.toString(head.contentLength()));
        }
        return headers;
    }

    /** The head may come from an older specification, whose token must not reach these endpoints. */
    private static void authorize(MutableFields headers, UpstreamSpec spec) {
        if (spec.hasCredential()) {
            headers.remove(FieldName.AUTHORIZATION);
        }
        if (spec.bearerToken() != null) {
            headers.set(FieldName.AUTHORIZATION, "Bearer " + spec.bearerToken());
        }
    }

    /** Methods whose empty body has an explicit length (RFC 9110 section 8.6). */
    private static boolean expectsBody(HttpMethod method) {
        return method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT) || method.equals(HttpMethod.PATCH);
    }

    private static ByteBuf written(
            RequestHead head, Endpoint endpoint, MutableFields headers, ByteBufAllocator allocator) {
        ByteBuf out = allocator.buffer(HEAD_BYTES_EXPECTED);
        try {
            RequestWriter.head(out, head.method().name(), endpoint.target(head.target()), headers.toFields());
            return out;
        } catch (RuntimeException | Error e) {
            out.release();
            throw e;
        }
    }
}
