package io.fairlead.net;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;

/**
 * Opens a tunnel to a server through a proxy ({@code CONNECT}, RFC 9110 section 9.3.6), and passes everything on once
 * it is open. On the connection's event loop.
 *
 * <p>It stays in the pipeline: the end of a TLS connection to the proxy is not the server's.
 */
final class Tunnel extends ChannelDuplexHandler {
    private static final int INITIAL_LINE_MAX = 4 * 1024;
    private static final int HEADERS_MAX = 16 * 1024;
    private static final int CHUNK_MAX = 8 * 1024;
    private static final int OK = 200;

    /** Receives the outcome, exactly once. */
    interface Outcome {
        /** All later bytes go to the server. */
        void opened();

        /** The proxy answered with another code than 200. */
        void refused(int status);

        /** It did not answer, or not with HTTP. */
        void failed(Throwable cause);
    }

    private final String target;
    private final Outcome outcome;
    private boolean over;
    private int status;

    /**
     * A tunnel to a server.
     *
     * @param target its host and port
     */
    Tunnel(String target, Outcome outcome) {
        this.target = target;
        this.outcome = outcome;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        HttpClientCodec codec = new HttpClientCodec(INITIAL_LINE_MAX, HEADERS_MAX, CHUNK_MAX);
        ctx.pipeline().addBefore(ctx.name(), HttpClientCodec.class.getName(), codec);
        if (ctx.channel().isActive()) {
            ask(ctx);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ask(ctx);
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (over) {
            ctx.fireChannelRead(message);
            return;
        }
        try {
            if (message instanceof HttpResponse response) {
                answered(ctx, response);
            }
            if (message instanceof LastHttpContent && status == OK && !over) {
                over = true;
                ctx.pipeline().remove(HttpClientCodec.class);
                outcome.opened();
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(new ClosedChannelException());
        ctx.fireChannelInactive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCompletionEvent ofProxy) {
            if (!ofProxy.isSuccess()) {
                fail(ofProxy.cause());
            }
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    @Override
    @SuppressWarnings("deprecation") // of ChannelHandler, not of ChannelInboundHandler
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (over) {
            ctx.fireExceptionCaught(cause);
        } else {
            fail(cause);
        }
    }

    private void ask(ChannelHandlerContext ctx) {
        DefaultFullHttpRequest request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.CONNECT, target);
        request.headers().set(HttpHeaderNames.HOST, target);
        ctx.writeAndFlush(request);
    }

    /** A 200 has no body whatever its headers (RFC 9110 section 9.3.6); the codec knows. */
    private void answered(ChannelHandlerContext ctx, HttpResponse response) {
        if (response.decoderResult().isFailure()) {
            fail(response.decoderResult().cause());
            return;
        }
        status = response.status().code();
        if (status > OK) {
            over = true;
            outcome.refused(status);
            ctx.close();
        }
    }

    private void fail(Throwable cause) {
        if (!over) {
            over = true;
            outcome.failed(cause);
        }
    }
}
