package io.fairlead.gateway.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What concerns an HTTP/2 connection as a whole: how it ends.
 *
 * <p>A drained connection says GOAWAY, answers the streams that it has, and closes a moment after the last of them: what
 * the client still sends (window updates, acknowledgements) would else make the kernel reset the connection, and with it
 * throw away the end of an answer that the client has not read yet.
 */
final class Http2Connection extends ChannelInboundHandlerAdapter {
    private static final long LINGER_MILLIS = 500;

    private int streams;
    private boolean draining;

    private @Nullable ChannelHandlerContext context;

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** A stream began. */
    void opened(Channel stream) {
        streams++;
        stream.closeFuture().addListener(_ -> {
            streams--;
            closeIfDrained();
        });
    }

    /** Takes no further streams and ends after the last one. */
    void drain() {
        if (!draining) {
            draining = true;
            context().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
            closeIfDrained();
        }
    }

    /** The codec has acted on it. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ReferenceCountUtil.release(message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }

    private void closeIfDrained() {
        if (draining && streams == 0) {
            Channel connection = context().channel();
            connection.eventLoop().schedule(() -> connection.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private ChannelHandlerContext context() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }
}
