package io.fairlead.gateway.listen;

import io.fairlead.model.Repetitions;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses a listener that cannot accept, for instance without free descriptors: the connection stays in the queue, and
 * immediate retries would use up a processor. On the listener's event loop.
 */
public final class FailedAccepts extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(FailedAccepts.class);
    private static final int PAUSE_MILLIS = 200;

    private final Repetitions failures = new Repetitions();
    private boolean failing;
    private boolean told;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object connection) {
        if (failing) {
            failing = false;
            if (told) {
                told = false;
                LOG.info("Connections are accepted again");
            }
        }
        ctx.fireChannelRead(connection);
    }

    /** Not passed on: Netty would pause for as long and log a stack trace each time. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!failing) {
            failing = true;
            failures.next("").ifPresent(leftOut -> {
                told = true;
                LOG.atWarn()
                        .addKeyValue("problem", cause.getMessage())
                        .addKeyValue("leftOut", leftOut)
                        .log("Cannot accept connections; trying again until it can be done");
            });
        }
        // First schedule the end of the pause: otherwise a listener could stay paused for ever.
        EventLoop loop = ctx.channel().eventLoop();
        loop.schedule(() -> ctx.channel().config().setAutoRead(true), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        ctx.channel().config().setAutoRead(false);
    }
}
