package io.fairlead.gateway.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/** What of a connection's output its socket does not take. On its event loop. */
abstract class SocketQueue implements StalledReader.Queue {
    abstract Channel channel();

    @Override
    public final long bytes() {
        ChannelOutboundBuffer output = channel().unsafe().outboundBuffer();
        return output == null ? 0 : output.totalPendingWriteBytes();
    }

    /** Which buffer is being written, and how far. */
    @Override
    public final long progress() {
        ChannelOutboundBuffer output = channel().unsafe().outboundBuffer();
        return output == null ? 0 : 31 * output.currentProgress() + System.identityHashCode(output.current());
    }
}
