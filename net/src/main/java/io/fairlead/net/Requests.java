package io.fairlead.net;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldNames;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.http.TurnOutput;
import io.fairlead.http.h1.RequestWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Builds the message for the upstream from a head: framing is always built here, never copied. */
final class Requests {
    private static final int HEAD_BYTES_EXPECTED = 1024;

    /** What is about this connection, or written here. */
    private static final FieldNames OURS =
            Answer.HOP_BY_HOP.and(FieldName.EXPECT, FieldName.CONTENT_LENGTH, FieldName.HOST);

    private static final FieldNames OURS_AND_CREDENTIAL = OURS.and(FieldName.AUTHORIZATION);

    private Requests() {}

    /** Writes the head. */
    static void http1(TurnOutput output, RequestHead head, Endpoint endpoint, UpstreamSpec spec) {
        MutableFields headers = endToEnd(head, endpoint, spec);
        if (head.contentLength() < 0) {
            headers.set(FieldName.TRANSFER_ENCODING, "chunked");
        }
        Fields fields = headers.toFields();
        String target = endpoint.target(head.target());
        int bytes = RequestWriter.headBytesMax(target, fields) + TurnOutput.roomFor(head.contentLength());
        RequestWriter.head(output.room(bytes), head.method().name(), target, fields);
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

    /** The head may come from an older specification, whose token must not reach these endpoints. */
    private static MutableFields endToEnd(RequestHead head, Endpoint endpoint, UpstreamSpec spec) {
        MutableFields headers = head.fields().toMutable();
        Answer.removeNominated(headers);
        headers.removeAll(spec.hasCredential() ? OURS_AND_CREDENTIAL : OURS);
        headers.add(FieldName.HOST, endpoint.authority());
        if (spec.bearerToken() != null) {
            headers.add(FieldName.AUTHORIZATION, "Bearer " + spec.bearerToken());
        }
        if (head.contentLength() > 0 || (head.contentLength() == 0 && expectsBody(head.method()))) {
            headers.add(FieldName.CONTENT_LENGTH, Long.toString(head.contentLength()));
        }
        return headers;
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
