package io.fairlead.gateway.listen;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * Answers a client that speaks plain HTTP where TLS is expected, in the words of Go's {@code net/http}, as
 * kube-apiserver does. Everything else continues to the handshake.
 */
final class PlainHttp extends ByteToMessageDecoder {
    /** The length of a TLS record's head, so that no handshake waits here. */
    private static final int PREFIX_BYTES = 5;

    private static final Set<String> PREFIXES =
            Set.of("GET /", "HEAD ", "POST ", "PUT /", "PATCH", "DELET", "OPTIO", "CONNE", "TRACE");
    private static final String ANSWER = """
        HTTP/1.0 400 Bad Request\r
        Content-Type: text/plain; charset=utf-8\r
        Connection: close\r
        \r
        Client sent an HTTP request to an HTTPS server.
        """;

    private final ConnectionMeter meter;

    PlainHttp(ConnectionMeter meter) {
        this.meter = meter;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (!isLetter(in.getByte(in.readerIndex()))) {
            ctx.pipeline().remove(this);
        } else if (in.readableBytes() >= PREFIX_BYTES) {
            if (PREFIXES.contains(in.toString(in.readerIndex(), PREFIX_BYTES, StandardCharsets.US_ASCII))) {
                in.skipBytes(in.readableBytes());
                refuse(ctx);
            }
            ctx.pipeline().remove(this);
        }
    }

    /** A TLS handshake begins with 22 (RFC 8446 section 5.1). */
    private static boolean isLetter(byte first) {
        return first >= 'A' && first <= 'Z';
    }

    private void refuse(ChannelHandlerContext ctx) {
        meter.handshakeFailed();
        ctx.pipeline().remove(ProtocolChoice.class);
        ctx.pipeline().remove(Listener.HANDSHAKE);
        ctx.pipeline().addLast(new LingeringClose());
        ctx.channel()
                .writeAndFlush(ByteBufUtil.writeAscii(ctx.alloc(), ANSWER))
                .addListener(ChannelFutureListener.CLOSE);
    }
}
