package io.fairlead.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The socket implementation. A group and the channels registered with it must use one transport. */
@SuppressWarnings("ImmutableEnumChecker")
public enum Transport {
    /** Linux's epoll, where its native library loads. */
    EPOLL(EpollSocketChannel::new, EpollServerSocketChannel::new),
    /** The JDK's selector, everywhere else. */
    NIO(NioSocketChannel::new, NioServerSocketChannel::new);

    private static final Duration QUIET = Duration.ofMillis(20);

    private final ChannelFactory<Channel> socketChannels;
    private final ChannelFactory<ServerChannel> serverChannels;

    Transport(ChannelFactory<Channel> socketChannels, ChannelFactory<ServerChannel> serverChannels) {
        this.socketChannels = socketChannels;
        this.serverChannels = serverChannels;
    }

    /** The best transport of this machine. */
    public static Transport preferred() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    /** Daemon event loops named {@code name-1-1} and so on; the caller ends them with {@link #end}. */
    public EventLoopGroup newGroup(int threads, String name) {
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), ioHandlers());
    }

    /**
     * Ends event loops once they have closed their channels. A loop of Netty closes them at the beginning of a turn: without a
     * quiet period the turn in which it is told to end may be its last, and their sockets stay open.
     *
     * @param within after which they end in any case
     */
    public static Future<?> end(EventLoopGroup loops, Duration within) {
        return loops.shutdownGracefully(QUIET.toMillis(), within.toMillis(), TimeUnit.MILLISECONDS);
    }

    public ChannelFactory<Channel> socketChannels() {
        return socketChannels;
    }

    public ChannelFactory<ServerChannel> serverChannels() {
        return serverChannels;
    }

    /**
     * Leaves what the kernel cannot send yet in the process, beyond so many bytes for each connection, where that is possible: otherwise
     * the kernel takes megabytes, and tells of what a slow peer reads only when a third of that is gone.
     */
    public void boundUnsent(ServerBootstrap bootstrap, long bytes) {
        if (this == EPOLL) {
            bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, bytes);
        }
    }

    private IoHandlerFactory ioHandlers() {
        return switch (this) {
            case EPOLL -> EpollIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
    }
}
