package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.limits.Limit;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.net.InetSocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Sets a connection up for the negotiated protocol. */
final class ProtocolChoice extends ApplicationProtocolNegotiationHandler {
    private final EdgeLimits limits;
    private final RequestHandler handler;
    private final ConnectionMeter meter;
    private final UnparsedBytes.Part unparsed;
    private final Cancellations cancellations;
    private final Place place;

    ProtocolChoice(
            EdgeLimits limits,
            RequestHandler handler,
            ConnectionMeter meter,
            UnparsedBytes.Part unparsed,
            Cancellations cancellations,
            Place place) {
        super(ApplicationProtocolNames.HTTP_1_1);
        this.limits = limits;
        this.handler = handler;
        this.meter = meter;
        this.unparsed = unparsed;
        this.cancellations = cancellations;
        this.place = place;
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
        Channel connection = ctx.channel();
        Peer peer = new Peer((InetSocketAddress) connection.remoteAddress(), serverName(ctx), certificates(ctx));
        boolean http2 = protocol.equals(ApplicationProtocolNames.HTTP_2);
        count(connection, http2 ? ConnectionMeter.Protocol.HTTP2 : ConnectionMeter.Protocol.HTTP1);
        ctx.pipeline().addLast(new LingeringClose());
        if (http2) {
            addHttp2(ctx.pipeline(), peer);
        } else {
            connection.config().setAutoRead(false);
            ctx.pipeline().addLast(new Http1Connection(peer, limits, handler, meter, unparsed, cancellations, place));
        }
    }

    @Override
    protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
        meter.handshakeFailed();
        if (cause instanceof SslHandshakeTimeoutException) {
            meter.reached(Limit.HANDSHAKE_TIMEOUT);
        }
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Listener.closeAfter(cause, ctx);
    }

    private void count(Channel connection, ConnectionMeter.Protocol protocol) {
        meter.opened(protocol);
        connection.closeFuture().addListener(_ -> meter.closed(protocol));
    }

    private void addHttp2(ChannelPipeline pipeline, Peer peer) {
        Http2Settings settings = Http2Settings.defaultSettings()
                .maxConcurrentStreams(limits.http2().streamsMax())
                .maxHeaderListSize(limits.heads().bytesMax());
        EdgeLimits.Http2 budgets = limits.http2();
        int windowSeconds = (int) Math.max(1, budgets.floodWindow().toSeconds());
        Http2FrameCodec codec = Http2FrameCodecBuilder.forServer()
                .initialSettings(settings)
                .validateHeaders(true)
                .validateRequiredPseudoHeaders(true)
                .decoderEnforceMaxRstFramesPerWindow(
                        Cancellations.resetsMaxOfConnection(budgets.resetsMax()), windowSeconds)
                .encoderEnforceMaxRstFramesPerWindow(budgets.resetsMax(), windowSeconds)
                .decoderEnforceMaxConsecutiveEmptyDataFrames(budgets.emptyFramesMax())
                .decoderEnforceMaxSmallContinuationFrames(budgets.continuationsMax())
                // A drain has its own timeout.
                .gracefulShutdownTimeoutMillis(-1)
                .build();
        Http2Connection connection = new Http2Connection(codec, limits, meter, cancellations, place);
        pipeline.addLast(
                new FrameTap(unparsed, connection::controlFrame),
                codec,
                new Http2MultiplexHandler(new Streams(peer, connection)),
                connection);
    }

    private static @Nullable String serverName(ChannelHandlerContext ctx) {
        SSLSession session = ctx.pipeline().get(SslHandler.class).engine().getSession();
        if (session instanceof ExtendedSSLSession extended) {
            for (SNIServerName name : extended.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName();
                }
            }
        }
        return null;
    }

    private static List<X509Certificate> certificates(ChannelHandlerContext ctx) {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            for (Certificate certificate :
                    ctx.pipeline().get(SslHandler.class).engine().getSession().getPeerCertificates()) {
                chain.add((X509Certificate) certificate);
            }
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // The client presented none.
        }
        return chain;
    }

    private final class Streams extends ChannelInitializer<Channel> {
        private final Peer peer;
        private final Http2Connection connection;

        Streams(Peer peer, Http2Connection connection) {
            this.peer = peer;
            this.connection = connection;
        }

        @Override
        protected void initChannel(Channel stream) {
            connection.opened(stream);
            stream.config().setAutoRead(false);
            stream.config().setWriteBufferWaterMark(Listener.waterMark(limits));
            stream.pipeline().addLast(new Http2Stream(connection, peer, limits, handler, meter));
        }
    }
}
