package io.fairlead.net;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Closes streams that a server opens: push is switched off in our settings (RFC 9113 section 8.4). */
@Sharable
final class RefusePushes extends ChannelInboundHandlerAdapter {
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        ctx.close();
    }
}
