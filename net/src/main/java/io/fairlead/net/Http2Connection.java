package io.fairlead.net;

import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 connection (RFC 9113) with a call on each stream. Ready once the peer's settings have arrived.
 *
 * <p>The connection's window is as large as all streams' windows together: stalled readers block only their own
 * streams.
 */
final class Http2Connection extends ChannelInboundHandlerAdapter implements Connection {
    private static final int STREAM_WINDOW_BYTES = 256 * 1024;
    private static final int FIRST_CONNECTION_WINDOW_BYTES = 65_535;
    private static final int HEADERS_MAX = 64 * 1024;

    private final Endpoint endpoint;
    private final EndpointPool lane;
    private final UpstreamLimits limits;
    private final Dial.Opening<Connection> opening;
    private final Channel channel;
    private final Set<Http2Stream> streams = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean ready;
    private boolean retired;
    private long streamsMax;
    private long lastReadNanos = System.nanoTime();
    private long unusedSinceNanos = System.nanoTime();
    private @Nullable ScheduledFuture<?> pulse;

    Http2Connection(
            Channel channel,
            Endpoint endpoint,
            EndpointPool lane,
            UpstreamLimits limits,
            Dial.Opening<Connection> opening) {
        this.channel = channel;
        this.endpoint = endpoint;
        this.lane = lane;
        this.limits = limits;
        this.opening = opening;
        this.streamsMax = limits.streamsMax();
    }

    /** The configuration of this connection. */
    UpstreamSpec spec() {
        return lane.spec();
    }

    /** Adds the protocol and this connection to the end of the pipeline. */
    void addTo(ChannelPipeline pipeline) {
        Http2Settings settings = Http2Settings.defaultSettings()
                .pushEnabled(false)
                .initialWindowSize(STREAM_WINDOW_BYTES)
                .maxHeaderListSize(HEADERS_MAX);
        pipeline.addLast(Http2FrameCodecBuilder.forClient()
                .initialSettings(settings)
                .gracefulShutdownTimeoutMillis(0)
                .build());
        pipeline.addLast(new Http2MultiplexHandler(new RefusePushes()));
        pipeline.addLast(this);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        int window = Math.multiplyExact(limits.streamsMax(), STREAM_WINDOW_BYTES);
        ctx.writeAndFlush(new DefaultHttp2WindowUpdateFrame(window - FIRST_CONNECTION_WINDOW_BYTES));
    }

    @Override
    public boolean hasRoom() {
        return ready && !retired && streams.size() < streamsMax && channel.isActive();
    }

    @Override
    public void send(Call call) {
        Http2Stream stream = new Http2Stream(call, this, endpoint);
        streams.add(stream);
        try {
            new Http2StreamChannelBootstrap(channel)
                    .handler(stream)
                    .open()
                    .addListener((Future<Http2StreamChannel> opened) -> stream.opened(opened));
        } catch (RuntimeException | Error e) {
            stream.broke(e);
        }
    }

    @Override
    public void retire() {
        retired = true;
        closeIfDone();
    }

    @Override
    public void close(UpstreamFailure reason) {
        retired = true;
        List<Http2Stream> failing = new ArrayList<>(streams);
        channel.close();
        failing.forEach(stream -> stream.fail(reason));
    }

    @Override
    public boolean isUnusedSince(long idleNanos) {
        return streams.isEmpty() && System.nanoTime() - unusedSinceNanos >= idleNanos;
    }

    void ended(Http2Stream stream) {
        if (streams.remove(stream)) {
            unusedSinceNanos = System.nanoTime();
            closeIfDone();
            if (hasRoom()) {
                lane.freed(this);
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Http2SettingsFrame frame) {
            settled(frame.settings());
        } else if (message instanceof Http2GoAwayFrame) {
            retired = true;
            lane.retired(this);
            closeIfDone();
        }
        ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        lastReadNanos = System.nanoTime();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        ReferenceCountUtil.release(event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        retired = true;
        if (pulse != null) {
            pulse.cancel(false);
        }
        lane.closed(this);
        UpstreamFailure failure =
                Failures.reached(Kind.RESET, endpoint + " closed the connection before its answer was complete");
        new ArrayList<>(streams).forEach(stream -> stream.fail(failure));
        failOpening(Failures.unreached(Kind.RESET, endpoint + " closed the connection before it sent HTTP/2 settings"));
    }

    @Override
    @SuppressWarnings("deprecation") // of ChannelHandler, not of ChannelInboundHandler
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        UpstreamFailure failure = Failures.broken(endpoint, cause);
        failOpening(Failures.unreached(failure.kind(), failure.message()));
        close(failure);
    }

    /** With TLS 1.3 a server refuses a client's certificate only after the handshake (RFC 8446 section 4.4.2). */
    private void failOpening(UpstreamFailure failure) {
        if (!ready) {
            opening.failed(failure);
        }
    }

    private void settled(Http2Settings settings) {
        Long peerMax = settings.maxConcurrentStreams();
        if (peerMax != null) {
            streamsMax = Math.min(limits.streamsMax(), peerMax);
        }
        if (!ready && streamsMax == 0) {
            // Another dial would end here too, and leave one more useless connection behind.
            failOpening(
                    Failures.unreached(Kind.OVERLOADED, endpoint + " allows no streams on a new HTTP/2 connection"));
            return;
        }
        if (!ready) {
            ready = true;
            takePulseIn(limits.pingInterval().toNanos());
            opening.ready(this);
        } else if (hasRoom()) {
            lane.freed(this);
        }
    }

    private void closeIfDone() {
        if (retired && streams.isEmpty()) {
            channel.close();
        }
    }

    private void takePulseIn(long nanos) {
        beatIn(nanos, this::takePulse);
    }

    /** An exception would end the periodic ping, and the peer's silence would no longer be detected. */
    private void beatIn(long nanos, Runnable beat) {
        pulse = channel.eventLoop()
                .schedule(
                        () -> {
                            try {
                                beat.run();
                            } catch (RuntimeException | Error e) {
                                close(Failures.brokenHere("the connection to " + endpoint, e));
                            }
                        },
                        nanos,
                        TimeUnit.NANOSECONDS);
    }

    /** A peer that vanished silently would leave watches open that receive nothing for ever. */
    private void takePulse() {
        long interval = limits.pingInterval().toNanos();
        long silent = System.nanoTime() - lastReadNanos;
        if (streams.isEmpty() || silent < interval) {
            takePulseIn(Math.max(interval - silent, interval / 2));
            return;
        }
        long askedAt = System.nanoTime();
        channel.writeAndFlush(new DefaultHttp2PingFrame(askedAt));
        beatIn(interval / 2, () -> judgePulse(askedAt));
    }

    private void judgePulse(long askedAt) {
        if (lastReadNanos - askedAt < 0) {
            close(Failures.reached(Kind.RESET, endpoint + " gave no sign of life on its connection"));
        } else {
            takePulseIn(limits.pingInterval().toNanos());
        }
    }
}
