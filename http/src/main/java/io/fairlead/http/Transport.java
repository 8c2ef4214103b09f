package io.fairlead.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;

/** The socket implementation. A group and the channels registered with it must use one transport. */
@SuppressWarnings("ImmutableEnumChecker")
public enum Transport {
    /** Linux's epoll, where its native library loads. */
    EPOLL(EpollSocketChannel::new, EpollServerSocketChannel::new),
    /** The JDK's selector, everywhere else. */
    NIO(NioSocketChannel::new, NioServerSocketChannel::new);

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

    /** Daemon event loops named {@code name-1-1} and so on; the caller shuts them down. */
    public EventLoopGroup newGroup(int threads, String name) {
        return new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(name, true), ioHandlers());
    }

    public ChannelFactory<Channel> socketChannels() {
        return socketChannels;
    }

    public ChannelFactory<ServerChannel> serverChannels() {
        return serverChannels;
    }

    private IoHandlerFactory ioHandlers() {
        return switch (this) {
            case EPOLL -> EpollIoHandler.newFactory();
            case NIO -> NioIoHandler.newFactory();
        };
    }
}
