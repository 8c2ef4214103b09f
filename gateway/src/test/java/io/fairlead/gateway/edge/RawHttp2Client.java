package io.fairlead.gateway.edge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.http.TlsProvider;
import io.fairlead.http.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.ByteArrayInputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** A client that sends whatever header fields a test writes, in frames of HTTP/2. */
final class RawHttp2Client implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 10;

    private final EventLoopGroup loops;
    private final boolean hasLoopsOfOthers;
    private final Channel connection;
    private final Queue<Channel> streams = new ConcurrentLinkedQueue<>();
    private final Queue<String> goAways = new ConcurrentLinkedQueue<>();

    RawHttp2Client(TestPki pki, InetSocketAddress server) throws SSLException {
        this(pki, server, SslContextBuilder.forClient(), server.getHostString(), null);
    }

    /** One of many clients on event loops that the test ends: those of its own take a while to end. */
    RawHttp2Client(TestPki pki, InetSocketAddress server, EventLoopGroup loops) throws SSLException {
        this(pki, server, SslContextBuilder.forClient(), server.getHostString(), loops);
    }

    /** A client with a certificate, that asks for a host in its handshake. */
    RawHttp2Client(TestPki pki, InetSocketAddress server, X509Bundle certificate, String serverName)
            throws SSLException {
        this(
                pki,
                server,
                SslContextBuilder.forClient()
                        .keyManager(certificate.getKeyPair().getPrivate(), certificate.getCertificatePath()),
                serverName,
                null);
    }

    private RawHttp2Client(
            TestPki pki,
            InetSocketAddress server,
            SslContextBuilder builder,
            String serverName,
            @Nullable EventLoopGroup others)
            throws SSLException {
        loops = others == null ? Transport.NIO.newGroup(1, "raw-h2") : others;
        hasLoopsOfOthers = others != null;
        SslContext tls = builder.sslProvider(TlsProvider.preferred())
                .trustManager(new ByteArrayInputStream(pki.caPem().getBytes(UTF_8)))
                .endpointIdentificationAlgorithm("")
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2))
                .build();
        connection = new Bootstrap()
                .group(loops)
                .channelFactory(Transport.NIO.socketChannels())
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        tls.newHandler(channel.alloc(), serverName, server.getPort()),
                                        Http2FrameCodecBuilder.forClient()
                                                .validateHeaders(false)
                                                .build(),
                                        new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()),
                                        new Ending());
                    }
                })
                .connect(server)
                .syncUninterruptibly()
                .channel();
    }

    /** Sends frames of the connection, not of one stream. */
    void send(Http2Frame... frames) {
        for (Http2Frame frame : frames) {
            connection.writeAndFlush(frame);
        }
    }

    /** Sends bytes past the codec. */
    void sendRaw(byte[] bytes) {
        connection.pipeline().context(Http2FrameCodec.class).writeAndFlush(Unpooled.wrappedBuffer(bytes));
    }

    /** With which error the server ended the connection; empty if it ended without a word. */
    String end() {
        if (!connection.closeFuture().awaitUninterruptibly(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            return "open";
        }
        return String.join(", ", goAways);
    }

    /** A request's pseudo-header fields. */
    static Http2Headers head(String method, String path) {
        return new DefaultHttp2Headers(false)
                .method(method)
                .scheme("https")
                .authority("localhost")
                .path(path);
    }

    Stream open(Http2Headers headers, boolean endOfStream) {
        BlockingQueue<String> frames = new LinkedBlockingQueue<>();
        Http2StreamChannel channel = new Http2StreamChannelBootstrap(connection)
                .handler(new Recording(frames))
                .open()
                .syncUninterruptibly()
                .getNow();
        streams.add(channel);
        channel.writeAndFlush(new DefaultHttp2HeadersFrame(headers, endOfStream));
        return new Stream(channel, frames);
    }

    /** Opens streams and gives each up at once; the server may end the connection in the midst of it. */
    void openAndReset(Http2Headers headers, int times) {
        for (int i = 0; i < times; i++) {
            new Http2StreamChannelBootstrap(connection)
                    .handler(new ChannelInboundHandlerAdapter())
                    .open()
                    .addListener((Future<Http2StreamChannel> opened) -> {
                        if (opened.isSuccess()) {
                            opened.getNow().write(new DefaultHttp2HeadersFrame(headers, true));
                            opened.getNow().writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
                        }
                    });
        }
    }

    /** Gives streams up so that the server reads of all of it at once. */
    void resetTogether(Stream... given) {
        connection.eventLoop().execute(() -> {
            for (Stream stream : given) {
                stream.channel().write(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
            }
            connection.flush();
        });
    }

    /** A stream whose reader has stopped outlives its connection, and keeps what it has not read. */
    @Override
    public void close() {
        connection.close().awaitUninterruptibly();
        streams.forEach(stream -> stream.close().awaitUninterruptibly());
        if (!hasLoopsOfOthers) {
            Transport.end(loops, Duration.ofSeconds(1)).awaitUninterruptibly(5, TimeUnit.SECONDS);
        }
    }

    /** One request. Frames read {@code head 200}, {@code data …}, {@code end}, {@code reset INTERNAL_ERROR}. */
    record Stream(Http2StreamChannel channel, BlockingQueue<String> frames) {
        String next() throws InterruptedException {
            String frame = frames.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return frame == null ? "nothing" : frame;
        }

        /** Skips to the frame that ends the answer. */
        String last() throws InterruptedException {
            String frame = next();
            while (frame.startsWith("head") || frame.startsWith("data")) {
                frame = next();
            }
            return frame;
        }

        void send(String data, boolean endOfStream) {
            channel.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.copiedBuffer(data, UTF_8), endOfStream));
        }

        /** Takes no more of the answer. */
        void stopReading() {
            channel.config().setAutoRead(false);
        }

        void reset() {
            channel.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
        }
    }

    private final class Ending extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Http2GoAwayFrame goAway) {
                goAways.add(String.valueOf(Http2Error.valueOf(goAway.errorCode())));
            }
            ReferenceCountUtil.release(message);
        }
    }

    private static final class Recording extends ChannelInboundHandlerAdapter {
        private final BlockingQueue<String> frames;

        Recording(BlockingQueue<String> frames) {
            this.frames = frames;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            switch (message) {
                case Http2HeadersFrame head -> {
                    frames.add("head " + head.headers().status());
                    end(head.isEndStream());
                }
                case Http2DataFrame data -> {
                    if (data.content().isReadable()) {
                        frames.add("data " + data.content().toString(UTF_8));
                    }
                    end(data.isEndStream());
                }
                default -> {}
            }
            ReferenceCountUtil.release(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof Http2ResetFrame reset) {
                frames.add("reset " + Http2Error.valueOf(reset.errorCode()));
            }
            ReferenceCountUtil.release(event);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            frames.add("closed");
        }

        private void end(boolean isEnd) {
            if (isEnd) {
                frames.add("end");
            }
        }
    }
}
