package io.fairlead.net;

import io.fairlead.credentials.Pem;
import io.fairlead.http.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/** A TLS server whose answers a test writes itself, over HTTP/1.1 or HTTP/2. */
final class FakeServer implements AutoCloseable {
    /** What the server does with each piece of each request; on its event loop. It does not own the piece. */
    interface Script {
        void on(ChannelHandlerContext ctx, HttpObject piece);
    }

    /** Says nothing at all after the handshake, not even HTTP/2's settings. */
    static final Script WORDLESS = (ctx, piece) -> {};

    private static final String BEHIND_TLS = "behind-tls";

    private final EventLoopGroup loops = Transport.NIO.newGroup(1, "fake-server");

    /** What is accepted while they are closed is closed too: the loop that ends may not do it. */
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    /** Of HTTP/2. One that does not read outlives its connection, with what waits for it, until it is closed too. */
    private final ChannelGroup streams = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    private final AtomicInteger accepted = new AtomicInteger();
    private final InetSocketAddress address;
    private final Channel listener;
    private final AtomicInteger pings = new AtomicInteger();
    private volatile boolean mute;

    FakeServer(X509Bundle identity, String protocol, Script script) {
        this(identity, protocol, Http2Settings.defaultSettings(), "", script);
    }

    /** @param clientCa PEM of the CA that must have signed the client's certificate; empty to ask for none */
    FakeServer(X509Bundle identity, String protocol, Http2Settings settings, String clientCa, Script script) {
        SslContext tls = tls(identity, protocol, clientCa);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channelFactory(Transport.NIO.serverChannels())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accepted.incrementAndGet();
                        channels.add(channel);
                        if (mute) {
                            return;
                        }
                        channel.pipeline()
                                .addLast(tls.newHandler(channel.alloc()))
                                .addLast(BEHIND_TLS, new ChannelInboundHandlerAdapter())
                                .addLast(new Negotiation(settings, script));
                    }
                });
        listener = bootstrap
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
        channels.add(listener);
        address = (InetSocketAddress) listener.localAddress();
    }

    URI url() {
        return URI.create("https://127.0.0.1:" + address.getPort());
    }

    InetSocketAddress address() {
        return address;
    }

    int accepted() {
        return accepted.get();
    }

    /** Refuses connections from here on; those that stand live on. */
    void refuseConnections() {
        listener.close().awaitUninterruptibly();
        Recorder.eventually(this::isRefusing);
    }

    /** A closed listener of the JDK's takes connections until its selector has looked again. */
    private boolean isRefusing() {
        try (Socket _ = new Socket(address.getAddress(), address.getPort())) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Takes connections from here on without a word, or speaks on new ones again. */
    void mute(boolean on) {
        mute = on;
    }

    /** Reads nothing more of any connection, as if the machine were gone. */
    void fallSilent() {
        channels.stream()
                .filter(channel -> !(channel instanceof ServerChannel))
                .forEach(channel -> channel.eventLoop()
                        .submit(() -> channel.config().setAutoRead(false))
                        .awaitUninterruptibly());
    }

    /** HTTP/2 pings that were answered. */
    int pings() {
        return pings.get();
    }

    /** Connections that stand. */
    long connections() {
        return channels.stream()
                .filter(channel -> !(channel instanceof ServerChannel))
                .count();
    }

    /** The context from which bytes go out as they are, encrypted only. */
    static ChannelHandlerContext raw(ChannelHandlerContext ctx) {
        return ctx.pipeline().context(BEHIND_TLS);
    }

    @Override
    public void close() {
        channels.close().awaitUninterruptibly();
        streams.close().awaitUninterruptibly();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly();
    }

    private static SslContext tls(X509Bundle identity, String protocol, String clientCa) {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(
                            identity.getKeyPair().getPrivate(), identity.getCertificatePath())
                    .sslProvider(SslProvider.JDK)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            protocol));
            if (!clientCa.isEmpty()) {
                builder.trustManager(Pem.certificates("clientCa", clientCa)).clientAuth(ClientAuth.REQUIRE);
            }
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Negotiation extends ApplicationProtocolNegotiationHandler {
        private final Http2Settings settings;
        private final Script script;

        Negotiation(Http2Settings settings, Script script) {
            super(ApplicationProtocolNames.HTTP_1_1);
            this.settings = settings;
            this.script = script;
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
            if (WORDLESS.equals(script)) {
                ctx.pipeline().addLast(new Quiet(pings));
            } else if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                ctx.pipeline()
                        .addLast(Http2FrameCodecBuilder.forServer()
                                .initialSettings(settings)
                                .gracefulShutdownTimeoutMillis(0)
                                .build())
                        .addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel stream) {
                                streams.add(stream);
                                stream.pipeline()
                                        .addLast(new Http2StreamFrameToHttpObjectCodec(true))
                                        .addLast(new Scripted(script));
                            }
                        }))
                        .addLast(new Quiet(pings));
            } else {
                ctx.pipeline().addLast(new HttpServerCodec()).addLast(new Scripted(script));
            }
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    private static final class Scripted extends ChannelInboundHandlerAdapter {
        private final Script script;

        Scripted(Script script) {
            this.script = script;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try {
                if (message instanceof HttpObject piece) {
                    script.on(ctx, piece);
                }
            } finally {
                ReferenceCountUtil.release(message);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    private static final class Quiet extends ChannelInboundHandlerAdapter {
        private final AtomicInteger pings;

        Quiet(AtomicInteger pings) {
            this.pings = pings;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Http2PingFrame ping && !ping.ack()) {
                pings.incrementAndGet();
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
