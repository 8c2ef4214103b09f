package io.fairlead.net;

import io.fairlead.http.h2.ClientOwner;
import io.fairlead.http.h2.ClientSession;
import io.fairlead.http.h2.Flood;
import io.fairlead.http.h2.Http2Handler;
import io.fairlead.http.h2.Http2Limits;
import io.fairlead.http.h2.StreamEnd;
import io.fairlead.net.UpstreamFailure.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 connection (RFC 9113) with a call on each stream: the I/O of a {@link ClientSession}.
 *
 * <pre>
 * OPENING       - the peer's settings came -> READY, without room for a stream -> OPENING, and the dial fails
 * READY         - retired, the peer goes away, the last stream's id is used -> RETIRED
 * RETIRED       - the last call is over -> closed
 * any           - failed, the peer breaks a rule, silent for long -> RETIRED, and closed
 * </pre>
 *
 * <p>The connection's window is larger than all streams' windows together: stalled readers block only their own
 * streams.
 */
final class Http2Connection extends Http2Handler implements Connection, ClientOwner {
    private static final int STREAM_WINDOW_BYTES = 256 * 1024;
    private static final int BODY_QUEUE_BYTES_MAX = 64 * 1024;

    /** A server that sends more in a second of what costs it nothing is no API server. */
    private static final long FLOOD_WINDOW_NANOS = 1_000_000_000L;

    private static final int CONTROL_FRAMES_MAX = 10_000;
    private static final int EMPTY_FRAMES_MAX = 1_000;
    private static final int CONTINUATIONS_MAX = 64;

    private static final int FEW_STREAMS = 8;

    private enum State {
        OPENING,
        READY,
        RETIRED
    }

    private final Endpoint endpoint;
    private final EndpointPool lane;
    private final UpstreamLimits limits;
    private final Dial.Opening<Connection> opening;
    private final Channel channel;
    private final ClientSession session;

    private State state = State.OPENING;
    private long streamsMax;
    private @Nullable UpstreamFailure reason;
    private boolean isLossCounted;
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
        this.session = new ClientSession(sessionLimits(limits), this, this, System::nanoTime);
    }

    private static Http2Limits sessionLimits(UpstreamLimits limits) {
        return new Http2Limits(
                limits.streamsMax(),
                STREAM_WINDOW_BYTES,
                Math.multiplyExact(limits.streamsMax() + 1, STREAM_WINDOW_BYTES),
                Answer.HEAD_BYTES_MAX,
                Answer.FIELDS_MAX,
                FLOOD_WINDOW_NANOS,
                CONTROL_FRAMES_MAX,
                CONTROL_FRAMES_MAX,
                EMPTY_FRAMES_MAX,
                CONTINUATIONS_MAX,
                BODY_QUEUE_BYTES_MAX);
    }

    /** The configuration of this connection. */
    UpstreamSpec spec() {
        return lane.spec();
    }

    @Override
    protected ClientSession session() {
        return session;
    }

    @Override
    public boolean hasRoom() {
        return state == State.READY && session.openStreams() < streamsMax && session.takesMore() && channel.isActive();
    }

    /** Whether at least a quarter of its streams is free, if it has so many that this says something. */
    boolean hasPlentyOfRoom() {
        return streamsMax < FEW_STREAMS || session.openStreams() <= streamsMax - streamsMax / 4;
    }

    @Override
    public void send(Call call) {
        new Http2Stream(call, this, endpoint).send();
    }

    @Override
    public void retire() {
        state = State.RETIRED;
        closeIfDone();
    }

    @Override
    public void close(UpstreamFailure failure) {
        state = State.RETIRED;
        reason = failure;
        channel.close();
        session.closed();
    }

    @Override
    public boolean leadsToOneOf(Set<InetAddress> addresses) {
        return channel.remoteAddress() instanceof InetSocketAddress peer && addresses.contains(peer.getAddress());
    }

    @Override
    public boolean isUnusedSince(long idleNanos) {
        return session.openStreams() == 0 && System.nanoTime() - unusedSinceNanos >= idleNanos;
    }

    /**
     * Why a call fails that is not over when the connection is.
     *
     * @param isUnanswered whether its answer had not begun; all such calls are one loss to the endpoint
     */
    UpstreamFailure lossReason(boolean isUnanswered) {
        UpstreamFailure known = reason;
        UpstreamFailure loss = known != null ? known : Failures.cut(endpoint, false);
        if (isUnanswered && !isLossCounted && loss.kind() != Kind.CLOSED) {
            isLossCounted = true;
            endpoint.health().lost(loss);
        }
        return loss;
    }

    @Override
    public void closed(StreamEnd stream) {
        if (session.openStreams() == 0) {
            unusedSinceNanos = System.nanoTime();
        }
        closeIfDone();
        if (hasRoom()) {
            lane.freed(this);
        }
    }

    @Override
    public void broken(String why, @Nullable Flood flood) {
        UpstreamFailure failure = Failures.reached(Kind.PROTOCOL, endpoint + " sent what is not valid HTTP");
        failOpening(failure);
        state = State.RETIRED;
        reason = failure;
    }

    @Override
    public void ponged() {
        // That something came is all that counts.
    }

    @Override
    public void goneAway() {
        state = State.RETIRED;
        lane.retired(this);
        closeIfDone();
    }

    @Override
    public void settled(long peerMax) {
        streamsMax = Math.min(limits.streamsMax(), peerMax);
        if (state == State.OPENING && streamsMax == 0) {
            // Another dial would end here too, and leave one more useless connection behind.
            opening.failed(
                    Failures.unreached(Kind.OVERLOADED, endpoint + " allows no streams on a new HTTP/2 connection"));
        } else if (state == State.OPENING) {
            state = State.READY;
            takePulseIn(limits.pingInterval().toNanos());
            opening.ready(this);
        } else if (hasRoom()) {
            lane.freed(this);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        session.receive(ctx.alloc(), (ByteBuf) message);
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
        failOpening(Failures.unreached(Kind.RESET, endpoint + " closed the connection before it sent HTTP/2 settings"));
        state = State.RETIRED;
        if (pulse != null) {
            pulse.cancel(false);
        }
        lane.closed(this);
        session.closed();
    }

    @Override
    @SuppressWarnings("deprecation") // of ChannelHandler, not of ChannelInboundHandler
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        UpstreamFailure failure = Failures.broken(endpoint, cause);
        failOpening(failure);
        close(failure);
    }

    /** With TLS 1.3 a server refuses a client's certificate only after the handshake (RFC 8446 section 4.4.2). */
    private void failOpening(UpstreamFailure failure) {
        if (state == State.OPENING) {
            opening.failed(Failures.unreached(failure.kind(), failure.message()));
        }
    }

    /** What is lost with the transport fails when that closes, maybe behind an answer. */
    @Override
    protected void cannotSend(Throwable failure) {
        if (!(failure instanceof IOException)) {
            close(Failures.brokenHere("the connection to " + endpoint, failure));
        }
    }

    private void closeIfDone() {
        if (state == State.RETIRED && session.openStreams() == 0) {
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
        if (session.openStreams() == 0 || silent < interval) {
            takePulseIn(Math.max(interval - silent, interval / 2));
            return;
        }
        long askedAt = System.nanoTime();
        session.ping();
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
