package io.fairlead.gateway.listen;

import io.netty.channel.ChannelHandlerContext;

/** Flushes what was written in one turn of the event loop together, at its end. */
final class TurnEndFlush {
    private boolean due;

    /** On the event loop of {@code ctx}. */
    void soon(ChannelHandlerContext ctx) {
        if (!due) {
            due = true;
            ctx.executor().execute(() -> {
                due = false;
                ctx.flush();
            });
        }
    }
}
