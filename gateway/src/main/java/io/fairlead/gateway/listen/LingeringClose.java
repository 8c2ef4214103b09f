package io.fairlead.gateway.listen;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection in steps, so that its client can read the last data sent: the answer, the GOAWAY.
 *
 * <p>A close with unread input makes the kernel reset the connection, and the client's kernel then throws away what the
 * client has not read yet (RFC 9112 section 9.6). So the sending side is closed first, and further input is dropped
 * until the client closes, has sent {@link #DROPPED_BYTES_MAX}, or a second has passed.
 */
public final class LingeringClose extends ChannelDuplexHandler {
    private static final long LINGER_MILLIS = 1_000;
    private static final long DROPPED_BYTES_MAX = 4L * 1024 * 1024;

    private @Nullable Future<?> end;
    private long droppedBytes;

    @Override
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        if (!ctx.channel().isActive()) {
            ctx.close(promise);
            return;
        }
        ctx.channel().closeFuture().addListener(_ -> promise.trySuccess());
        if (end == null) {
            end = ctx.executor().schedule(() -> ctx.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
            closeOutput(ctx);
            ctx.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (end == null) {
            ctx.fireChannelRead(message);
            return;
        }
        droppedBytes += message instanceof ByteBuf data ? data.readableBytes() : 0;
        ReferenceCountUtil.release(message);
        if (droppedBytes > DROPPED_BYTES_MAX) {
            ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (end != null) {
            end.cancel(false);
        }
        ctx.fireChannelInactive();
    }

    /** Sends the end of TLS, if in use, after all writes, and then the end of TCP. */
    private static void closeOutput(ChannelHandlerContext ctx) {
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        Future<?> said = tls == null ? ctx.newSucceededFuture() : tls.closeOutbound();
        said.addListener(_ -> {
            if (ctx.channel().isActive()) {
                ((DuplexChannel) ctx.channel()).shutdownOutput();
            }
        });
    }
}
