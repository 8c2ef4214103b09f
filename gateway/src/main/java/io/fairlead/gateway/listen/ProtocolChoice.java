package io.fairlead.gateway.listen;

import io.fairlead.config.LimitSettings;
import io.fairlead.gateway.limits.Limit;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SniCompletionEvent;
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
    private final LimitSettings limits;
    private final RequestHandler handler;
    private final ConnectionMeter meter;
    private final ByteBudget.Part unparsed;
    private final ByteBudget unread;
    private final Cancellations cancellations;
    private final Place place;
    private boolean hasFailed;

    ProtocolChoice(
            LimitSettings limits,
            RequestHandler handler,
            ConnectionMeter meter,
            ByteBudget.Part unparsed,
            ByteBudget unread,
            Cancellations cancellations,
            Place place) {
        super(ApplicationProtocolNames.HTTP_1_1);
        this.limits = limits;
        this.handler = handler;
        this.meter = meter;
        this.unparsed = unparsed;
        this.unread = unread;
        this.cancellations = cancellations;
        this.place = place;
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
        Channel connection = ctx.channel();
        Peer peer = new Peer((InetSocketAddress) connection.remoteAddress(), serverName(ctx), certificates(ctx));
        boolean http2 = protocol.equals(ApplicationProtocolNames.HTTP_2);
        count(connection, meter, http2 ? ConnectionMeter.Protocol.HTTP2 : ConnectionMeter.Protocol.HTTP1);
        ClientConnection client =
                new ClientConnection(peer, limits, handler, meter, unparsed, unread, cancellations, place);
        ctx.pipeline().addLast(new LingeringClose());
        if (http2) {
            ctx.pipeline().addLast(new Http2Connection(client));
        } else {
            connection.config().setAutoRead(false);
            ctx.pipeline().addLast(new Http1Connection(client));
        }
    }

    /** Where the server name decides, a handshake begins once it is known, and a timeout before is told apart. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof SniCompletionEvent named && named.cause() instanceof SslHandshakeTimeoutException late) {
            handshakeFailure(ctx, late);
        }
        super.userEventTriggered(ctx, event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        if (!hasFailed) {
            hasFailed = true;
            meter.handshakeFailed();
        }
        super.channelInactive(ctx);
    }

    @Override
    protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
        hasFailed = true;
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

    private static void count(Channel connection, ConnectionMeter meter, ConnectionMeter.Protocol protocol) {
        meter.opened(protocol);
        connection.closeFuture().addListener(_ -> meter.closed(protocol));
    }

    /** Null if the client named none, or one that is no host name, {@code my_host}, say: nothing is reached by such a name alone. */
    private static @Nullable String serverName(ChannelHandlerContext ctx) {
        SSLSession session = ctx.pipeline().get(SslHandler.class).engine().getSession();
        if (session instanceof ExtendedSSLSession extended) {
            for (SNIServerName name : requestedNames(extended)) {
                if (name instanceof SNIHostName host) {
                    return host.getAsciiName();
                }
            }
        }
        return null;
    }

    private static List<SNIServerName> requestedNames(ExtendedSSLSession session) {
        try {
            return session.getRequestedServerNames();
        } catch (IllegalArgumentException noHostName) {
            return List.of();
        }
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
}
