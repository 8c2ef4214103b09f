package io.fairlead.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;

/** Enables TCP keep-alive, so that a silently vanished peer is detected within a minute. */
public final class KeepAlive {
    private static final int IDLE_SECONDS = 30;
    private static final int INTERVAL_SECONDS = 10;
    private static final int PROBES = 3;

    private KeepAlive() {}

    /** Without epoll the system's own intervals apply. */
    public static void on(Channel channel) {
        channel.config().setOption(ChannelOption.SO_KEEPALIVE, true);
        if (channel instanceof EpollSocketChannel) {
            channel.config().setOption(EpollChannelOption.TCP_KEEPIDLE, IDLE_SECONDS);
            channel.config().setOption(EpollChannelOption.TCP_KEEPINTVL, INTERVAL_SECONDS);
            channel.config().setOption(EpollChannelOption.TCP_KEEPCNT, PROBES);
        }
    }
}
