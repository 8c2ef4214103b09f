package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.fairlead.http.FieldName;
import io.fairlead.http.MutableFields;
import io.fairlead.http.h1.FieldLines;
import io.fairlead.model.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.function.Consumer;

/** Frames an answer in HTTP/1.1 (RFC 9112 section 6): by length, in chunks, or by the end of the connection. */
final class Http1Answer {
    private static final ByteBuf LAST_CHUNK = Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("0\r\n\r\n", US_ASCII));
    private static final ByteBuf LINE_END = Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("\r\n", US_ASCII));

    /** Missing bytes are waited for: a client detects the end only by the end of its connection. */
    private static final ChannelFutureListener ALL_OR_CLOSED = written -> {
        if (!written.isSuccess()) {
            Listener.closeAtOnce(written.channel());
        }
    };

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
            ChannelHandlerContext ctx,
            Http1Head request,
            int status,
            MutableFields headers,
            boolean last,
            boolean mayKeepAlive) {
        Framing framing = framing(request, status, headers, last);
        boolean keepAlive = mayKeepAlive && framing != Framing.UNTIL_CLOSE;
        long length = framing == Framing.LENGTH ? Long.parseLong(headers.get(FieldName.CONTENT_LENGTH, "")) : 0;
        ByteBuf head = filled(ctx, 512, out -> {
            writeHead(out, status, headers);
            switch (framing) {
                case CHUNKED -> ByteBufUtil.writeAscii(out, "transfer-encoding: chunked\r\n");
                case NO_BODY -> writeZeroLength(out, request, status, headers);
                case LENGTH, UNTIL_CLOSE -> {}
            }
            endHead(out, keepAlive);
        });
        ctx.write(head).addListener(ALL_OR_CLOSED);
        return new Http1Answer(framing, keepAlive, length);
    }

    /** Hands the connection over to another protocol (RFC 9110 section 15.2.2). */
    static void switching(ChannelHandlerContext ctx, String protocol, MutableFields headers) {
        headers.set(FieldName.CONNECTION, "Upgrade");
        headers.set(FieldName.UPGRADE, protocol);
        ByteBuf head = filled(ctx, 512, out -> {
            writeHead(out, 101, headers);
            ByteBufUtil.writeAscii(out, "\r\n");
        });
        ctx.writeAndFlush(head).addListener(ALL_OR_CLOSED);
    }

    /** Answers input that is not a request. The caller closes the connection. */
    static void refusal(ChannelHandlerContext ctx, Status status) {
        byte[] body = StatusBody.encode(status);
        ByteBuf answer = filled(ctx, 512 + body.length, out -> {
            writeHead(
                    out,
                    status.code(),
                    StatusBody.headers(status).set(FieldName.CONTENT_LENGTH, Integer.toString(body.length)));
            endHead(out, false);
            out.writeBytes(body);
        });
        ctx.write(answer).addListener(ALL_OR_CLOSED);
    }

    boolean keepAlive() {
        return keepAlive;
    }

    /** Takes ownership of the data, even if it throws. */
    void write(ChannelHandlerContext ctx, ByteBuf data) {
        switch (framing) {
            case NO_BODY -> data.release();
            case UNTIL_CLOSE -> ctx.write(data).addListener(ALL_OR_CLOSED);
            case LENGTH -> writeOfLength(ctx, data);
            case CHUNKED -> writeChunk(ctx, data);
        }
    }

    /** Ends the body; false if it is shorter than announced. */
    boolean end(ChannelHandlerContext ctx) {
        if (framing == Framing.CHUNKED) {
            ctx.write(LAST_CHUNK.duplicate()).addListener(ALL_OR_CLOSED);
        }
        return framing != Framing.LENGTH || remaining == 0;
    }

    private void writeOfLength(ChannelHandlerContext ctx, ByteBuf data) {
        if (data.readableBytes() > remaining) {
            data.writerIndex(data.readerIndex() + (int) remaining);
        }
        remaining -= data.readableBytes();
        ctx.write(data).addListener(ALL_OR_CLOSED);
    }

    private static void writeChunk(ChannelHandlerContext ctx, ByteBuf data) {
        if (!data.isReadable()) {
            data.release();
            return;
        }
        ctx.write(chunkSize(ctx, data)).addListener(ALL_OR_CLOSED);
        ctx.write(data).addListener(ALL_OR_CLOSED);
        ctx.write(LINE_END.duplicate()).addListener(ALL_OR_CLOSED);
    }

    private static ByteBuf chunkSize(ChannelHandlerContext ctx, ByteBuf data) {
        try {
            return filled(ctx, 10, size -> {
                ByteBufUtil.writeAscii(size, Integer.toHexString(data.readableBytes()));
                size.writeByte('\r').writeByte('\n');
            });
        } catch (RuntimeException | Error noBuffer) {
            data.release();
            throw noBuffer;
        }
    }

    /** A buffer with the writer's bytes; released if memory does not suffice. */
    private static ByteBuf filled(ChannelHandlerContext ctx, int bytes, Consumer<ByteBuf> writer) {
        ByteBuf buffer = ctx.alloc().buffer(bytes);
        try {
            writer.accept(buffer);
            return buffer;
        } catch (RuntimeException | Error noBuffer) {
            buffer.release();
            throw noBuffer;
        }
    }

    private static Framing framing(Http1Head request, int status, MutableFields headers, boolean last) {
        if (request.method().equals(HttpMethod.HEAD) || status == 204 || status == 304) {
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
        boolean silent = request.method().equals(HttpMethod.HEAD) || status == 204 || status == 304;
        if (!silent && !headers.contains(FieldName.CONTENT_LENGTH)) {
            ByteBufUtil.writeAscii(out, "content-length: 0\r\n");
        }
    }

    private static void writeHead(ByteBuf out, int status, MutableFields headers) {
        ByteBufUtil.writeAscii(out, "HTTP/1.1 ");
        ByteBufUtil.writeAscii(out, HttpResponseStatus.valueOf(status).toString());
        ByteBufUtil.writeAscii(out, "\r\n");
        FieldLines.write(out, headers.toFields());
    }

    private static void endHead(ByteBuf out, boolean keepAlive) {
        ByteBufUtil.writeAscii(out, keepAlive ? "\r\n" : "connection: close\r\n\r\n");
    }

    /** How the end of the body is signalled. */
    private enum Framing {
        NO_BODY,
        LENGTH,
        CHUNKED,
        UNTIL_CLOSE
    }
}
