package io.fairlead.clustersync;

import io.fairlead.http.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The connections of a server in HTTP/1.1 or HTTP/2, with a certificate of its own CA. Its answers are another's. */
final class FakeHttpServer implements AutoCloseable {
    private static final int BINDS_MAX = 500;
    private static final X509Bundle IDENTITY = identity();

    /** Answers requests, on an event loop. */
    @FunctionalInterface
    interface Answers {
        void answer(ChannelHandlerContext ctx, HttpRequest request);
    }

    private final EventLoopGroup loops = Transport.NIO.newGroup(1, "fake-api-server");
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final String protocol;
    private final Answers answers;
    private volatile int port;
    private volatile boolean isClosed;

    /** @param protocol the only one that it speaks, as ALPN names it */
    FakeHttpServer(String protocol, Answers answers) {
        this.protocol = protocol;
        this.answers = answers;
    }

    static String caPem() {
        return IDENTITY.getRootCertificatePEM();
    }

    int port() {
        return port;
    }

    /** How many clients are connected. */
    int count() {
        return channels.size() - 1;
    }

    /** Binds; after {@link #down()} to the same port. */
    void listen() {
        SslContext tls = tls();
        ServerBootstrap server = new ServerBootstrap()
                .group(loops)
                .channelFactory(Transport.NIO.serverChannels())
                .option(io.netty.channel.ChannelOption.SO_REUSEADDR, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channels.add(channel);
                        if (isClosed) {
                            // Accepted while the server closes: the loop that ends may not close it.
                            channel.close();
                            return;
                        }
                        channel.pipeline().addLast(tls.newHandler(channel.alloc()), new Negotiation());
                    }
                });
        Channel listener = bind(server);
        channels.add(listener);
        port = ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** A client that dials a port without a listener may for a moment be connected to itself, and have the port. */
    private Channel bind(ServerBootstrap server) {
        ChannelFuture bound =
                server.bind(InetAddress.getLoopbackAddress(), port).awaitUninterruptibly();
        for (int attempt = 0; attempt < BINDS_MAX && !bound.isSuccess(); attempt++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            bound = server.bind(InetAddress.getLoopbackAddress(), port).awaitUninterruptibly();
        }
        return bound.syncUninterruptibly().channel();
    }

    /** Closes the listener and every connection. */
    void down() {
        channels.close().awaitUninterruptibly();
    }

    @Override
    public void close() {
        isClosed = true;
        down();
        Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly();
    }

    /** Begins an answer without a length. */
    static void begin(ChannelHandlerContext ctx) {
        DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json");
        if (!(ctx.channel() instanceof Http2StreamChannel)) {
            head.headers().set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        ctx.writeAndFlush(head);
    }

    /** Writes a part of a begun answer. */
    static void write(ChannelHandlerContext ctx, String text, boolean last) {
        ctx.writeAndFlush(new DefaultHttpContent(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8)));
        if (last) {
            end(ctx);
        }
    }

    /** Ends a begun answer. */
    static void end(ChannelHandlerContext ctx) {
        ctx.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
    }

    /** Answers at once. */
    static void send(ChannelHandlerContext ctx, int code, String body) {
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(code),
                Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "application/json")
                .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
        ctx.writeAndFlush(response);
    }

    private SslContext tls() {
        try {
            return SslContextBuilder.forServer(IDENTITY.getKeyPair().getPrivate(), IDENTITY.getCertificatePath())
                    .sslProvider(SslProvider.JDK)
                    .applicationProtocolConfig(new ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            protocol))
                    .build();
        } catch (javax.net.ssl.SSLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509Bundle identity() {
        try {
            X509Bundle root = new CertificateBuilder()
                    .ecp256()
                    .subject("CN=fake cluster")
                    .setIsCertificateAuthority(true)
                    .buildSelfSigned();
            return new CertificateBuilder()
                    .ecp256()
                    .subject("CN=server")
                    .addSanIpAddress("127.0.0.1")
                    .addExtendedKeyUsageServerAuth()
                    .buildIssuedBy(root);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Negotiation extends ApplicationProtocolNegotiationHandler {
        Negotiation() {
            super("http/1.1");
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext ctx, String chosen) {
            if (chosen.equals("h2")) {
                ctx.pipeline()
                        .addLast(Http2FrameCodecBuilder.forServer()
                                .gracefulShutdownTimeoutMillis(0)
                                .build())
                        .addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel stream) {
                                stream.pipeline().addLast(new Http2StreamFrameToHttpObjectCodec(true), new Requests());
                            }
                        }))
                        .addLast(new Quiet());
            } else {
                ctx.pipeline().addLast(new HttpServerCodec(), new Requests());
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

    private static class Quiet extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    private final class Requests extends Quiet {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof HttpRequest request) {
                answers.answer(ctx, request);
            }
            super.channelRead(ctx, message);
        }
    }
}
