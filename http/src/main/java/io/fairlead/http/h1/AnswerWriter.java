package io.fairlead.http.h1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.http.FieldName;
import io.fairlead.http.Fields;
import io.fairlead.http.HttpMethod;
import io.fairlead.http.HttpStatus;
import io.fairlead.http.MutableFields;
import io.fairlead.http.TurnOutput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Writes an answer in HTTP/1.1 (RFC 9112 sections 4 and 6), framed by its length, in chunks, or by the end of the
 * connection. Without I/O. One thread.
 */
public final class AnswerWriter {
    private static final byte[] END_OF_LINE = "\r\n".getBytes(US_ASCII);
    private static final byte[] CLOSE_AND_END = "connection: close\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] CHUNKED_FIELD = "transfer-encoding: chunked\r\n".getBytes(US_ASCII);
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII);

    /** The most bytes of a head but its fields. */
    private static final int HEAD_BYTES_REST = 128;

    private final Framing framing;
    private final boolean keepAlive;
    private long remaining;

    private AnswerWriter(Framing framing, boolean keepAlive, long remaining) {
        this.framing = framing;
        this.keepAlive = keepAlive;
        this.remaining = remaining;
    }

    /**
     * Writes the head and chooses the framing.
     *
     * @param last whether there is no body
     * @param mayKeepAlive whether another request may follow; it does not if the body ends with the connection
     */
    public static AnswerWriter begin(
            TurnOutput output,
            RequestHead request,
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
        return new AnswerWriter(framing, keepAlive, length);
    }

    /** Hands the connection over to another protocol (RFC 9110 section 15.2.2). */
    public static void switching(TurnOutput output, String protocol, MutableFields headers) {
        headers.set(FieldName.CONNECTION, "Upgrade");
        headers.set(FieldName.UPGRADE, protocol);
        Fields fields = headers.toFields();
        ByteBuf out = output.room(HEAD_BYTES_REST + FieldLines.bytes(fields));
        writeHead(out, 101, fields);
        out.writeBytes(END_OF_LINE);
    }

    /** Asks for the body of a request that waits for it (RFC 9110 section 15.2.1). */
    public static void proceed(TurnOutput output) {
        output.room(CONTINUE.length).writeBytes(CONTINUE);
    }

    /**
     * Writes a whole answer, behind which the caller closes the connection.
     *
     * @param headers without the length
     */
    public static void last(TurnOutput output, int status, MutableFields headers, byte[] body) {
        Fields fields = headers.set(FieldName.CONTENT_LENGTH, Integer.toString(body.length))
                .toFields();
        ByteBuf out = output.room(HEAD_BYTES_REST + FieldLines.bytes(fields) + body.length);
        writeHead(out, status, fields);
        endHead(out, false);
        out.writeBytes(body);
    }

    /** Whether another request may follow on this connection. */
    public boolean keepAlive() {
        return keepAlive;
    }

    /** Writes a piece of the body. Takes ownership, even if it throws. */
    public void write(TurnOutput output, ByteBuf data) {
        switch (framing) {
            case NO_BODY -> data.release();
            case UNTIL_CLOSE -> output.write(data);
            case LENGTH -> writeOfLength(output, data);
            case CHUNKED -> ChunkWriter.chunk(output, data);
        }
    }

    /** Ends the body; false if it is shorter than announced. */
    public boolean end(TurnOutput output) {
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

    private static Framing framing(RequestHead request, int status, MutableFields headers, boolean last) {
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

    private static void writeZeroLength(ByteBuf out, RequestHead request, int status, MutableFields headers) {
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
