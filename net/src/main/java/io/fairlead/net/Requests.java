package io.fairlead.net;

import io.fairlead.http.FieldName;
import io.fairlead.http.FieldNames;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.MutableFields;
import io.fairlead.http.TurnOutput;
import io.fairlead.http.h1.RequestWriter;
import io.fairlead.http.h2.ClientSession;
import io.fairlead.http.h2.RequestLine;
import io.fairlead.http.h2.StreamEnd;
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
        Fields fields = endToEnd(head, spec);
        Fields own = http1(head, endpoint);
        String target = endpoint.target(head.target());
        int bytes = RequestWriter.headBytesMax(target, fields, own) + TurnOutput.roomFor(head.contentLength());
        RequestWriter.head(output.room(bytes), head.method().name(), target, fields, own);
    }

    /** Begins it; the fields are those of {@link #endToEnd}, and the framing and the credential. */
    static void http2(ClientSession session, StreamEnd stream, RequestHead head, Endpoint endpoint, UpstreamSpec spec) {
        RequestLine line = new RequestLine(head.method().name(), endpoint.authority(), endpoint.target(head.target()));
        Fields own = withLength(endpoint.own(head.sender()), head);
        session.request(stream, line, endToEnd(head, spec), own, head.contentLength() == 0);
    }

    /** Requests an upgrade to other protocols, as {@code Upgrade} lists them (RFC 9110 section 7.8). */
    static ByteBuf upgrade(
            RequestHead head, String protocols, Endpoint endpoint, UpstreamSpec spec, ByteBufAllocator allocator) {
        Fields own = withLength(endpoint.hostAndOwn(head.sender()), head)
                .toMutable()
                .add(FieldName.CONNECTION, "Upgrade")
                .add(FieldName.UPGRADE, protocols)
                .toFields();
        ByteBuf out = allocator.buffer(HEAD_BYTES_EXPECTED);
        try {
            RequestWriter.head(out, head.method().name(), endpoint.target(head.target()), endToEnd(head, spec), own);
            return out;
        } catch (RuntimeException | Error e) {
            out.release();
            throw e;
        }
    }

    /** What passes through. The head may come from an older specification, whose token must not reach these endpoints. */
    private static Fields endToEnd(RequestHead head, UpstreamSpec spec) {
        MutableFields headers = head.fields().toMutable();
        Answer.removeNominated(headers);
        boolean isOurs = head.sender() != Sender.CALLER && spec.hasCredential();
        return headers.removeAll(isOurs ? OURS_AND_CREDENTIAL : OURS).toFields();
    }

    private static Fields http1(RequestHead head, Endpoint endpoint) {
        Fields own = withLength(endpoint.hostAndOwn(head.sender()), head);
        return head.contentLength() < 0
                ? own.toMutable().add(FieldName.TRANSFER_ENCODING, "chunked").toFields()
                : own;
    }

    private static Fields withLength(Fields own, RequestHead head) {
        boolean isLengthSaid = head.contentLength() > 0 || (head.contentLength() == 0 && expectsBody(head.method()));
        return isLengthSaid
                ? own.toMutable()
                        .add(FieldName.CONTENT_LENGTH, Long.toString(head.contentLength()))
                        .toFields()
                : own;
    }

    /** Methods whose empty body has an explicit length (RFC 9110 section 8.6). */
    private static boolean expectsBody(HttpMethod method) {
        return method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT) || method.equals(HttpMethod.PATCH);
    }
}
