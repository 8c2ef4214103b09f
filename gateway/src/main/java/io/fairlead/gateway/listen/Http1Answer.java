package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.HttpStatus;
import io.fairlead.http.MutableFields;
import io.fairlead.http.TurnOutput;
import io.fairlead.http.h1.ChunkWriter;
import io.fairlead.http.h1.FieldLines;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;

/** Frames an answer in HTTP/1.1 (RFC 9112 section 6): by length, in chunks, or by the end of the connection. */
final class Http1Answer {
    private static final byte[] END_OF_LINE = "\r\n".getBytes(US_ASCII);
    private static final byte[] CLOSE_AND_END = "connection: close\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] CHUNKED_FIELD = "transfer-encoding: chunked\r\n".getBytes(US_ASCII);

    /** Missing bytes are waited for: a client detects the end only by the end of its connection. */
    static final ChannelFutureListener ALL_OR_CLOSED = written -> {
        if (!written.isSuccess()) {
            Listener.closeAtOnce(written.channel());
        }
    };

    /** The most bytes of a head but its fields. */
    private static final int HEAD_BYTES_REST = 128;

    private final Framing framing;
    private final boolean keepAlive;
    private long remaining;

    private Http1Answer(Framing framing, boolean keepAlive, long remaining) {
        this.framing = framing;
        this.keepAlive = keepAlive;
        this.remaining = remaining;
    }

    /** Writes the head and chooses the framing. */
    static Http1Answer begin(
            TurnOutput output,
            Http1Head request,
            int status,
            MutableFields headers,
            boolean last,
            boolean mayKeepAlive) {
        Framing framing = framing(request, status, headers, last);
        boolean keepAlive = mayKeepAlive && framing != Framing.UNTIL_CLOSE;
        long length = framing == Framing.LENGTH ? Long.parseLong(headers.get(FieldName.CONTENT_LENGTH, "")) : 0;
        Fields fields = headers.toFields();
        ByteBuf out = output.room(HEAD_BYTES_REST + FieldLines.bytes(fields) + TurnOutput.roomFor(length));
        writeHead(out, status, fields);
        switch (framing) {
            case CHUNKED -> out.writeBytes(CHUNKED_FIELD);
            case NO_BODY -> writeZeroLength(out, request, status, headers);
            case LENGTH, UNTIL_CLOSE -> {}
        }
        endHead(out, keepAlive);
        return new Http1Answer(framing, keepAlive, length);
    }

    /** Hands the connection over to another protocol (RFC 9110 section 15.2.2). */
    static void switching(TurnOutput output, String protocol, MutableFields headers) {
        headers.set(FieldName.CONNECTION, "Upgrade");
        headers.set(FieldName.UPGRADE, protocol);
        Fields fields = headers.toFields();
        ByteBuf out = output.room(HEAD_BYTES_REST + FieldLines.bytes(fields));
        writeHead(out, 101, fields);
        out.writeBytes(END_OF_LINE);
    }

    /** Answers input that is not a request. The caller closes the connection. */
    static void refusal(TurnOutput output, Status status) {
        byte[] body = StatusBody.encode(status);
        Fields fields = StatusBody.headers(status)
                .set(FieldName.CONTENT_LENGTH, Integer.toString(body.length))
                .toFields();
        ByteBuf out = output.room(HEAD_BYTES_REST + FieldLines.bytes(fields) + body.length);
        writeHead(out, status.code(), fields);
        endHead(out, false);
        out.writeBytes(body);
    }

    boolean keepAlive() {
        return keepAlive;
    }

    /** Takes ownership of the data, even if it throws. */
    void write(TurnOutput output, ByteBuf data) {
        switch (framing) {
            case NO_BODY -> data.release();
            case UNTIL_CLOSE -> output.write(data);
            case LENGTH -> writeOfLength(output, data);
            case CHUNKED -> ChunkWriter.chunk(output, data);
        }
    }

    /** Ends the body; false if it is shorter than announced. */
    boolean end(TurnOutput output) {
        if (framing == Framing.CHUNKED) {
            ChunkWriter.lastChunk(output);
        }
        return framing != Framing.LENGTH || remaining == 0;
    }

    private void writeOfLength(TurnOutput output, ByteBuf data) {
        if (data.readableBytes() > remaining) {
            data.writerIndex(data.readerIndex() + (int) remaining);
        }
        remaining -= data.readableBytes();
        output.write(data);
    }

    private static Framing framing(Http1Head request, int status, MutableFields headers, boolean last) {
        if (request.method().equals(HttpMethod.HEAD) || HttpStatus.hasNoBody(status)) {
            return Framing.NO_BODY;
        }
        if (headers.contains(FieldName.CONTENT_LENGTH)) {
            return Framing.LENGTH;
        }
        if (last) {
            return Framing.NO_BODY;
        }
        return request.chunkedAnswers() ? Framing.CHUNKED : Framing.UNTIL_CLOSE;
    }

    private static void writeZeroLength(ByteBuf out, Http1Head request, int status, MutableFields headers) {
        boolean silent = request.method().equals(HttpMethod.HEAD) || HttpStatus.hasNoBody(status);
        if (!silent && !headers.contains(FieldName.CONTENT_LENGTH)) {
            ByteBufUtil.writeAscii(out, "content-length: 0\r\n");
        }
    }

    private static void writeHead(ByteBuf out, int status, Fields fields) {
        out.writeBytes(StatusLines.of(status));
        FieldLines.write(out, fields);
    }

    private static void endHead(ByteBuf out, boolean keepAlive) {
        out.writeBytes(keepAlive ? END_OF_LINE : CLOSE_AND_END);
    }

    /** How the end of the body is signalled. */
    private enum Framing {
        NO_BODY,
        LENGTH,
        CHUNKED,
        UNTIL_CLOSE
    }
}
