package io.fairlead.gateway.listen;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses a listener that can accept no connection, as when there are no more descriptors: the connection stays in the queue, and
 * to try again at once would take a processor. On the listener's event loop.
 */
final class FailedAccepts extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(FailedAccepts.class);
    private static final int PAUSE_MILLIS = 200;

    private boolean failing;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object connection) {
        if (failing) {
            failing = false;
            LOG.info("Connections are accepted again");
        }
        ctx.fireChannelRead(connection);
    }

    /** Not passed on: behind this, Netty would pause for as long and log a stack trace each time. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!failing) {
            failing = true;
            LOG.atWarn()
                    .addKeyValue("problem", cause.getMessage())
                    .log("Cannot accept connections; trying again until it can be done");
        }
        ctx.channel().config().setAutoRead(false);
        EventLoop loop = ctx.channel().eventLoop();
        loop.schedule(() -> ctx.channel().config().setAutoRead(true), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
}
