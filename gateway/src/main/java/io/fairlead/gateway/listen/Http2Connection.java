package io.fairlead.gateway.listen;

import io.fairlead.gateway.limits.EdgeLimits;
import io.fairlead.gateway.limits.Limit;
import io.fairlead.gateway.limits.LimitMeter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.util.ReferenceCountUtil;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The end of an HTTP/2 connection.
 *
 * <p>It ends when it is idle for long, and when its client causes work by frames that cost it nothing (RFC 9113 section
 * 10.5): control frames are counted here, empty DATA frames and small CONTINUATION frames by the codec, resets by both:
 * over all connections of a client, and for this one.
 *
 * <p>A drained connection sends GOAWAY, answers its open streams, and closes after the last of them.
 */
final class Http2Connection extends ChannelInboundHandlerAdapter {
    private final Http2FrameCodec codec;
    private final EdgeLimits limits;
    private final LimitMeter meter;
    private final Cancellations cancellations;
    private final Place place;

    private @Nullable ChannelHandlerContext context;
    private @Nullable IdleTimer idleTimer;
    private final Set<Channel> streams = new HashSet<>();
    private boolean draining;
    private boolean calmed;
    private long windowStart = System.nanoTime();
    private int controlFrames;

    Http2Connection(
            Http2FrameCodec codec, EdgeLimits limits, LimitMeter meter, Cancellations cancellations, Place place) {
        this.codec = codec;
        this.limits = limits;
        this.meter = meter;
        this.cancellations = cancellations;
        this.place = place;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        idleTimer = new IdleTimer(ctx.executor(), limits.connections().idleTimeout(), () -> !streams.isEmpty(), () -> {
            meter.reached(Limit.CONNECTION_IDLE_TIMEOUT);
            drain();
        });
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (idleTimer != null) {
            idleTimer.stop();
        }
        // A stream with unread data does not close with its connection.
        List.copyOf(streams).forEach(Channel::close);
    }

    /** A stream began. */
    void opened(Channel stream) {
        streams.add(stream);
        stream.closeFuture().addListener(_ -> {
            streams.remove(stream);
            if (idleTimer != null) {
                idleTimer.touch();
            }
            closeIfDrained();
        });
    }

    /** A stream was reset by its client. */
    void gaveUp(Object client, boolean answered) {
        if (!cancellations.count(client, answered)) {
            calm("too many RST_STREAM frames of one client");
        }
    }

    /** The connection closed before a request was answered; unless it was closed here, that counts as a reset. */
    void lost(Object client) {
        if (!calmed && !draining) {
            cancellations.count(client, false);
        }
    }

    /** A request was authenticated; returns null if its caller is not refused. */
    @Nullable
    CallerRefused authenticated(Object caller) {
        CallerRefused refused = CallerRefused.of(caller, place, cancellations);
        if (refused != null && !calmed) {
            meter.reached(refused.limit());
        }
        return refused;
    }

    /** Ends the connection for too many frames; once. */
    private void calm(String why) {
        if (!calmed) {
            calmed = true;
            codec.onError(
                    context().pipeline().context(codec),
                    false,
                    Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, why));
        }
    }

    /** Accepts no further streams and closes after the last one. */
    void drain() {
        if (!draining) {
            draining = true;
            context().writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR));
            closeIfDrained();
        }
    }

    /** The codec has processed it. */
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        ReferenceCountUtil.release(message);
    }

    /** The codec reports an HTTP/2 error to the client and closes by itself. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof Http2Exception http2)) {
            Listener.closeAfter(cause, ctx);
        } else if (http2.error() == Http2Error.ENHANCE_YOUR_CALM) {
            meter.reached(reached(String.valueOf(http2.getMessage())));
        }
    }

    /** A frame arrived that answers nothing and cost its sender almost nothing. */
    void controlFrame() {
        long now = System.nanoTime();
        if (now - windowStart > limits.http2().floodWindow().toNanos()) {
            windowStart = now;
            controlFrames = 0;
        }
        controlFrames++;
        if (controlFrames == limits.http2().controlFramesMax() + 1) {
            calm("too many control frames");
        }
    }

    /** Only the text names the exceeded budget. */
    private static Limit reached(String text) {
        if (text.contains("control frames")) {
            return Limit.CONTROL_FRAMES;
        }
        if (text.contains("RST")) {
            return Limit.STREAM_RESETS;
        }
        return text.toUpperCase(Locale.ROOT).contains("CONTINUATION") ? Limit.CONTINUATIONS : Limit.EMPTY_FRAMES;
    }

    private void closeIfDrained() {
        if (draining && streams.isEmpty()) {
            context().channel().close();
        }
    }

    private ChannelHandlerContext context() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }
}
